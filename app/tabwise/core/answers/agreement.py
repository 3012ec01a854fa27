"""A comparison as a table: topics by pages, each cell the sentence of that page that says most of the topic.

A cell is filled by the same measure as an extractive answer (`extract.compose`), page by page, so a page that
says nothing good enough of a topic leaves its cell empty: that the pages differ, or are silent, is what the
table is for. Pages come by the number of cells they fill, then by their best score, at most MAX_SOURCES.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.answers.extract import Candidate, compose
from tabwise.core.model import SourceId

MAX_SOURCES = 6


@dataclass(frozen=True, slots=True)
class TopicRow:
    """The candidates of one topic by page; a page without a cell is not in it."""

    topic: str
    cells: Mapping[SourceId, Candidate]


def tabulate(
    topics: Sequence[str],
    queries: Sequence[str],
    found: Sequence[Sequence[Candidate]],
    similarities: Sequence[npt.NDArray[np.float32] | None],
) -> tuple[tuple[SourceId, ...], tuple[TopicRow, ...]]:
    """Return the pages, most telling first, and a row for each topic.

    queries, found, similarities: one for each topic; similarities (n,) to the topic's query, or None.
    """
    rows = []
    for topic, query, candidates, cosines in zip(topics, queries, found, similarities, strict=True):
        by_source: dict[SourceId, list[int]] = {}
        for i, candidate in enumerate(candidates):
            by_source.setdefault(candidate.source, []).append(i)
        cells = {}
        for source, own in by_source.items():
            best = compose(
                query,
                [candidates[i] for i in own],
                cosines[own] if cosines is not None else None,
                max_sentences=1,
            )
            if best:
                cells[source] = best[0]
        rows.append(TopicRow(topic, cells))
    sources = {source: None for row in rows for source in row.cells}
    ranked = sorted(sources, key=lambda source: _rank(source, rows))
    return tuple(ranked[:MAX_SOURCES]), tuple(rows)


def _rank(source: SourceId, rows: Sequence[TopicRow]) -> tuple[int, float, SourceId]:
    cells = [row.cells[source] for row in rows if source in row.cells]
    return -len(cells), -max(cell.lexical for cell in cells), source
