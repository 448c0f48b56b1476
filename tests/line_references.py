# SPDX-License-Identifier: Apache-2.0
"""Line references in docs/architecture.md: [`text`](../src/file.cpp#L12) says that line 12 of that file contains `text`.

    line_references.py <source folder>          tells which are wrong
    line_references.py <source folder> --fix    writes the lines where the texts stand now
"""
import pathlib
import re
import sys

REFERENCE = re.compile(r"\[`([^`]+)`\]\(([^)#]+)#L(\d+)\)")


def line_of(text, file, near):
    """The line with `text` that is nearest to the one given; 0 if there is none."""
    lines = [i for i, line in enumerate(file.read_text().splitlines(), 1) if text in line]
    return min(lines, key=lambda i: abs(i - near), default=0)


def main(source, fix):
    page = pathlib.Path(source, "docs", "architecture.md")
    faults, count = [], 0

    def mended(match):
        nonlocal count
        count += 1
        text, path, line = match.group(1), match.group(2), int(match.group(3))
        file = (page.parent / path).resolve()
        found = line_of(text, file, line) if file.exists() else 0
        if found != line:
            where = f"stands in line {found}" if found else "does not stand there"
            faults.append(f"docs/architecture.md: `{text}` is said to be in {path}, line {line}: it {where}")
        return f"[`{text}`]({path}#L{found or line})"

    text = REFERENCE.sub(mended, page.read_text())
    if fix:
        page.write_text(text)
        faults = [f for f in faults if f.endswith("does not stand there")]
    for fault in faults:
        print(fault, file=sys.stderr)
    if count == 0:
        print("docs/architecture.md: no line references", file=sys.stderr)
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--fix" in sys.argv[2:]))
