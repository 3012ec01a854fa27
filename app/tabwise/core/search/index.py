"""The search index: pages in, hits out, both rankings and their fusion in one place.

Everything in memory is derived: it can be rebuilt from pages, chunks and vectors at any time, or put
together from the parts a library keeps (`page_part`), and answers the same whatever was added and removed on
the way. Texts are elsewhere (`shelf`); a search fetches those of its hits. A chunk is found by the terms of
its embedding text (title, heading path, words) with the terms of the title once more, and by its vector; a
chunk without a vector is found by its terms alone.

Nothing found. A search in which no chunk is near enough finds nothing (see `nearness`).

Word order. The convex combination of the best N_REORDERED chunks gets something for phrases of the query
and for its words standing close together (see `proximity`). The other modes are pure.

Scripts. An English model gives text in other letters a vector too, of noise: with it XQuAD's Russian
questions fell from nDCG@10 0.95 to 0.91. A query it cannot read is therefore answered by words alone.

Recency. When newer pages are preferred, a chunk that was found gets up to RECENCY_WEIGHT of the best score.

Diversity. Hits are picked one by one, and further chunks of a page step back (see `diversity`);
`rank_fused` is the rank before that.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tabwise.core.model import (
    Chunk,
    FusionMode,
    Hit,
    Page,
    PageHead,
    QuantizedVectors,
    SourceId,
    head_of,
)
from tabwise.core.search.bm25 import BM25Index
from tabwise.core.search.diversity import pick
from tabwise.core.search.find import FoundPage, PageFinder
from tabwise.core.search.fusion import fuse, ranks_at, top_k
from tabwise.core.search.kernel import NumpyKernel, SearchKernel
from tabwise.core.search.nearness import Matched, is_any_near, words_of
from tabwise.core.search.page_part import PagePart, read_page
from tabwise.core.search.proximity import TermOrder, phrases_and_window
from tabwise.core.search.shelf import HeldPages, Shelf
from tabwise.core.search.slot_pages import SlotPages
from tabwise.core.search.vectors import VectorIndex
from tabwise.core.text.stemming import language_key
from tabwise.core.text.terms import terms
from tabwise.errors import InputError

N_REORDERED = 40
"""Fixed, so that the first hits do not depend on how many are asked for."""
WORD_ORDER_WEIGHT = 0.05
"""Of phrases and of nearness each, beside a fused score of at most 1. Five development collections gain
0.0025 nDCG@10 on average (documentation questions 0.007, Cranfield loses 0.002); twice the weight loses
elsewhere what it gains there, and a weight by kind of query did not carry over."""

RECENCY_WEIGHT = 0.15

MAX_LANGUAGES = 4
"""Whose stems a text that is being typed is read with: the commonest of the library."""

_MIN_EMPTY_SLOTS = 256
_LAST_LATIN = "\u024f"


class SearchIndex:
    """Pages by source, each with its chunks and, once the model has run, their vectors."""

    def __init__(
        self,
        dimensions: int,
        *,
        kernel: SearchKernel | None = None,
        reads_any_script: bool = False,
        shelf: Shelf | None = None,
    ) -> None:
        """`shelf`: where the texts are; without one they are held here."""
        self._reads_any_script = reads_any_script
        self._shelf = shelf or HeldPages()
        self._kernel = kernel or NumpyKernel()
        self._bm25 = BM25Index(kernel=self._kernel)
        self._vectors = VectorIndex(dimensions, kernel=self._kernel)
        self._finder = PageFinder()
        self._term_order = TermOrder()
        self._heads: dict[SourceId, PageHead] = {}
        self._pages = SlotPages()
        self._languages: Counter[str] = Counter()

    def use_shelf(self, shelf: Shelf) -> None:
        """Get the texts of the pages that will be added from `shelf`; the index is empty."""
        self._shelf = shelf

    @property
    def n_chunks(self) -> int:
        """Number of chunks that can be found."""
        return self._bm25.n_documents

    @property
    def n_vectors(self) -> int:
        """Number of chunks that can be found by meaning."""
        return int(np.count_nonzero(self._vectors.present))

    def has_vectors(self, source: SourceId) -> bool:
        """Whether every chunk of a page can be found by meaning; False for a page that is not there."""
        if source not in self._heads:
            return False
        slots = self._bm25.slots(source)
        return bool(self._vectors.present[slots.start : slots.stop].all())

    def heads_without_vectors(self) -> tuple[PageHead, ...]:
        """Return the pages with a chunk that cannot be found by meaning, in the order they were added."""
        missing = self._bm25.live & ~self._vectors.present
        return tuple(self._heads[source] for source in self._pages.sources_of(missing))

    def sources(self) -> tuple[SourceId, ...]:
        """Return the sources in the order they were added."""
        return tuple(self._heads)

    def heads(self) -> tuple[PageHead, ...]:
        """Return what lists need of every page, in the order they were added."""
        return tuple(self._heads.values())

    def head(self, source: SourceId) -> PageHead | None:
        """Return what lists need of a page, None when it is not there."""
        return self._heads.get(source)

    def page(self, source: SourceId) -> Page | None:
        """Return a page, None when it is not there. Reads its text from the shelf: see `head`."""
        return self._shelf.page(source) if source in self._heads else None

    def chunks(self, source: SourceId) -> tuple[Chunk, ...]:
        """Return the chunks of a page by ordinal, none when it is not there."""
        return tuple(self._shelf.chunks(source)) if source in self._heads else ()

    def chunk(self, source: SourceId, ordinal: int) -> Chunk | None:
        """Return a chunk of a page, None when it is not there."""
        head = self._heads.get(source)
        return self._shelf.chunk(source, ordinal) if head and ordinal < head.n_chunks else None

    def reads(self, query: str) -> bool:
        """Whether the embedding model can make something of a query, judged by its letters."""
        letters = [char for char in query if char.isalpha()]
        return self._reads_any_script or 2 * sum(map(_is_latin, letters)) >= len(letters)

    def idf(self, term: str) -> float:
        """Inverse document frequency of a term over the chunks, > 0; see `bm25`."""
        return self._bm25.idf(term)

    def add_page(self, page: Page, chunks: Sequence[Chunk], vectors: QuantizedVectors | None) -> None:
        """Read and add a page, replacing its earlier snapshot.

        `vectors` has one row per chunk in the same order, None when they come later.
        Raises ModelError("model_mismatch") when the vectors do not fit; the index is unchanged then.
        """
        if vectors is not None:
            self._vectors.check(len(chunks), vectors)
        steps = read_page(page, chunks)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                part: PagePart = end.value
                break
        self.put_page(page, chunks, part)
        if vectors is not None:
            self.set_vectors(page.source, vectors)

    def put_page(self, page: Page, chunks: Sequence[Chunk], part: PagePart, *, stamp: int = 0) -> None:
        """Add a page that was read (`read_page`), replacing its earlier snapshot."""
        if page.source in self._heads:
            self.remove_page(page.source)
        self._shelf.keep(page, chunks)
        self.put_part([head_of(page, len(chunks), stamp)], part)

    def put_part(self, heads: Sequence[PageHead], part: PagePart) -> None:
        """Add the pages of a part, none of them there yet; `heads` in its order. They are on the shelf."""
        n_known = self._bm25.n_terms
        slots = self._bm25.put([(head.source, head.n_chunks) for head in heads], part.chunks)
        self._vectors.grow(slots.stop)
        self._term_order.add(part.codes, part.code_counts)
        new_terms = self._bm25.newest_terms(self._bm25.n_terms - n_known)
        self._finder.add([head.source for head in heads], part.titles, new_terms)
        self._pages.add(heads, slots)
        for language, n_pages in Counter(head.language for head in heads).items():
            self._languages[language_key(language)] += n_pages
        for head in heads:
            self._heads[head.source] = head

    def set_vectors(self, source: SourceId, vectors: QuantizedVectors) -> None:
        """Give the chunks of a page their vectors, one row each by ordinal.

        Raises InputError("source_unknown"), ModelError("model_mismatch").
        """
        self._known(source)
        self._vectors.put(self._bm25.slots(source), vectors)

    def drop_vectors(self) -> None:
        """Take all vectors out; pages are found by words until they have new ones."""
        self._vectors.drop(range(self._vectors.n_slots))

    def remove_page(self, source: SourceId) -> None:
        """Take a page out. Raises InputError("source_unknown")."""
        head = self._known(source)
        slots = self._bm25.slots(source)
        self._bm25.remove(source)
        self._finder.remove(source)
        self._vectors.drop(slots)
        self._shelf.drop(source)
        self._pages.remove(source)
        del self._heads[source]
        self._languages -= Counter([language_key(head.language)])
        n_empty = self._bm25.n_slots - self._bm25.n_documents
        if n_empty > max(_MIN_EMPTY_SLOTS, self._bm25.n_documents):
            self._compact()

    def search(
        self,
        query: str,
        query_vector: npt.NDArray[np.float32] | None,
        *,
        sources: Collection[SourceId] | None = None,
        mode: FusionMode = FusionMode.CONVEX,
        k: int = 10,
        per_source_cap: int | None = None,
        allow_weak: bool = False,
        recency: Mapping[SourceId, float] | None = None,
    ) -> list[Hit]:
        """Return at most `k` hits, best first; none when nothing is near enough to the query.

        `allow_weak` ranks whatever there is instead, as benchmarks want it.

        `query_vector` (d,) float32, None while there is no model; without it, or for a query the model cannot
        read, every mode is lexical.
        `sources` limits the scope, None is everything; unknown sources are ignored. Scores and ranks are
        within the scope. `per_source_cap` limits the hits of one page. `recency`, 0–1 by page,
        prefers newer pages. Ties are ordered by chunk id.
        Raises ModelError("model_mismatch") for a vector of another dimension.
        """
        matched = self._matched(query, query_vector, sources)
        if not (allow_weak or is_any_near(matched, self._best_possible(query))):
            return []
        return self._ranked(query, matched, mode, k, per_source_cap, recency)

    def rankings(
        self,
        query: str,
        query_vector: npt.NDArray[np.float32] | None,
        *,
        sources: Collection[SourceId] | None = None,
        k: int = 10,
    ) -> tuple[list[Hit], list[Hit]]:
        """Return what `search` returns by meaning alone and by words alone, however weak, from one pass.

        Without a vector, or for a query the model cannot read, nothing is found by meaning.
        """
        matched = self._matched(query, query_vector, sources)
        by_meaning = self._ranked(query, matched, FusionMode.DENSE, k) if matched.is_semantic else []
        return by_meaning, self._ranked(query, words_of(matched.lexical), FusionMode.LEXICAL, k)

    def _matched(
        self,
        query: str,
        query_vector: npt.NDArray[np.float32] | None,
        sources: Collection[SourceId] | None,
    ) -> Matched:
        """Score every slot in scope in both ways."""
        scope = None if sources is None else self._pages.mask(sources) & self._bm25.live
        lexical = self._bm25.scores(self.query_terms(query))
        if scope is not None:
            lexical = np.where(scope, lexical, np.float32(0.0))
        if query_vector is None or not self.reads(query):
            return words_of(lexical)
        present = self._vectors.present
        has_dense = present if scope is None else present & scope
        return Matched(lexical, self._vectors.scores(query_vector), has_dense, is_semantic=True)

    def _ranked(
        self,
        query: str,
        matched: Matched,
        mode: FusionMode,
        k: int,
        per_source_cap: int | None = None,
        recency: Mapping[SourceId, float] | None = None,
    ) -> list[Hit]:
        """The best `k` hits of a mode; what is outside the scope has no score in any."""
        lexical, dense, has_dense = matched.lexical, matched.dense, matched.has_dense
        mode = mode if matched.is_semantic else FusionMode.LEXICAL
        if k < 1:
            return []
        tie_ranks = self._pages.tie_ranks
        fused = fuse(dense, lexical, mode=mode, has_dense=has_dense, tie_ranks=tie_ranks)
        first, word_order, of_recency = None, dict[int, float](), None
        if mode is FusionMode.CONVEX:
            # They gain and nobody else does, so they stay before all others.
            first = top_k(fused, N_REORDERED, tie_ranks)
            gains = self._word_order(query, first)
            fused[first] += gains
            word_order = dict(zip(first.tolist(), gains.tolist(), strict=True))
        if recency is not None:
            best = fused.max(initial=0.0)
            of_recency = self._pages.spread(recency) * (fused > 0.0) * np.float32(RECENCY_WEIGHT * best)
            fused += of_recency
            first = None
        picked = pick(
            fused, k, pages=self._pages.numbers, tie_ranks=tie_ranks, cap=per_source_cap, first=first
        )
        compared = dense if has_dense.all() else np.where(has_dense, dense, np.float32(-np.inf))
        ranks_dense = ranks_at(compared, picked, tie_ranks, self._kernel, floor=-np.inf)
        ranks_lexical = ranks_at(lexical, picked, tie_ranks, self._kernel)
        ranks_fused = ranks_at(fused, picked, tie_ranks, self._kernel)
        hits = []
        for slot, rank_dense, rank_lexical, rank_fused in zip(
            picked.tolist(), ranks_dense, ranks_lexical, ranks_fused, strict=True
        ):
            hits.append(
                Hit(
                    chunk=self._chunk(slot),
                    score=float(fused[slot]),
                    dense=float(dense[slot]) if has_dense[slot] else None,
                    lexical=float(lexical[slot]),
                    rank_dense=rank_dense,
                    rank_lexical=rank_lexical,
                    rank_fused=rank_fused,
                    word_order=word_order.get(slot, 0.0),
                    recency=0.0 if of_recency is None else float(of_recency[slot]),
                )
            )
        return hits

    def find_pages(
        self, text: str, query_vector: npt.NDArray[np.float32] | None = None, *, k: int = 10
    ) -> list[FoundPage]:
        """Return at most `k` pages for a text that may still be typed: by words, then by meaning; see `find`.

        Equal pages are ordered by source. Raises ModelError("model_mismatch") for a vector of another
        dimension.
        """
        languages = [language for language, _ in self._languages.most_common(MAX_LANGUAGES)]
        found = self._finder.by_words(text, languages, self._bm25, self._pages.numbers)[:k]
        if query_vector is not None and self.reads(text):
            cosines = self._vectors.scores(query_vector)  # 0 where there is no vector
            near = self._finder.by_meaning(cosines, self._bm25, self._pages.numbers)
            known = {match.source for match in found}
            found += [match for match in near if match.source not in known][: max(k - len(found), 0)]
        return [
            FoundPage(
                match.source,
                match.score,
                match.by_meaning,
                None if match.slot is None else self._chunk(match.slot),
            )
            for match in found
        ]

    def _chunk(self, slot: int) -> Chunk:
        source = self._pages.source(slot)
        return self._shelf.chunk(source, slot - self._bm25.slots(source).start)

    def query_terms(self, query: str) -> list[str]:
        """Return the distinct terms of a query in every language of the indexed pages."""
        return list(dict.fromkeys(term for language in self._languages for term in terms(query, language)))

    def _word_order(self, query: str, slots: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """What phrases and nearness add to each of `slots`, (n,) float32."""
        gains = np.zeros(len(slots), np.float32)
        by_language: dict[str, list[int]] = {}
        for row, slot in enumerate(slots.tolist()):
            language = language_key(self._heads[self._pages.source(slot)].language)
            by_language.setdefault(language, []).append(row)
        for language, rows in by_language.items():
            phrases, window = phrases_and_window(
                terms(query, language),
                self._bm25.idf,
                [self._term_order.of(slot) for slot in slots[rows].tolist()],
            )
            gains[rows] = np.float32(WORD_ORDER_WEIGHT) * (phrases + window)
        return gains

    def _best_possible(self, query: str) -> float:
        """Σ idf(t) in the language that knows the query best: the score of a text full of its terms."""
        sums = (
            sum(self._bm25.idf(term) for term in set(terms(query, language))) for language in self._languages
        )
        return min(sums, default=0.0)

    def _known(self, source: SourceId) -> PageHead:
        head = self._heads.get(source)
        if head is None:
            raise InputError("source_unknown", subject=source)
        return head

    def _compact(self) -> None:
        kept = self._bm25.compact()
        self._vectors.compact(kept)
        self._term_order.compact(kept)
        self._pages.compact(kept)
        self._finder.forget_terms_but(self._bm25.vocabulary())


def _is_latin(letter: str) -> bool:
    return letter <= _LAST_LATIN
