"""Pages cut into the pieces that are searched.

A chunk lies inside one section (a heading with what follows it) and is made of whole units: sentences of
prose, list items, table rows, lines of code. Units are added while that brings the chunk nearer to the
target, 110 words: on three development sets 100–120 words with 20 of overlap found more than 180/30 or
60/15. The overlap is whole sentences or items; rows and code are not repeated. A unit is cut only when it
alone is over the token limit: between sentences, else words, else drawn characters.

What is embedded is more than what is cited: title, the headings above, then the text, with the column
headers written to the cells of table rows. It never has more than `max_tokens` tokens as `count_tokens`
counts them, which is asked once a chunk; while units are collected an estimate does.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise, takewhile

from tabwise.core.model import BlockKind, Chunk, ChunkId, Page, chunk_id_prefix
from tabwise.core.page.sections import PROSE, Section, Unit, estimate_tokens, halve, sections_of, units_of
from tabwise.core.text.characters import cut_point

_MAX_PREFIX_SHARE = 0.5
_SAMPLE_CHARS = 1000
_TAIL_WORDS = 30
_TAIL_OVERSHOOT = 1.4

_REPEATABLE = PROSE | {BlockKind.ITEM}
_WORD = re.compile(r"\w+")

CountTokens = Callable[[str], int]


def chunk_page(
    page: Page,
    count_tokens: CountTokens,
    *,
    target_words: int = 110,
    overlap_words: int = 20,
    max_tokens: int = 256,
) -> tuple[Chunk, ...]:
    """Return all chunks of a page in order, see `iter_chunks`."""
    chunks = iter_chunks(
        page,
        count_tokens,
        target_words=target_words,
        overlap_words=overlap_words,
        max_tokens=max_tokens,
    )
    return tuple(chunks)


def iter_chunks(
    page: Page,
    count_tokens: CountTokens,
    *,
    target_words: int = 110,
    overlap_words: int = 20,
    max_tokens: int = 256,
) -> Iterator[Chunk]:
    """Yield the chunks of a page in order; each costs a millisecond or two.

    count_tokens: as the embedder counts, special tokens included. Every block of the page is covered.
    Raises ValueError when max_tokens leaves no room for text.
    """
    packer = _Packer(page, count_tokens, target_words, overlap_words, max_tokens)
    for section in sections_of(page):
        yield from packer.pack(section)


class _Packer:
    """Packs the units of sections into chunks of one page."""

    def __init__(
        self, page: Page, count_tokens: CountTokens, target_words: int, overlap_words: int, max_tokens: int
    ) -> None:
        self._page = page
        self._count = count_tokens
        self._target_words = target_words
        self._overlap_words = overlap_words
        self._max_tokens = max_tokens
        self._id_prefix = chunk_id_prefix(page.source)
        self._title_words = _word_line(page.title)
        self._n_chunks = 0
        self._prefixes: dict[tuple[str, ...], tuple[str, int]] = {}
        sample = page.text[:_SAMPLE_CHARS]
        self._tokens_per_estimate = _ratio(count_tokens(sample), estimate_tokens(sample))

    def pack(self, section: Section) -> Iterator[Chunk]:
        """Yield the chunks of one section."""
        units = units_of(self._page.text, section.blocks)
        window: list[Unit] = []  # units not yet in a chunk, behind `n_old` repeated ones
        n_old = 0
        is_first = True
        while True:
            is_end = not self._fill(window, units)
            if len(window) == n_old:
                return
            prefix, n_prefix_tokens = self._prefix(section.outer if is_first else section.path)
            room = (self._max_tokens - n_prefix_tokens) / self._tokens_per_estimate
            last = self._choose(window, n_old, room, is_end)
            first, last, embedding_text, n_tokens = self._fit(window, n_old, last, prefix)
            n_estimated = sum(unit.n_tokens for unit in window[first:last])
            self._tokens_per_estimate = _ratio(n_tokens - n_prefix_tokens, n_estimated)
            yield self._chunk(section, window[first:last], embedding_text, n_tokens)
            # The first unit is never repeated, so that every chunk begins later than the one before.
            n_old = _n_repeated(window[max(first + 1, n_old) : last], self._overlap_words)
            del window[: last - n_old]
            is_first = False

    def _fill(self, window: list[Unit], units: Iterator[Unit]) -> bool:
        """Take units until they are enough for a chunk and a short tail; False when there are no more."""
        n_words = sum(unit.n_words for unit in window)
        while n_words <= 2 * self._target_words + _TAIL_WORDS:
            unit = next(units, None)
            if unit is None:
                return False
            window.append(unit)
            n_words += unit.n_words
        return True

    def _choose(self, window: Sequence[Unit], n_old: int, max_estimate: float, is_end: bool) -> int:
        """Return how many units of the window go into the next chunk by estimate."""
        n_words = sum(unit.n_words for unit in window[:n_old])
        n_tokens = sum(unit.n_tokens for unit in window[:n_old])
        has_text = False
        last = n_old
        for unit in window[n_old:]:
            too_long = n_words + unit.n_words - self._target_words > self._target_words - n_words
            if has_text and (too_long or n_tokens + unit.n_tokens > max_estimate):
                break
            n_words += unit.n_words
            n_tokens += unit.n_tokens
            has_text = has_text or unit.kind is not BlockKind.HEADING
            last += 1
        rest = window[last:]
        n_rest_words = sum(unit.n_words for unit in rest)
        n_rest_tokens = sum(unit.n_tokens for unit in rest)
        is_short_tail = is_end and n_rest_words < _TAIL_WORDS
        has_room = n_words + n_rest_words <= _TAIL_OVERSHOOT * self._target_words
        if is_short_tail and has_room and n_tokens + n_rest_tokens <= max_estimate:
            return len(window)
        return last

    def _fit(self, window: list[Unit], n_old: int, last: int, prefix: str) -> tuple[int, int, str, int]:
        """Make the chosen units fit the token limit.

        Drops units from the end, then the repeated ones, then halves the one that is left (in the window, so
        that the other half comes next). Returns first, last, embedding text and its exact number of tokens.
        """
        first = 0
        while True:
            chosen = window[first:last]
            told = [unit for unit in chosen if not (prefix and self._repeats_title(unit))] or chosen
            embedding_text = (prefix and prefix + "\n") + _joinunits_of(self._page.text, told)
            n_estimated = sum(unit.n_tokens for unit in chosen)
            # Far beyond the limit the estimate is enough; it also bounds text that has few tokens, such as
            # a long unknown word.
            n_tokens = int(n_estimated)
            if n_estimated <= 2 * self._max_tokens:
                n_tokens = self._count(embedding_text)
                if n_tokens <= self._max_tokens:
                    return first, last, embedding_text, n_tokens
            n_texts = sum(unit.kind is not BlockKind.HEADING for unit in window[n_old:last])
            if n_texts > 1 or (n_texts == 0 and last - first > 1):
                last -= 1
            elif first < n_old:
                first = n_old
            elif prefix and self._count(window[last - 1].embedded) <= self._max_tokens:
                prefix = ""  # a row, an item, a sentence that fits alone stays whole
            elif (halves := halve(self._page.text, window[last - 1])) is not None:
                window[last - 1 : last] = halves
            elif last - first > 1:
                last -= 1
            else:
                raise ValueError(f"{self._max_tokens} tokens leave no room for text")

    def _prefix(self, path: tuple[str, ...]) -> tuple[str, int]:
        """Title and headings as they go before the text, at most half of the tokens; and their number."""
        if path not in self._prefixes:
            title = self._page.title
            lines = [title, *(heading for heading in path if not self._is_in_title(heading))]
            prefix = _join_prefix(lines)
            while (n_tokens := self._count(prefix)) > _MAX_PREFIX_SHARE * self._max_tokens and prefix:
                if len(lines) > 1:
                    del lines[1]  # the outermost heading tells least
                else:
                    lines[0] = title = title[: cut_point(title, 0, len(title) // 2)]
                prefix = _join_prefix(lines)
            self._prefixes[path] = (prefix, n_tokens)
        return self._prefixes[path]

    def _repeats_title(self, unit: Unit) -> bool:
        return unit.kind is BlockKind.HEADING and self._is_in_title(unit.embedded)

    def _is_in_title(self, heading: str) -> bool:
        return _word_line(heading) in self._title_words

    def _chunk(self, section: Section, units: Sequence[Unit], embedding_text: str, n_tokens: int) -> Chunk:
        start, end = units[0].start, units[-1].end
        has_text = units[-1].kind is not BlockKind.HEADING
        chunk = Chunk(
            id=ChunkId(f"{self._id_prefix}-{self._n_chunks:05d}"),
            source=self._page.source,
            ordinal=self._n_chunks,
            start=start,
            end=end,
            heading_path=section.path if has_text else section.outer,
            text=self._page.text[start:end],
            embedding_text=embedding_text,
            content_hash=hashlib.sha256(embedding_text.encode()).hexdigest(),
            n_tokens=n_tokens,
        )
        self._n_chunks += 1
        return chunk


def _joinunits_of(text: str, units: Sequence[Unit]) -> str:
    """Units as they stand on the page: those of one line on one line."""
    parts = [units[0].embedded]
    for before, unit in pairwise(units):
        gap = text[before.end : unit.start]
        parts += ["\n" if "\n" in gap else gap, unit.embedded]
    return "".join(parts)


def _word_line(text: str) -> str:
    """The words of a text between spaces, so that `in` finds whole words only."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _join_prefix(lines: Sequence[str]) -> str:
    return "\n".join(line for line in (lines[0], " > ".join(lines[1:])) if line)


def _n_repeated(units: Sequence[Unit], max_words: int) -> int:
    """How many units at the end are repeated at the start of the next chunk."""
    repeatable = takewhile(lambda unit: unit.kind in _REPEATABLE, reversed(units))
    totals = accumulate(unit.n_words for unit in repeatable)
    return sum(1 for _ in takewhile(lambda n_words: n_words <= max_words, totals))


def _ratio(n_tokens: float, n_estimated: float) -> float:
    """Real tokens for an estimated one, within bounds that keep one odd chunk from misleading the next."""
    return min(max(n_tokens / max(n_estimated, 1.0), 0.5), 3.0)
