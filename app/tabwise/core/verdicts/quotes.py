"""Is this text word for word in that one? Typographic quotes and dashes equal plain ones, and white space is
white space; nothing else is forgiven.

`stands_in` wants a whole sentence at its own borders, so "it is safe" is not taken from "he denied that it
is safe", nor "2 million" from "12 million". A quotation may be any piece, but one piece: words stitched
together from two places are not a quotation, unless an ellipsis says so, in order and from one text.
"""

import re
from collections.abc import Sequence

MIN_QUOTE_CHARS = 12

_PLAIN = str.maketrans("“”„‟«»‘’‚‛‹›‐‑‒–—―−", 6 * '"' + 6 * "'" + 7 * "-")
_SPACE = re.compile(r"\s+")
_QUOTED = re.compile(r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|(?<!\w)\"([^\"]+)\"(?!\w)")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\(\s*(?:\.\.\.|…)\s*\)|\.\.\.|…)\s*")
_INSIDE_NUMBERS = (".", ":")
_ENDS = frozenset(".!?…。！？।\n:;)]\"'")


def fold(text: str) -> str:
    """Return the text with plain quotes, dashes and spaces, in lower case."""
    return _SPACE.sub(" ", text.translate(_PLAIN)).strip().lower()


def stands_in(sentence: str, text: str) -> bool:
    """Whether the sentence stands in the text, beginning and ending where a sentence or line does."""
    wanted = _lined(sentence).strip().replace("\n", " ")
    if not wanted:
        return False
    lined = _lined(text)
    plain = lined.replace("\n", " ")
    at = plain.find(wanted)
    while at >= 0:
        if _is_whole(lined, at, at + len(wanted)):
            return True
        at = plain.find(wanted, at + 1)
    return False


def quotations(sentence: str) -> list[str]:
    """Return the quoted pieces of at least `MIN_QUOTE_CHARS` characters, without the punctuation around."""
    found = (
        "".join(filter(None, match.groups())).strip(" \t\n.,;:!?") for match in _QUOTED.finditer(sentence)
    )
    return [quote for quote in found if len(quote) >= MIN_QUOTE_CHARS]


def quote_is_in(quote: str, folded_texts: Sequence[str]) -> bool:
    """Whether a quotation is in one of the folded texts, its pieces between ellipses in order."""
    pieces = [piece for piece in _ELLIPSIS.split(fold(quote)) if piece]
    return any(_in_order(pieces, text) for text in folded_texts)


def _lined(text: str) -> str:
    """White space as one line break where it has one, else one space."""
    return _SPACE.sub(lambda match: "\n" if "\n" in match.group() else " ", text.translate(_PLAIN))


def _is_whole(lined: str, start: int, end: int) -> bool:
    before, after = lined[:start].rstrip(" "), lined[end:]
    if before and before[-1] not in _ENDS:
        return False
    if lined[:start][-1:] in _INSIDE_NUMBERS and lined[start].isdigit():
        return False
    if after[:1].isalnum():
        return False
    following = after.lstrip(" ")
    return not following or following[0] in _ENDS or lined[end - 1 : end] in _ENDS


def _in_order(pieces: Sequence[str], text: str) -> bool:
    at = 0
    for piece in pieces:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True
