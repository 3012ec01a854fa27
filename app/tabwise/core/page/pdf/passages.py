"""Where a passage of a page's text is drawn: which parts of which text items, so that they can be marked.

The text of a page was put together from items: in reading order, words joined that a hyphen had broken,
running heads left out, raised digits made superscripts. So only letters and digits are compared, without
case, in their plainest form (NFKD), and in two orders: as `columns` reads the page, then as it was drawn.

    items "Tidal po-" "wer is" "steady."   letters tidalpowerissteady
    passage "power is steady."             items 0 [6:9], 1 [0:6], 2 [0:7]

A passage that something else interrupts, a running foot or the note below a column, is looked for in pieces,
each near the one before. Of several places the one counts whose neighbourhood agrees best with the text that
stood before and after the passage, then the first.
"""

import unicodedata
from array import array
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from tabwise.core.page.pdf.capture import PdfPage
from tabwise.core.page.pdf.columns import reading_order
from tabwise.core.page.pdf.segments import read_page
from tabwise.core.text.characters import clean

MIN_FIRST_LETTERS = 12
MIN_PIECE_LETTERS = 4
MAX_PIECES = 12
NEAR_LETTERS = 1500
"""Limits of a passage in pieces: its first piece, the others, how many, and how far apart they may lie."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sought:
    """A passage and the text that stood before and after it."""

    quote: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class ItemSpan:
    """Characters start…end (exclusive, code points) of an item, by its place in `PdfPage.items`."""

    page: int
    item: int
    start: int
    end: int


class _Letters:
    """The letters of items, each of which knows the character it comes from."""

    def __init__(self) -> None:
        self.text = ""
        self._pages = array("i")
        self._items = array("i")
        self._places = array("i")

    def add(self, page: PdfPage, order: Iterable[int]) -> None:
        """Take the items of a page in this order."""
        pieces = [self.text]
        for item in order:
            for place, char in enumerate(page.items[item].text):
                letters = _letters_of(char)
                pieces.append(letters)
                for _ in letters:
                    self._pages.append(page.number)
                    self._items.append(item)
                    self._places.append(place)
        self.text = "".join(pieces)

    def spans(self, start: int, end: int) -> list[ItemSpan]:
        """The parts of items that letters start…end come from, in order."""
        spans = []
        for (page, item), group in groupby(
            range(start, end), key=lambda at: (self._pages[at], self._items[at])
        ):
            places = [self._places[at] for at in group]
            spans.append(ItemSpan(page, item, places[0], places[-1] + 1))
        return spans


def find_passages(
    pages: Sequence[PdfPage], sought: Sequence[Sought]
) -> Generator[None, None, list[tuple[ItemSpan, ...]]]:
    """Look for passages on some pages, in order; return for each the items that show it, () for none.

    A passage may run from one of these pages to the next. Yields after each page and passage.
    """
    as_read, as_drawn = _Letters(), _Letters()
    for page in pages:
        as_read.add(page, _order(page))
        as_drawn.add(page, range(len(page.items)))
        yield
    found: list[tuple[ItemSpan, ...]] = []
    for passage in sought:
        wanted, before, after = map(_letters, (passage.quote, passage.before, passage.after))
        letters, places = as_read, _whole(as_read.text, wanted, before, after)
        if not places:
            letters, places = as_drawn, _whole(as_drawn.text, wanted, before, after)
        if not places:
            letters, places = as_read, _in_pieces(as_read.text, wanted)
        spans = [span for start, end in places for span in letters.spans(start, end)]
        found.append(tuple(_with_signs(spans, passage.quote, pages)))
        yield
    return found


def _order(page: PdfPage) -> list[int]:
    """The items of a page as a person reads them; those that are not read are left out."""
    flows = reading_order(read_page(page).segments)
    return [item for flow in flows for segment in flow for item in segment.items]


def _whole(text: str, wanted: str, before: str, after: str) -> list[Span]:
    """The place that shows everything at once, [] without one."""
    best, best_agreement = -1, -1
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        agreement = _n_common(reversed(text[max(0, at - len(before)) : at]), reversed(before))
        agreement += _n_common(text[end : end + len(after)], after)
        if agreement > best_agreement:
            best, best_agreement = at, agreement
        at = text.find(wanted, at + 1)
    return [(best, best + len(wanted))] if best >= 0 else []


def _with_signs(spans: Sequence[ItemSpan], quote: str, pages: Sequence[PdfPage]) -> list[ItemSpan]:
    """The spans with the signs around their letters: those of the quote, and those at an item's ends."""
    items = {page.number: page.items for page in pages}
    n_first, n_last = _n_signs(quote), _n_signs(quote[::-1])
    extended = []
    for number, span in enumerate(spans):
        text = items[span.page][span.item].text
        before, after = text[: span.start][::-1], text[span.end :]
        n_before, n_after = _n_signs(before), _n_signs(after)
        is_first, is_last = number == 0, number == len(spans) - 1
        start = min(n_before, n_first) if is_first else n_before if n_before == len(before) else 0
        end = min(n_after, n_last) if is_last else n_after if n_after == len(after) else 0
        extended.append(ItemSpan(span.page, span.item, span.start - start, span.end + end))
    return extended


def _n_signs(text: str) -> int:
    """How many characters a text begins with that are no letters."""
    return next((place for place, char in enumerate(text) if _letters_of(char)), len(text))


def _n_common(one: Iterable[str], other: Iterable[str]) -> int:
    """Letters in which two texts agree from their beginning."""
    n = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        n += 1
    return n


def _in_pieces(text: str, wanted: str) -> list[Span]:
    """The pieces that show everything, in the order of the passage, [] when one of them is missing."""
    pieces: list[Span] = []
    done = end = 0
    low, high = 0, len(text)
    while done < len(wanted):
        rest = wanted[done:]
        n = _longest_prefix(text, rest, low, high)
        n_least = min(len(rest), MIN_PIECE_LETTERS if pieces else MIN_FIRST_LETTERS)
        if n < n_least or len(pieces) == MAX_PIECES:
            return []
        at = text.find(rest[:n], end, high)
        if at < 0:
            at = text.rfind(rest[:n], low, high)
        done, end = done + n, at + n
        pieces.append((at, end))
        low, high = max(0, at - NEAR_LETTERS), min(len(text), end + NEAR_LETTERS)
    return pieces


def _longest_prefix(text: str, wanted: str, low: int, high: int) -> int:
    """How many letters of `wanted`, from its first, stand together in text[low:high]."""
    there, missing = 0, len(wanted) + 1
    while missing - there > 1:
        n = (there + missing) // 2
        if text.find(wanted[:n], low, high) >= 0:
            there = n
        else:
            missing = n
    return there


def _letters(text: str) -> str:
    return "".join(map(_letters_of, text))


@lru_cache(maxsize=4096)
def _letters_of(char: str) -> str:
    """The letters and digits of a character in their plainest form: "ﬁ" → "fi", "É" → "e", "," → ""."""
    plain = unicodedata.normalize("NFKD", clean(char)[0]).casefold()
    return "".join(letter for letter in plain if letter.isalnum())
