"""One count of citations for a whole run: every passage that a model was given has a number, for good.

Tools and helpers share it, so that what a helper cites can be cited by whoever sent for it.
"""

from dataclasses import dataclass

from tabwise.core.model import ChunkId, SourceId


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a page that a model was given: `page.text[start:end]`; numbers begin at 1."""

    number: int
    source: SourceId
    chunk_id: ChunkId
    start: int
    end: int


class Passages:
    """The passages given so far, by number."""

    def __init__(self) -> None:
        self._passages: list[Passage] = []
        self._numbers: dict[tuple[SourceId, int, int], int] = {}

    def number(self, source: SourceId, chunk_id: ChunkId, start: int, end: int) -> int:
        """Return the number of a span, a new one when it was not given before."""
        number = self._numbers.setdefault((source, start, end), len(self._passages) + 1)
        if number > len(self._passages):
            self._passages.append(Passage(number, source, chunk_id, start, end))
        return number

    def get(self, number: int) -> Passage | None:
        """Return the passage of a number, None for a number that was never given."""
        return self._passages[number - 1] if 1 <= number <= len(self._passages) else None

    def all(self) -> tuple[Passage, ...]:
        """Every passage in the order it was first given."""
        return tuple(self._passages)
