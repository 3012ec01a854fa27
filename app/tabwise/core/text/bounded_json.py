"""JSON from elsewhere, read with a bound on its nesting.

The interpreter in WebAssembly does not survive what is nested some thousand levels deep: the whole engine
dies where CPython raises RecursionError. Nothing that we read from others needs more than a few dozen.
"""

import json
import re
from typing import Any

MAX_DEPTH = 200

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]+|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


def read_json(text: str | bytes | bytearray) -> Any:
    """Return the value of a JSON text; raises json.JSONDecodeError, also for more than MAX_DEPTH levels."""
    if not isinstance(text, str):
        text = text.decode(json.detect_encoding(text), "replace")
    check_depth(text)
    return json.loads(text)


def check_depth(text: str) -> None:
    """Raise json.JSONDecodeError when brackets outside of strings nest more than MAX_DEPTH levels."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        mark = found.group()[0]
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise json.JSONDecodeError("nested too deeply", text, found.start())
        elif mark in "]}":
            depth = max(0, depth - 1)
