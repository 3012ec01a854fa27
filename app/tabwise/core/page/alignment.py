"""Where the blocks of a page stand in a text that was extracted from it, and lost pieces on the way.

Blocks of `ANCHOR_CHARS` letters or more are anchors: the text contains them, or most of their word 4-grams
that no other block has used. Of several blocks with the same text (a teaser, a heading, a link in a side
bar) the one among the other anchors counts. Shorter blocks count only where the text has them between the
anchors around them: "Share" in a menu is not found because an article shares something.

Letters are compared without case, white space and punctuation. Time is linear in blocks and text: anchors
are looked up by pieces of `PIECE_CHARS` letters taken at every such step of the text, one of which lies
inside any anchor; short blocks are looked for in `MAX_GAP_CHARS` letters.
"""

import re
from collections import Counter
from collections.abc import Sequence

ANCHOR_CHARS = 40
MIN_GRAM_SHARE = 0.8
PIECE_CHARS = ANCHOR_CHARS // 2
MAX_GAP_CHARS = 20_000

_GRAM_WORDS = 4
_MAX_PLACES = 50
_NEIGHBOURS = 3
_NOT_LETTERS = re.compile(r"[\W_]+")
_WORD = re.compile(r"\w+")

Span = tuple[int, int]
_Gram = tuple[str, ...]


def place_blocks(texts: Sequence[str], main_text: str) -> list[Span | None]:
    """Return the span of every block in the letters of the main text, None where it has none."""
    main = _letters(main_text)
    letters = [_letters(text) for text in texts]
    spans = _find_anchors(letters, main)
    _drop_repeats(spans)
    _find_changed_blocks(texts, letters, spans, main_text)
    _find_short_blocks(letters, spans, main)
    return spans


def _find_anchors(letters: Sequence[str], main: str) -> list[Span | None]:
    pieces: dict[str, list[int]] = {}
    for at in range(0, len(main) - PIECE_CHARS + 1, PIECE_CHARS):
        pieces.setdefault(main[at : at + PIECE_CHARS], []).append(at)
    spans: list[Span | None] = [None] * len(letters)
    cursor = 0
    for index, block in enumerate(letters):
        if len(block) < ANCHOR_CHARS:
            continue
        places = [at for at in _places(block, pieces) if main.startswith(block, at)]
        if places:
            at = next((at for at in places if at >= cursor), places[0])
            cursor = at + len(block)
            spans[index] = (at, cursor)
    return spans


def _places(block: str, pieces: dict[str, list[int]]) -> list[int]:
    """Where the block may stand, in order; of very many places the first."""
    places = {
        at - shift
        for shift in range(PIECE_CHARS)
        for at in pieces.get(block[shift : shift + PIECE_CHARS], ())[:_MAX_PLACES]
        if at >= shift
    }
    return sorted(places)


def _find_changed_blocks(
    texts: Sequence[str], letters: Sequence[str], spans: list[Span | None], main_text: str
) -> None:
    """Place long blocks that the main text has with other words in between, behind the block before them."""
    grams_left = Counter(_grams(main_text))
    for text, span in zip(texts, spans, strict=True):
        if span is not None:
            grams_left.subtract(_grams(text))
    end = 0
    for index, block in enumerate(letters):
        span = spans[index]
        if span is not None:
            end = span[1]
        elif len(block) >= ANCHOR_CHARS:
            grams = Counter(_grams(texts[index]))
            if _share_of(grams, grams_left) >= MIN_GRAM_SHARE:
                spans[index] = (end, end)
                grams_left.subtract(grams)


def _drop_repeats(spans: list[Span | None]) -> None:
    """Of blocks at one place keep the one with the nearest neighbours; the last of equals."""
    indices: dict[Span, list[int]] = {}
    for index, span in enumerate(spans):
        if span is not None:
            indices.setdefault(span, []).append(index)
    for span, repeats in indices.items():
        if len(repeats) > 1:
            best = max(repeats, key=lambda index: (_nearness(spans, index), index))
            for index in repeats:
                spans[index] = span if index == best else None


def _nearness(spans: Sequence[Span | None], index: int) -> float:
    """How near other blocks with a place are: the sum of 1/distance."""
    low, high = max(0, index - _NEIGHBOURS), min(len(spans), index + _NEIGHBOURS + 1)
    others = (at for at in range(low, high) if spans[at] is not None and spans[at] != spans[index])
    return sum(1 / abs(at - index) for at in others)


def _find_short_blocks(letters: Sequence[str], spans: list[Span | None], main: str) -> None:
    """Place the short blocks in what lies between the anchors around them.

    Before the first anchor the search runs backwards: a menu has the words of the title, too.
    """
    first = next((index for index, span in enumerate(spans) if span is not None), 0)
    anchor = spans[first] if spans else None
    high = 0 if anchor is None else anchor[0]
    for index in range(first - 1, -1, -1):
        if 0 < len(letters[index]) < ANCHOR_CHARS:
            at = main.rfind(letters[index], max(0, high - MAX_GAP_CHARS), high)
            if at >= 0:
                spans[index] = (at, at + len(letters[index]))
                high = at
    low = 0
    limits = _next_starts(spans, len(main))
    for index in range(first, len(letters)):
        span, block = spans[index], letters[index]
        if span is not None:
            low = span[1]
        elif 0 < len(block) < ANCHOR_CHARS:
            at = main.find(block, low, min(limits[index], low + MAX_GAP_CHARS))
            if at >= 0:
                low = at + len(block)
                spans[index] = (at, low)


def _next_starts(spans: Sequence[Span | None], default: int) -> list[int]:
    """For every block where the next placed block behind it starts in the main text."""
    starts = []
    start = default
    for span in reversed(spans):
        starts.append(start)
        start = start if span is None else span[0]
    return starts[::-1]


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


def _grams(text: str) -> list[_Gram]:
    words = _WORD.findall(text.casefold())
    return list(zip(*(words[shift:] for shift in range(_GRAM_WORDS)), strict=False))


def _share_of(grams: Counter[_Gram], others: Counter[_Gram]) -> float:
    n_common = sum(min(count, max(0, others[gram])) for gram, count in grams.items())
    return n_common / grams.total() if grams else 0.0
