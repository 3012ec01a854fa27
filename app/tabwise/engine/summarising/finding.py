"""Pages that find as you type knows by their summary alone: behind those found by words, before those near in
meaning.
"""

from collections.abc import Sequence

from tabwise.core.model import Chunk, SourceId
from tabwise.core.search.find import FoundPage
from tabwise.core.summaries.summary_find import best_sentence
from tabwise.engine.library import Library
from tabwise.engine.summarising.queue import SummaryQueue


def with_summaries(
    found: Sequence[FoundPage], text: str, *, summaries: SummaryQueue, library: Library, k: int
) -> Sequence[FoundPage]:
    """Return at most `k` of what was found with the pages whose summary has every word of the text."""
    by_words = [match for match in found if not match.by_meaning]
    known = {match.source for match in by_words}
    by_summary = [
        FoundPage(source, 0.0, False, _chunk_at(library, source, best_sentence(text, summary).start))
        for source, summary in summaries.find(text)
        if source not in known
    ][: max(k - len(by_words), 0)]
    known |= {match.source for match in by_summary}
    by_meaning = [match for match in found if match.by_meaning and match.source not in known]
    return [*by_words, *by_summary, *by_meaning][:k]


def _chunk_at(library: Library, source: SourceId, position: int) -> Chunk | None:
    """The chunk that holds a position of the page's text."""
    chunks = library.index.chunks(source)
    return next((chunk for chunk in chunks if chunk.start <= position < chunk.end), None)
