"""Which words of a passage bear a sentence out: the smallest span of it that does, and the verdict.

A passage is cut into its units (sentences, items, rows). The units that share most with the sentence are
judged alone; one that supports it is the citation. One that contradicts it decides too: no wider span is
searched for a kinder verdict, a passage that says "16 metres" in one place does not support "61 metres" from
another. Otherwise spans of two and three neighbours around the best unit are judged, for sentences that bring
together what the page says in two. What supports nothing is cited by its best unit. Of a passage in another
language more units are tried, as shared words do not lead to the right one.

Each judgement takes a millisecond or two, so the search yields between them.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from tabwise.core.model import BlockKind, Judgement, Page, SourceId, Verdict
from tabwise.core.page.sections import Unit, units_of
from tabwise.core.text.language import is_other_language, language_of
from tabwise.core.text.terms import terms
from tabwise.core.verdicts.verify import judge

N_UNITS, N_FOREIGN_UNITS = 4, 16
MAX_WINDOW_UNITS = 3
LANGUAGE_CHARS = 300
VERDICT_ORDER = (
    Verdict.SUPPORTED,
    Verdict.PARTLY,
    Verdict.CONTRADICTED,
    Verdict.NOT_FOUND,
    Verdict.UNCITED,
)


@dataclass(frozen=True, slots=True)
class Support:
    """A span of a page, `page.text[start:end]`, and how it bears a sentence out."""

    source: SourceId
    start: int
    end: int
    judgement: Judgement

    @property
    def rank(self) -> int:
        """Smaller is better: supported, partly, contradicted, not found."""
        return VERDICT_ORDER.index(self.judgement.verdict)


def find_support(sentence: str, page: Page, start: int, end: int) -> Generator[None, None, Support | None]:
    """Search `page.text[start:end]` for the span that bears a sentence out; None when it has no units."""
    units = _units(page, start, end)
    if not units:
        return None
    wanted = frozenset(terms(sentence, page.language))
    shared = [_shared(wanted, page.text[unit.start : unit.end], page.language) for unit in units]
    is_foreign = is_other_language(sentence, language_of(page.text[start:end][:LANGUAGE_CHARS]))
    n_tried = N_FOREIGN_UNITS if is_foreign else N_UNITS
    best_first = sorted(range(len(units)), key=lambda i: (-shared[i], i))[:n_tried]
    found: list[Support] = []
    for i in best_first:
        found.append(_judged(sentence, page, units[i].start, units[i].end))
        yield
        verdict = found[-1].judgement.verdict
        if verdict is Verdict.SUPPORTED or (verdict is Verdict.CONTRADICTED and i == best_first[0]):
            return found[-1]
    for first, last in _windows(best_first[0], len(units)):
        found.append(_judged(sentence, page, units[first].start, units[last].end))
        yield
        if found[-1].judgement.verdict is Verdict.SUPPORTED:
            return found[-1]
    return min(found, key=lambda support: support.rank)  # the first of equals: the smallest


def _units(page: Page, start: int, end: int) -> list[Unit]:
    blocks = [block for block in page.blocks if block.start < end and start < block.end]
    return [
        unit
        for unit in units_of(page.text, blocks)
        if unit.start < end and start < unit.end and unit.kind is not BlockKind.HEADING
    ]


def _shared(wanted: frozenset[str], text: str, language: str) -> float:
    """Terms of the sentence that a unit has, a little less for what else it has."""
    own = frozenset(terms(text, language))
    return len(wanted & own) - 0.01 * len(own - wanted)


def _windows(best: int, n_units: int) -> Sequence[tuple[int, int]]:
    """The spans of neighbours with `best` among them, smaller ones first."""
    return [
        (first, first + size - 1)
        for size in range(2, MAX_WINDOW_UNITS + 1)
        for first in range(best, best - size, -1)
        if first >= 0 and first + size <= n_units
    ]


def _judged(sentence: str, page: Page, start: int, end: int) -> Support:
    return Support(page.source, start, end, judge(sentence, [page.text[start:end]]))
