# SPDX-License-Identifier: Apache-2.0
"""The build backend of pyproject.toml (PEP 517): CMake builds the package, this packs it into a wheel.

In a clone where CMake has built for the same Python before, as after `make test`, that build is used, with the
viewer if it has one; otherwise build/pip is made, without viewer, as this would need packages from npm.
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _build() / "python" / "bricard"
    files = {f"bricard/{p.name}": p.read_bytes() for p in sorted(package.iterdir()) if p.is_file() and _is_ours(p)}
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    tag = f"{tag}-{tag}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    info = f"bricard-{_version()}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: bricard\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD").encode()
    name = f"bricard-{_version()}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
    return name


def _is_ours(path):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return path.suffix in (".py", ".pyi", ".typed") or path.name in (f"_core{suffix}", "py.typed")


def _version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(bricard VERSION ([\d.]+)", text)[1]


def _metadata():
    return (f"Metadata-Version: 2.1\nName: bricard\nVersion: {_version()}\nLicense: Apache-2.0\n"
            "Summary: Dynamics of mechanisms: build or load models, run them, look at what comes out\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


def _record(files, own_path):
    def digest(content):
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    lines = [f"{path},sha256={digest(content)},{len(content)}\n" for path, content in files.items()]
    return "".join(lines) + f"{own_path},,\n"


def _cached(folder, name):
    """A value of CMake's cache, '' if there is none."""
    cache = folder / "CMakeCache.txt"
    found = re.search(rf"^{name}:\w+=(.*)$", cache.read_text(), re.M) if cache.exists() else None
    return found[1] if found else ""


def _build():
    """Builds the package and returns the build folder."""
    folder = pathlib.Path(os.environ.get("BRICARD_BUILD", ROOT / "build"))
    python = os.path.realpath(sys.executable)
    options = [f"-DPython3_EXECUTABLE={python}", "-DBRICARD_TESTS=OFF", "-DBRICARD_VIEWER=OFF",
               "-DCMAKE_BUILD_TYPE=Release"]
    if os.path.realpath(_cached(folder, "Python3_EXECUTABLE")) == python:
        options = []
    else:
        folder = ROOT / "build" / "pip"
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
    _cmake("-S", str(ROOT), "-B", str(folder), "-DBRICARD_PYTHON=ON", *options)
    _cmake("--build", str(folder), "--target", "bricard_package", "--parallel")
    return folder


def _cmake(*arguments):
    subprocess.run(["cmake", *arguments], check=True, stdout=sys.stderr)  # stdout belongs to pip
