"""Cranfield (1,400 abstracts, 225 queries) and MED (1,033, 30), the Glasgow test collections.

SMART format: `.I` begins a record, `.T` `.A` `.B` `.W` its fields. Cranfield's queries are numbered by
their order, not by `.I`; its grades run from 1 (a complete answer) to 4 (of some interest), counted alike.
"""

import re
from pathlib import Path

from tabwise.eval.collection import Collection, Document

_MARK = re.compile(r"^\.([A-Z])(?:\s+(\S+))?\s*$")


def load_cranfield(data_dir: Path) -> Collection:
    """Load `data_dir` (cran.all.1400, cran.qry, cranqrel). Raises FileNotFoundError."""
    documents = []
    for record in _records(data_dir / "cran.all.1400"):
        title, text = record.get("T", ""), record.get("W", "")
        documents.append(Document(record["I"], title, text.removeprefix(title).strip()))
    queries = {str(i): row["W"] for i, row in enumerate(_records(data_dir / "cran.qry"), start=1)}
    rows = [line.split() for line in _lines(data_dir / "cranqrel")]
    judged = [(row[0], row[1]) for row in rows if len(row) > 2 and row[2] in ("1", "2", "3", "4")]
    return _collection(documents, queries, judged)


def load_med(data_dir: Path) -> Collection:
    """Load `data_dir` (MED.ALL, MED.QRY, MED.REL). Raises FileNotFoundError."""
    documents = [
        Document(record["I"], record.get("T", ""), record.get("W", ""))
        for record in _records(data_dir / "MED.ALL")
    ]
    queries = {record["I"]: record["W"] for record in _records(data_dir / "MED.QRY")}
    rows = [line.split() for line in _lines(data_dir / "MED.REL")]
    return _collection(documents, queries, [(row[0], row[2]) for row in rows if len(row) > 2])


def _collection(
    documents: list[Document], queries: dict[str, str], judged: list[tuple[str, str]]
) -> Collection:
    known = {document.id for document in documents}
    relevance: dict[str, dict[str, int]] = {}
    for query, document in judged:
        if query in queries and document in known:
            relevance.setdefault(query, {})[document] = 1
    kept = {query: text for query, text in queries.items() if query in relevance}
    return Collection(tuple(documents), kept, relevance)


def _records(path: Path) -> list[dict[str, str]]:
    records: list[dict[str, str]] = []
    field = ""
    for line in _lines(path):
        mark = _MARK.match(line)
        if mark and mark[1] == "I":
            records.append({"I": mark[2]})
            field = ""
        elif mark:
            field = mark[1]
        elif field:
            records[-1][field] = f"{records[-1].get(field, '')} {line}".strip()
    return [{field: " ".join(text.split()) for field, text in record.items()} for record in records]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="latin-1").splitlines()
