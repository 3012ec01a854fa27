"""Bytes of a file to text: which encoding a page was saved in.

The order is the one browsers follow (WHATWG HTML, "determining the character encoding"): byte order mark,
what the page itself says, UTF-8 when it fits, then a guess by letter statistics.
"""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(
    rb"<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,200}?encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I
)
_SNIFF_BYTES = 4096
_GUESS_BYTES = 65_536
# The Encoding Standard reads these labels as the larger Windows sets that pages really use.
_BROWSER_NAMES = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "ascii": "cp1252"}
# What pages were really saved in; among all codecs short texts are mistaken for code pages of old terminals,
# and French for Central European: of the Latin ones only the most common is guessed.
_GUESSED = (
    *("cp1251", "cp1252", "cp1253", "cp1255", "cp1256", "koi8-r"),
    *("shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"),
)
_MAX_CONTROL_SHARE = 0.01
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")


def decode_text(data: bytes) -> str | None:
    """Return `data` as text, or None when it is no text: NUL bytes or many characters no text has."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _if_text(data.decode(encoding, "replace"))
    if b"\0" in data:
        return None
    return _if_text(data.decode(_encoding(data), "replace"))


def _encoding(data: bytes) -> str:
    declared = _DECLARED.search(data[:_SNIFF_BYTES])
    if declared is not None:
        name = declared[1].decode("ascii", "replace").lower()
        name = _BROWSER_NAMES.get(name, name)
        # A page that could be searched for an ASCII declaration is not UTF-16, whatever it says.
        if _is_known(name) and not name.startswith(("utf-16", "utf-32")):
            return name
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess(data)
    return "utf-8"


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_GUESS_BYTES], cp_isolation=list(_GUESSED)).best()
    return "cp1252" if best is None else best.encoding


def _is_known(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:
        return False


def _if_text(text: str) -> str | None:
    n_controls = len(_CONTROLS.findall(text))
    return None if n_controls > _MAX_CONTROL_SHARE * len(text) or "\0" in text else text
