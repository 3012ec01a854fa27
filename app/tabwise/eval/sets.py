"""The sets `tabwise eval` knows, by name, and where each lies below the data folder.

Development sets chose the constants of the product; the others are only read with settings that are
already fixed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tabwise.eval.classic import load_cranfield, load_med
from tabwise.eval.collection import Collection
from tabwise.eval.docs_sections import load_docs_sections
from tabwise.eval.scifact import load_scifact
from tabwise.eval.xquad import xquad_paragraphs


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """A collection that can be loaded; `folder` is below the data folder."""

    folder: str
    load: Callable[[Path], Collection]
    is_development: bool


def _xquad(language: str) -> RetrievalSet:
    def load(folder: Path) -> Collection:
        return xquad_paragraphs(folder / f"xquad.{language}.json", language=language)

    return RetrievalSet("xquad", load, is_development=False)


RETRIEVAL_SETS: Mapping[str, RetrievalSet] = {
    "scifact-1000": RetrievalSet(
        "scifact", lambda path: load_scifact(path, n_documents=1_000), is_development=False
    ),
    "scifact": RetrievalSet("scifact", load_scifact, is_development=False),
    "scifact-train-1000": RetrievalSet(
        "scifact", lambda path: load_scifact(path, split="train", n_documents=1_000), is_development=True
    ),
    "docs-sections": RetrievalSet("docs_sections", load_docs_sections, is_development=True),
    "cranfield": RetrievalSet("classic/cran", load_cranfield, is_development=True),
    "med": RetrievalSet("classic/med", load_med, is_development=True),
    "xquad-en": _xquad("en"),
    "xquad-ru": _xquad("ru"),
    "xquad-zh": _xquad("zh"),
}
LONG_DOCUMENTS = "long-documents"
