# SPDX-License-Identifier: Apache-2.0
"""Trees of sections as YAML."""
import json
import re

_PLAIN = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_WORDS = {"true", "false", "null", "yes", "no", "on", "off"}


def yaml_text(tree):
    """Sections and their elements on lines of their own, what is in them in one line."""
    lines = []
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            lines.append(f"{_word(key)}:")
            lines += [f"  {_word(name)}: {_flow(entry)}" for name, entry in value.items()]
        else:
            lines.append(f"{_word(key)}: {_flow(value)}")
    return "\n".join(lines or ["{}"]) + "\n"


def _word(text):
    text = str(text)
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=False)


def _flow(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_word(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if hasattr(value, "tolist"):  # numpy
        return _flow(value.tolist())
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    return _word(value)
