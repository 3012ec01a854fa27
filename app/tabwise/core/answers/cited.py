"""A model's text as sentences with the sources they name, sentence by sentence while it is written.

Marks are [1], [1][2], [1, 2], [1-3], also 【1】 and [Source 1]; they belong to the sentence before them, also
behind its full stop. Headings and lines that only announce ("The points are:") are left out, list marks and
emphasis taken off: a sentence is plain text. A sentence is
handed out when the next one has clearly begun, so a stream gives the same sentences however it is cut.

    >>> parse("The range is 16.3 m. [1] Spring tides [2, 3] are larger.")
    (Said(text='The range is 16.3 m.', numbers=(1,)), Said(text='Spring tides are larger.', numbers=(2, 3)))
"""

import re
from dataclasses import dataclass

from tabwise.core.text.sentences import split

MAX_RANGE = 20
"""Numbers that a range [a-b] may stand for; a longer one is no citation."""

_NUMBERS = r"(?:(?:sources?|quellen?|fuentes?|ref\.?)\s*)?\d{1,3}(?:\s*(?:,|;|–|-|and|und|y|&)\s*\d{1,3})*"
_MARK = re.compile(rf"\s?(?:\[\s*({_NUMBERS})\s*\]|【\s*({_NUMBERS})[^】\n]{{0,20}}】)", re.IGNORECASE)
_LEADING_MARKS = re.compile(rf"(?:{_MARK.pattern}\s*[.,;:]?)+", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,3})(?:\s*[–-]\s*(\d{1,3}))?")
_LIST_MARK = re.compile(r"^\s*(?:[-*•–]\s+|#{1,6}\s+|>\s+|\d{1,2}[.)]\s+)+")
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1|(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")
_BEGUN = re.compile(r"\S+\s")
_GAP = re.compile(r"\s+(?=[.,;:!?])")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence without its marks, and the numbers it names, each once, in order."""

    text: str
    numbers: tuple[int, ...]


class Sentences:
    """Takes text as it grows and hands out each sentence once.

    Text is taken whole at every step (`feed(text so far)`), as `model_text.visible` gives it.
    """

    def __init__(self) -> None:
        self._n_read = 0

    def feed(self, text: str, *, is_whole: bool = False) -> tuple[Said, ...]:
        """Return the sentences that are complete and were not handed out before."""
        said: list[Said] = []
        while (end := _end_of_first(text, self._n_read, is_whole)) is not None:
            sentence = _said(text[self._n_read : end])
            self._n_read = end
            if sentence is not None:
                said.append(sentence)
        return tuple(said)


def parse(text: str) -> tuple[Said, ...]:
    """Return the sentences of a whole text."""
    return Sentences().feed(text, is_whole=True)


def _end_of_first(text: str, begin: int, is_whole: bool) -> int | None:
    """Where the first sentence from `begin` ends, its marks included; None when that cannot be told yet."""
    rest = text[begin:]
    if not rest.strip():
        return None
    n_blank = len(rest) - len(rest.lstrip())
    line_end = rest.find("\n", n_blank)
    is_line = line_end >= 0
    line = rest[: line_end if is_line else len(rest)]
    lead = _LIST_MARK.match(line[n_blank:])
    body = n_blank + (lead.end() if lead else 0)
    spans = split(line[body:])
    if not spans:
        return begin + len(line) if is_line or is_whole else None
    end = body + spans[0][1]
    marks = _LEADING_MARKS.match(line, end)
    if marks:
        end = marks.end()
    is_begun = bool(_BEGUN.search(line[end:].lstrip()))
    if not (is_begun or is_line or is_whole):
        return None
    return begin + end


def _said(piece: str) -> Said | None:
    """A sentence without list mark, emphasis and citation marks; None when it says nothing."""
    numbers: dict[int, None] = {}
    for match in _MARK.finditer(piece):
        for number in _numbers_in(match.group(1) or match.group(2)):
            numbers.setdefault(number)
    text = _MARK.sub("", _LIST_MARK.sub("", piece))
    text = _EMPHASIS.sub(lambda match: match.group(2) or match.group(3), text)
    text = _GAP.sub("", " ".join(text.split()))
    is_frame = not numbers and (piece.lstrip().startswith("#") or text.endswith(":"))
    is_empty = is_frame or not any(char.isalnum() for char in text)
    return None if is_empty else Said(text, tuple(numbers))


def _numbers_in(mark: str) -> list[int]:
    found: list[int] = []
    for first, last in _RANGE.findall(mark):
        end = int(last) if last else int(first)
        found += range(int(first), end + 1) if 0 <= end - int(first) <= MAX_RANGE else [int(first), end]
    return found
