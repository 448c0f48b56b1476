# SPDX-License-Identifier: Apache-2.0
"""pip installs the package from the source tree, without a network."""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_pip_installs_a_package_that_works(tmp_path):
    pytest.importorskip("pip")
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment.pop("PYTHONPATH", None)
    target = tmp_path / "site"
    options = ["-q", "--no-deps", "--no-build-isolation", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(ROOT)], check=True, env=environment)
    program = "import bricard; print(bricard.__file__); bricard.load('models/pendulum.yaml').run(duration=0.1)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={**environment, "PYTHONPATH": str(target)},
                          check=True, capture_output=True, text=True)
    assert pathlib.Path(done.stdout.strip()).is_relative_to(target)
    assert (target / "bricard" / "__init__.pyi").exists() and (target / "bricard" / "py.typed").exists()
