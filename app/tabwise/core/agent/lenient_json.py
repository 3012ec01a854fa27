"""JSON as models write it: read strictly first, and what is broken as far as its meaning is clear.

Understood beyond the standard (RFC 8259): quotes of other kinds or none, a quotation mark inside a string,
raw line breaks, commas too many or too few, `True`, `None`, brackets and quotes that are missing at the end.
A quotation mark ends its string only where a comma, colon, bracket, the end or the next name follows, which
is so for every mark that ends one in sound JSON.

    >>> read("{query: 'high tide, where?', k: 5", 0)
    ({'query': 'high tide, where?', 'k': 5}, 33)
"""

import json
import re
from typing import Any

from tabwise.core.text.bounded_json import check_depth

MAX_DEPTH = 12

_DECODER = json.JSONDecoder(strict=False)
_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "‘": "’", "`": "`"}
_SPACE = re.compile(r"\s*")
_GAP = re.compile(r"[\s,;]*")
_BARE = re.compile(r"[^\s,;:=\[\]{}()\"'][^,;:=\[\]{}()\n\"]*")
_NUMBER = re.compile(r"-?[0-9]{1,30}(?P<fraction>\.[0-9]{1,30})?(?P<exponent>[eE][+-]?[0-9]{1,3})?(?![\w.])")
_BEHIND_STRING = re.compile(r"""\s*(?:[,:;=\]})]|\Z)|\s+["'“][\w ]+["'”]\s*:""")
_OPEN_END = re.compile(r"[\s\]})]*\Z")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None, "none": None}


class Unreadable(ValueError):
    """There is no value at this place."""


def read(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at `at` and the place behind it; raises Unreadable."""
    try:
        check_depth(text[at:])
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return read_broken(text, at)


def read_broken(text: str, at: int) -> tuple[Any, int]:
    """Return what `read` does, by the forgiving rules alone; raises Unreadable."""
    return _value(text, at, 0)


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_DEPTH:
        raise Unreadable("nested too deeply")
    at = _skip(_SPACE, text, at)
    char = text[at : at + 1]
    if char == "{":
        return _object(text, at + 1, depth)
    if char == "[":
        return _array(text, at + 1, depth)
    if char in _QUOTES:
        return _string(text, at)
    return _bare(text, at)


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while True:
        at = _skip(_GAP, text, at)
        if at >= len(text):
            return found, at
        if text[at] == "}":
            return found, at + 1
        if text[at] == "]":  # closes what is around this object, which lacks its own bracket
            return found, at
        key, at = _value(text, at, depth + 1) if text[at] in _QUOTES else _bare(text, at)
        at = _skip(_SPACE, text, at)
        if text[at : at + 1] not in (":", "="):
            raise Unreadable("a name without a value")
        value, at = _value(text, at + 1, depth + 1)
        found[str(key)] = value


def _array(text: str, at: int, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    while True:
        at = _skip(_GAP, text, at)
        if at >= len(text):
            return found, at
        if text[at] == "]":
            return found, at + 1
        if text[at] == "}":
            return found, at
        value, at = _value(text, at, depth + 1)
        found.append(value)


def _string(text: str, at: int) -> tuple[str, int]:
    """A string up to the mark that ends it, else up to the brackets at the end of its line."""
    closing = _QUOTES[text[at]]
    start = at + 1
    end = start
    while end < len(text):
        if text[end] == "\\":
            end += 2
        elif text[end] == closing and _BEHIND_STRING.match(text, end + 1):
            return _unescaped(text[start:end]), end + 1
        else:
            end += 1
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    closers = _OPEN_END.search(text, start, line_end)
    end = line_end if closers is None else closers.start()
    return _unescaped(text[start:end]), end


def _bare(text: str, at: int) -> tuple[Any, int]:
    number = _NUMBER.match(text, at)
    if number is not None:
        is_whole = number["fraction"] is None and number["exponent"] is None
        return (int if is_whole else float)(number[0]), number.end()
    word = _BARE.match(text, at)
    if word is None:
        raise Unreadable("no value")
    value = word[0].strip()
    return _WORDS.get(value.lower(), value), word.end()


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_escape, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)


def _skip(what: re.Pattern[str], text: str, at: int) -> int:
    match = what.match(text, at)
    return at if match is None else match.end()
