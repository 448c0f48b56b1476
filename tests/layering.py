# SPDX-License-Identifier: Apache-2.0
"""A folder of src/bricard may include itself and the folders before it in this order, no other.

Judged by what the compiler opened for each object (ninja's log of dependencies), so that no way to write an include
can hide. An object stands for the folder of its sources; a batch holds sources of one folder only.

    layering.py <source folder> <build folder> <ninja>
"""
import pathlib
import re
import subprocess
import sys

ORDER = ["math", "model", "check", "system", "elements", "assemble", "solve", "integrate", "results", "analysis", "flex",
         "write", "read", "report"]


def dependencies(build, ninja):
    """Objects of the library and the files each of them was made from."""
    log = subprocess.run([ninja, "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    objects = {}
    for block in log.split("\n\n"):
        name, *files = block.strip().splitlines() or [""]
        if name.startswith(("CMakeFiles/bricard.dir/", "CMakeFiles/bricard_hot.dir/")) and "(VALID)" in name:
            paths = [pathlib.Path(build, file.strip()).resolve() for file in files]
            objects[name.split(":")[0]] = paths
    return objects


def places_of(file, text):
    """Where a file is included, for the message: "file:line" of each such line."""
    wanted = re.compile(r'^\s*#\s*include\s*[<"]\S*' + re.escape(file.name))
    return [number for number, line in enumerate(text.splitlines(), 1) if wanted.match(line)]


def main(source, build, ninja):
    root = pathlib.Path(source).resolve()
    library = root / "src" / "bricard"
    faults = [f"src/bricard/{folder.name}: not in the order of folders"
              for folder in sorted(library.iterdir()) if folder.is_dir() and folder.name not in ORDER]
    seen, wrong = set(), set()
    for files in dependencies(build, ninja).values():
        own = [file for file in files if file.is_relative_to(root) and not file.is_relative_to(pathlib.Path(build).resolve())]
        seen.update(own)
        folders = {file.parent.name for file in own if file.suffix == ".cpp" and file.is_relative_to(library)}
        if len(folders) != 1:
            continue  # no source of ours (the embedded page)
        folder = folders.pop()
        for file in own:
            inside = file.is_relative_to(library)
            if not inside or file.parent.name not in ORDER or ORDER.index(file.parent.name) > ORDER.index(folder):
                wrong.add((folder, file))
    for folder, file in sorted(wrong):
        by = [f"{other.relative_to(root)}:{line}" for other in sorted((library / folder).iterdir())
              for line in places_of(file, other.read_text())]
        faults.append(f"{folder} opens {file.relative_to(root)}: " + (", ".join(by) or "through another header"))
    if not seen:
        faults.append(f"{build}: no dependencies of the library; build it first")
    for file in sorted(library.rglob("*.[hc]*")):
        if file not in seen:
            faults.append(f"{file.relative_to(root)}: compiled nowhere in the library")
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print(f"{len(faults)} faults; the order is: {' '.join(ORDER)}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
