#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Model files against the schema that `bricard schema` prints, by an independent validator.

    tests/schema_test.py BRICARD SOURCE_FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

# Wrong files whose fault is one of form: keys, types, words. The others are wrong in what only the reader knows.
WRONG_FORM = [
    "unknown_key", "unknown_section", "wrong_types", "joint_type", "force_types", "shapes", "missing_keys",
    "orientations", "five_faults",
]
SCHEMA = "docs/bricard.schema.json"


class Loader(yaml.SafeLoader):
    """YAML 1.2 as editors read it: `on` and `no` are words."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:bool"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def faults_of(path, validator):
    document = yaml.load(path.read_text(encoding="utf-8"), Loader)
    return [f"{path}: {'.'.join(map(str, e.path))}: {e.message[:200]}" for e in validator.iter_errors(document)]


def modeline_faults(path, root):
    match = re.search(r"^# yaml-language-server: \$schema=(\S+)$", path.read_text(encoding="utf-8"), re.M)
    if not match:
        return [f"{path}: has no line '# yaml-language-server: $schema=...'"]
    if (path.parent / match[1]).resolve() != (root / SCHEMA).resolve():
        return [f"{path}: its schema {match[1]} is not {SCHEMA}"]
    return []


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    text = subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout
    faults = []
    if text != (root / SCHEMA).read_text(encoding="utf-8"):
        faults.append(f"{SCHEMA} is not up to date; run: bricard schema -o {SCHEMA}")
    schema = json.loads(text)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)

    models = sorted((root / "models").rglob("*.yaml"))
    if len(models) < 10:
        faults.append("the models were not found")
    for path in models:
        faults += faults_of(path, validator) + modeline_faults(path, root)
    for name in WRONG_FORM:
        if not faults_of(root / "tests/end_to_end/bad" / f"{name}.yaml", validator):
            faults.append(f"{name}.yaml: the schema finds nothing wrong")
    print("\n".join(faults) if faults else f"{len(models)} models and {len(WRONG_FORM)} wrong files: as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
