"""Documentation sections (anthropics/anthropic-cookbook, MIT): 232 sections, 100 questions.

The questions were written by a language model from the sections, so they share words with the text, which
favours lexical search. Most have two right sections.
"""

import json
from pathlib import Path

from tabwise.eval.collection import Collection, Document


def load_docs_sections(data_dir: Path) -> Collection:
    """Load sections by their address and questions by id. Raises FileNotFoundError."""
    sections = json.loads((data_dir / "anthropic_docs.json").read_text(encoding="utf-8"))
    questions = json.loads((data_dir / "docs_evaluation_dataset.json").read_text(encoding="utf-8"))
    return Collection(
        documents=tuple(
            Document(row["chunk_link"], _one_line(row["chunk_heading"]), _one_line(row["text"]))
            for row in sections
        ),
        queries={row["id"]: row["question"] for row in questions},
        relevance={row["id"]: dict.fromkeys(row["correct_chunks"], 1) for row in questions},
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
