"""Searching a library: passages for a question, pages for a text that is being typed.

Words alone are enough: while the embedder is away or slow, the search is lexical and the result says so.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.model import FloatMatrix, FusionMode, Hit
from tabwise.core.search.find import FoundPage
from tabwise.core.text.characters import repair_surrogates
from tabwise.engine.library import Library
from tabwise.engine.passages import LOCAL, OpenMirror, PassageFinder, no_mirror
from tabwise.engine.scoping import EVERYTHING, Scope
from tabwise.errors import InputError, ModelError
from tabwise.ports import Clock, Embedder

MAX_QUESTION_CHARS = 10_000
EMBED_PATIENCE_S = 4.0
"""How long a question waits for the embedder before it goes on with words alone."""
MAX_FIND_CHARS = 500
MIN_MEANING_CHARS = 4
"""A shorter text has no meaning to go by."""
N_HITS = 8
N_CANDIDATES = 12
MAX_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits best first; `semantic` tells whether vectors took part; `store` and `why_local`: see `passages`.

    `query_vector` is also there for a question in letters the model cannot read: it is of no use among all
    chunks, but helps to choose among the sentences of those that words found (XQuAD Russian 87 instead of
    86 %, Chinese 88 instead of 84 % of the answers).
    """

    hits: tuple[Hit, ...]
    semantic: bool
    query_vector: npt.NDArray[np.float32] | None
    store: str = LOCAL
    why_local: str = ""


class Asker:
    """Searches a library."""

    def __init__(
        self, library: Library, *, embedder: Embedder, clock: Clock, mirror: OpenMirror = no_mirror
    ) -> None:
        """`mirror` gives the vector store to search in the place of the index, None for none."""
        self._library = library
        self._embedder = embedder
        self._finder = PassageFinder(library, clock=clock, mirror=mirror)

    async def search(
        self,
        query: str,
        *,
        scope: Scope = EVERYTHING,
        k: int,
        mode: FusionMode = FusionMode.CONVEX,
    ) -> SearchResult:
        """Rank chunks of the pages in scope for a query.

        Raises InputError: question_empty, question_too_long, library_empty.
        """
        question = self.checked(query)
        index, vector = self._library.index, None
        if mode is not FusionMode.LEXICAL and index.n_vectors:
            rows = await self._in_time([self._embedder.descriptor.query_prefix + question])
            vector = rows[0] if rows is not None else None
        found = await self._finder.search(question, vector, scope=scope, mode=mode, k=k)
        is_semantic = vector is not None and index.reads(question)
        return SearchResult(found.hits, is_semantic, vector, found.store, found.why_local)

    async def find(
        self, text: str, *, k: int, on_words: Callable[[Sequence[FoundPage]], None]
    ) -> Sequence[FoundPage]:
        """Find pages for a text that is being typed.

        Those found by words are handed over at once; the result has those near in meaning behind them, when
        the model answers in time. An empty text finds nothing.
        """
        index, wanted = self._library.index, text.strip()[:MAX_FIND_CHARS]
        found = index.find_pages(text[:MAX_FIND_CHARS], k=k)
        on_words(found)
        if len(wanted) < MIN_MEANING_CHARS or not index.n_vectors or not index.reads(wanted):
            return found
        rows = await self._in_time([self._embedder.descriptor.query_prefix + wanted])
        return index.find_pages(text[:MAX_FIND_CHARS], rows[0], k=k) if rows is not None else found

    def checked(self, question: str) -> str:
        """Return a question without white space around it and halves of characters in it.

        Raises InputError: question_empty, question_too_long, library_empty.
        """
        question = repair_surrogates(question).strip()
        if not question:
            raise InputError("question_empty")
        if len(question) > MAX_QUESTION_CHARS:
            raise InputError("question_too_long", f"{len(question)} characters")
        if not self._library.index.n_chunks:
            raise InputError("library_empty")
        return question

    async def embed_passages(self, texts: Sequence[str]) -> FloatMatrix | None:
        """Return the vectors of some texts of pages, None when the model is away or takes too long."""
        return await self._in_time([self._embedder.descriptor.passage(text) for text in texts])

    async def _in_time(self, texts: Sequence[str]) -> FloatMatrix | None:
        try:
            return await asyncio.wait_for(self._embedder.embed(texts), EMBED_PATIENCE_S)
        except (TimeoutError, ModelError):
            return None
