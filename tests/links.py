# SPDX-License-Identifier: Apache-2.0
"""Every relative link in the documents points to a file that exists and, where it names one, to a heading in it.

    links.py <source folder>
"""
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^()\s>]+(?:\([^()\s]*\)[^()\s>]*)?)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^\[[^\]]+\]:[ \t]+(\S+)$", re.M)  # [label]: address
HTML = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)=\"([^\"]+)\"")


def without_code(text):
    """The text with code blanked out; line numbers stay."""
    text = re.sub(r"^( *)(```+|~~~+).*?^ *\2`*~* *$", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text)


def anchors(text):
    """Names of the headings as web pages of repositories make them, and explicit ones."""
    found, counts = set(re.findall(r"<[^>]*\b(?:id|name)=\"([^\"]+)\"", text)), {}
    in_code = False
    for line in text.splitlines():
        if re.match(r" *(```|~~~)", line):
            in_code = not in_code
        heading = None if in_code else re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            name = re.sub(r"[^\w\- ]", "", title.lower().replace("`", "")).replace(" ", "-")
            number = counts.get(name, 0)
            counts[name] = number + 1
            found.add(f"{name}-{number}" if number else name)
    return found


def faults_of(document, root):
    text = without_code(document.read_text())
    for pattern in (LINK, DEFINITION, HTML):
        for match in pattern.finditer(text):
            address = urllib.parse.unquote(match[1])
            if re.match(r"[a-z][a-z0-9+.-]*:", address):
                continue  # elsewhere
            path, _, anchor = address.partition("#")
            target = (document.parent / path).resolve() if path else document
            place = f"{document.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            if not target.exists():
                yield f"{place}: {address}: no such file"
            elif not target.is_relative_to(root):
                yield f"{place}: {address}: outside of the project"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text()):
                yield f"{place}: {address}: no such heading"


def main(source):
    root = pathlib.Path(source).resolve()
    folders = [root / "docs", root / "models", root / "python", root / "papers", root / "bench"]
    documents = sorted(root.glob("*.md")) + sorted(d for folder in folders for d in folder.rglob("*.md"))
    faults = [fault for document in documents for fault in faults_of(document, root)]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(documents)} documents, {len(faults)} broken links")
    return 1 if faults or not documents else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
