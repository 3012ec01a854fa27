"""Small units are searched, larger ones are read: what goes to a reader within a budget of words.

First the chunks of the hits, best first, unit by unit (a sentence, a list item, a row). Overlaps are given
once, so a second hit beside the first costs only what it adds. The unit that does not fit ends the filling:
nothing weaker takes the place of something better. When words are left after the last hit, the passages
grow, best first, by the units around them, up to `CONTEXT_WORDS` on each side and never past a section.

Growing before all hits are in costs more than it brings: on long documents the share of the reference
characters within 450 words fell from 0.84 to 0.79 with 40 words of context on each side.

Passages come in the order of their best hit; those of one page that touch are one passage.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tabwise.core.model import BlockKind, Chunk, Hit, Page, SourceId
from tabwise.core.page.sections import Unit, units_of

CONTEXT_WORDS = 120
"""Words of its section that a passage may grow by on each side, about a chunk."""

Place = tuple[int, int]
"""A unit: number of its block, number in the block."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage to read: `page.text[start:end]`; `hit` is the position, from 0, of its best hit."""

    source: SourceId
    start: int
    end: int
    hit: int


def gather(hits: Sequence[Hit], pages: Mapping[SourceId, Page], *, max_words: int) -> tuple[Evidence, ...]:
    """Return passages of at most `max_words` words in all, see the module.

    `hits` best first; `pages` holds the page of every hit. Words are counted as for chunks.
    """
    readings: dict[SourceId, _Reading] = {}
    left = float(max_words)
    for grow in (False, True):
        for number, hit in enumerate(hits):
            reading = readings.setdefault(hit.chunk.source, _Reading(pages[hit.chunk.source]))
            places = reading.around(hit.chunk) if grow else reading.inside(hit.chunk)
            left = reading.take(places, number, left)
            if left <= 0.0:
                break
    passages = [passage for reading in readings.values() for passage in reading.passages()]
    return tuple(sorted(passages, key=lambda passage: passage.hit))


class _Reading:
    """What is taken of one page: units, each with the hit it was taken for.

    Only the blocks around hits are cut into units: a page may be a book.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._units: dict[int, list[Unit]] = {}
        self._hits: dict[Place, int] = {}

    def inside(self, chunk: Chunk) -> list[Place]:
        """The units a chunk covers or cuts."""
        blocks = self._page.blocks
        first = bisect_right(blocks, chunk.start, key=lambda block: block.end)
        last = bisect_left(blocks, chunk.end, key=lambda block: block.start)
        return [
            (block, number)
            for block in range(first, last)
            for number, unit in enumerate(self._of_block(block))
            if unit.start < chunk.end and chunk.start < unit.end
        ]

    def around(self, chunk: Chunk) -> Iterator[Place]:
        """The units after a chunk, then those before it, nearest first."""
        own = self.inside(chunk)
        for step, place in ((1, own[-1]), (-1, own[0])) if own else ():
            room = float(CONTEXT_WORDS)
            while (nearby := self._next(place, step)) is not None:
                place = nearby
                room -= self._unit(place).n_words
                if room < 0.0:
                    break
                yield place

    def take(self, places: Iterable[Place], hit: int, left: float) -> float:
        """Take units for a hit; return the words left, 0 when they ran out."""
        for place in places:
            if place in self._hits:
                continue
            n_words = self._unit(place).n_words
            if n_words > left:
                return 0.0
            self._hits[place] = hit
            left -= n_words
        return left

    def _next(self, place: Place, step: int) -> Place | None:
        """The unit beside one, None at the ends of its section: a heading begins the section it is in."""
        block, number = place
        if 0 <= number + step < len(self._of_block(block)):
            return block, number + step
        blocks = self._page.blocks
        border = block if step < 0 else block + 1
        if not 0 <= block + step < len(blocks) or blocks[border].kind is BlockKind.HEADING:
            return None
        n_units = len(self._of_block(block + step))
        return (block + step, 0 if step > 0 else n_units - 1) if n_units else None

    def _unit(self, place: Place) -> Unit:
        return self._of_block(place[0])[place[1]]

    def _of_block(self, block: int) -> list[Unit]:
        if block not in self._units:
            self._units[block] = list(units_of(self._page.text, [self._page.blocks[block]]))
        return self._units[block]

    def passages(self) -> Iterator[Evidence]:
        """The taken units, neighbours as one passage."""
        run: list[Place] = []
        for place in sorted(self._hits):
            if run and not self._touch(run[-1], place):
                yield self._passage(run)
                run = []
            run.append(place)
        if run:
            yield self._passage(run)

    def _touch(self, a: Place, b: Place) -> bool:
        if a[0] == b[0]:
            return a[1] + 1 == b[1]
        return a[0] + 1 == b[0] and b[1] == 0 and a[1] + 1 == len(self._of_block(a[0]))

    def _passage(self, run: list[Place]) -> Evidence:
        start = self._unit(run[0]).start
        end = self._unit(run[-1]).end
        return Evidence(self._page.source, start, end, min(self._hits[place] for place in run))
