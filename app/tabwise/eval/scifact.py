"""SciFact (Wadden et al., 2020) as BEIR ships it: 5,183 abstracts, claims as queries, judged relevance.

SciFact-1000 is the subset in-browser systems publish numbers on: every judged document of the test
queries, filled up to 1,000 with others drawn by a fixed shuffle (mulberry32, seed 42, over the ids sorted
as strings), so that runs elsewhere see the same documents.
"""

from collections.abc import Callable
from pathlib import Path

from tabwise.eval.collection import Collection, Document, json_lines

SHUFFLE_SEED = 42


def load_scifact(data_dir: Path, *, split: str = "test", n_documents: int | None = None) -> Collection:
    """Load the collection from `data_dir` (corpus.jsonl, queries.jsonl, qrels/<split>.tsv).

    `n_documents` keeps the judged documents of the split and fills up to that number; None keeps all.
    Queries are those with a relevant document, by number. Raises FileNotFoundError.
    """
    corpus = {row["_id"]: row for row in json_lines(data_dir / "corpus.jsonl")}
    texts = {row["_id"]: row["text"] for row in json_lines(data_dir / "queries.jsonl")}
    relevance: dict[str, dict[str, int]] = {}
    for query, document, grade in _judgements(data_dir / "qrels" / f"{split}.tsv"):
        if grade > 0 and document in corpus and query in texts:
            relevance.setdefault(query, {})[document] = grade
    queries = {query: texts[query] for query in sorted(relevance, key=int)}
    ids = list(corpus)
    if n_documents is not None:
        judged = list(dict.fromkeys(document for query in queries for document in relevance[query]))
        rest = _shuffled(sorted(set(corpus) - set(judged)), SHUFFLE_SEED)
        ids = judged + rest[: max(0, n_documents - len(judged))]
    documents = tuple(Document(id_, corpus[id_]["title"], corpus[id_]["text"]) for id_ in ids)
    return Collection(documents, queries, relevance)


def mulberry32(seed: int) -> Callable[[], float]:
    """Return the generator of that name (Tommy Ettinger): numbers in [0, 1), a 32-bit state."""
    state = seed & 0xFFFFFFFF

    def next_number() -> float:
        nonlocal state
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = ((state ^ (state >> 15)) * (1 | state)) & 0xFFFFFFFF
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (61 | mixed))) & 0xFFFFFFFF
        return ((mixed ^ (mixed >> 14)) & 0xFFFFFFFF) / 4294967296

    return next_number


def _shuffled(ids: list[str], seed: int) -> list[str]:
    """Fisher–Yates from the end, as the published subset was drawn."""
    shuffled = list(ids)
    draw = mulberry32(seed)
    for i in range(len(shuffled) - 1, 0, -1):
        j = int(draw() * (i + 1))
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


def _judgements(path: Path) -> list[tuple[str, str, int]]:
    """Read both forms in circulation: `query document grade` with a header, `query 0 document grade`."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row[0], row[-2], int(row[-1])) for row in rows if row and row[0] != "query-id"]
