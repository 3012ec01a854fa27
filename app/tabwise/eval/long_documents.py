"""Long documents with exact references (chunking_evaluation, MIT): 5 texts, 236 questions.

Every question has reference spans in one text. What counts is how much of them lies within the passages
that fit a budget of words: a reader, human or model, sees no more. All five texts are one library.
"""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwise.core.answers.evidence import gather
from tabwise.core.model import Block, BlockKind, FusionMode, Hit, Page, SourceId
from tabwise.core.search.index import SearchIndex
from tabwise.eval.collection import plain_page
from tabwise.eval.embedding_cache import Embed
from tabwise.eval.indexing import CountTokens, index_pages

BUDGETS = (450, 900, 1_800)
"""Words a reader gets to see."""

_N_HITS = 40
_PARAGRAPH = re.compile(r"\S[^\n]*")


@dataclass(frozen=True, slots=True)
class ReferencedQuestion:
    """A question and the spans, code points of the page text, that answer it."""

    text: str
    source: SourceId
    references: tuple[tuple[int, int], ...]


def load_long_documents(data_dir: Path) -> tuple[list[Page], list[ReferencedQuestion]]:
    """Return the texts as pages and the questions in order. Raises FileNotFoundError."""
    pages = [_page(path) for path in sorted((data_dir / "corpora").glob("*.md"))]
    with (data_dir / "questions_df.csv").open(encoding="utf-8", newline="") as rows:
        questions = [
            ReferencedQuestion(
                row["question"],
                SourceId(row["corpus_id"]),
                tuple((span["start_index"], span["end_index"]) for span in json.loads(row["references"])),
            )
            for row in csv.DictReader(rows)
        ]
    return pages, questions


def covered_share(references: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]) -> float:
    """Return the share of the references' characters that lie in one of the spans, 0–1."""
    wanted = {position for start, end in references for position in range(start, end)}
    shown = {position for start, end in spans for position in range(start, end) if position in wanted}
    return len(shown) / len(wanted)


def _page(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    blocks = tuple(
        Block(BlockKind.PARAGRAPH, match.start(), match.end()) for match in _PARAGRAPH.finditer(text)
    )
    return plain_page(path.stem, "", text, language="en", blocks=blocks)


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """Share of the reference characters inside a budget of words, 0–1, for each question in order."""

    mode: FusionMode
    n_budget_words: int
    n_chunks: int
    per_question: tuple[float, ...]


def run_long_documents(
    pages: Sequence[Page],
    questions: Sequence[ReferencedQuestion],
    *,
    count_tokens: CountTokens,
    embed: Embed | None,
) -> list[BudgetRow]:
    """Index the texts with the product's chunks; fill each budget with the evidence of each question."""
    index = index_pages(pages, count_tokens, embed)
    vectors = embed([question.text for question in questions]) if embed is not None else None
    rows = []
    for mode in FusionMode if embed is not None else [FusionMode.LEXICAL]:
        found = [
            index.search(
                question.text,
                vectors[i] if vectors is not None else None,
                mode=mode,
                k=_N_HITS,
                allow_weak=True,
            )
            for i, question in enumerate(questions)
        ]
        for budget in BUDGETS:
            shares = tuple(
                _share(question, hits, index, budget) for question, hits in zip(questions, found, strict=True)
            )
            rows.append(BudgetRow(mode, budget, index.n_chunks, shares))
    return rows


def _share(question: ReferencedQuestion, hits: Sequence[Hit], index: SearchIndex, budget: int) -> float:
    pages = {source: page for source in index.sources() if (page := index.page(source)) is not None}
    spans = [
        (passage.start, passage.end)
        for passage in gather(hits, pages, max_words=budget)
        if passage.source == question.source
    ]
    return covered_share(question.references, spans)
