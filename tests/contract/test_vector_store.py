"""What every vector store must do, run against a Qdrant; what it finds is compared with the index.

The index of the library is the second implementation: the same pages, the same questions, the same answers as
far as the ways of counting agree. The Qdrant is qdrant-client's own engine behind its interface
(tests/qdrant_server.py), or a real one at $QDRANT_URL, where the collections of a run have names of their own
and are removed after it.
"""

import json
import os
import urllib.request
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import numpy as np
import pytest

from fakes import BagEmbedder
from qdrant_server import FakeQdrant, served
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.stores.qdrant.store import QdrantStore, QdrantStores
from tabwise.core.model import Block, BlockKind, FusionMode, Page, SourceId
from tabwise.core.network.mirror import MirroredPage, PageFilter, PassageMatch, PassageQuery, StorePlace
from tabwise.core.page.chunking import chunk_page
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.term_vectors import chunk_vector, term_number
from tabwise.core.search.vectors import quantize
from tabwise.core.text.terms import terms
from tabwise.errors import ProviderError
from tabwise.protocol.addresses import host_of

pytestmark = pytest.mark.native

REAL_URL = os.environ.get("QDRANT_URL", "")
EMBEDDER = BagEmbedder()
EVERYTHING = PageFilter()
SUBJECTS = (
    "tide moon range bay flood current sea harbour wave storm",
    "bread flour oven yeast dough loaf crust salt baker starter",
    "engine piston valve torque fuel gear clutch brake wheel axle",
    "poem verse rhyme stanza metre sonnet line reader image voice",
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Place:
    """Where a test's stores are."""

    url: str
    collection: str

    def at(self, library: str = "mine", model: str = "bag-of-terms", dimensions: int = 64) -> StorePlace:
        return StorePlace(self.url, self.collection, model, dimensions, library)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    if REAL_URL:
        yield REAL_URL
        return
    with served(FakeQdrant()) as address:
        yield address


@pytest.fixture
def place(url: str) -> Iterator[Place]:
    made = Place(url, f"test-{uuid.uuid4().hex[:12]}")
    yield made
    if REAL_URL:
        _remove_collections(made)


def _remove_collections(place: Place) -> None:
    headers = {"api-key": os.environ.get("QDRANT_API_KEY", "")}

    def call(method: str, path: str) -> object:
        request = urllib.request.Request(place.url + path, method=method, headers=headers)
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    listed: object = call("GET", "/collections")
    assert isinstance(listed, dict)
    for each in listed["result"]["collections"]:
        if each["name"].startswith(place.collection):
            call("DELETE", f"/collections/{each['name']}")


async def api_key() -> str:
    return os.environ.get("QDRANT_API_KEY", "")


@asynccontextmanager
async def opened(place: StorePlace) -> AsyncIterator[QdrantStore]:
    http = NativeHttp()
    try:
        yield QdrantStores(http, api_key).at(place)
    finally:
        await http.close()


async def nothing() -> None:
    """A checkpoint that nobody watches."""


def page_of(
    number: int, text: str, *, site: str = "", captured_at: float = 1.0, language: str = "en"
) -> Page:
    url = f"https://{site or f'site{number}.example'}/{number}"
    blocks = (Block(BlockKind.PARAGRAPH, 0, len(text)),)
    length = len(text)
    return Page(
        SourceId(url),
        url,
        f"Page {number}",
        language,
        text,
        blocks,
        f"{number}",
        captured_at,
        0,
        length,
        length,
    )


async def mirrored(page: Page, *, with_vectors: bool = True) -> MirroredPage:
    chunks = tuple(chunk_page(page, EMBEDDER.count, max_tokens=40))
    vectors = (
        quantize(await EMBEDDER.embed([chunk.embedding_text for chunk in chunks])) if with_vectors else None
    )
    return MirroredPage(page, chunks, vectors)


def a_text(subject: str, seed: int, n_sentences: int = 6) -> str:
    rng = np.random.default_rng(seed)
    words = subject.split()
    sentences = [" ".join(rng.choice(words, 8)).capitalize() + f" number {seed}." for _ in range(n_sentences)]
    return " ".join(sentences)


async def a_library(n_pages: int = 24) -> list[MirroredPage]:
    subjects = [SUBJECTS[i % len(SUBJECTS)] for i in range(n_pages)]
    return [await mirrored(page_of(i, a_text(subject, i))) for i, subject in enumerate(subjects)]


def index_of(pages: Sequence[MirroredPage]) -> SearchIndex:
    index = SearchIndex(64)
    for each in pages:
        index.add_page(each.page, each.chunks, each.vectors)
    return index


async def query(
    text: str, mode: FusionMode, *, n_pages: int = 10, n_per_page: int = 10, pages: PageFilter = EVERYTHING
) -> PassageQuery:
    vector = (await EMBEDDER.embed([text]))[0]
    return PassageQuery(tuple(dict.fromkeys(terms(text, "en"))), vector, mode, n_pages, n_per_page, pages)


def ids(matches: Sequence[PassageMatch]) -> list[str]:
    return [match.chunk_id for match in sorted(matches, key=lambda match: (-match.score, match.chunk_id))]


QUESTIONS = (
    "tide and moon",
    "oven bread crust",
    "torque of the engine valve",
    "a sonnet in verse",
    "salt wave",
)


@pytest.mark.anyio
async def test_by_meaning_it_finds_in_the_order_of_the_exact_index(place: Place) -> None:
    pages = await a_library()
    index = index_of(pages)
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages(pages, nothing)
        for text in QUESTIONS:
            asked = await query(text, FusionMode.DENSE, n_pages=24, n_per_page=10)
            found = ids(await store.search(asked))[:10]
            exact = index.search(text, asked.vector, mode=FusionMode.DENSE, k=200, allow_weak=True)
            ranked = sorted(exact, key=lambda hit: (-(hit.dense or 0.0), hit.chunk.id))[:10]
            assert found == [hit.chunk.id for hit in ranked]


@pytest.mark.anyio
async def test_by_words_it_finds_the_same_chunks_in_nearly_the_same_order(place: Place) -> None:
    pages = await a_library()
    index = index_of(pages)
    overlaps = []
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages(pages, nothing)
        for text in QUESTIONS:
            asked = await query(text, FusionMode.LEXICAL, n_pages=24, n_per_page=20)
            found = await store.search(asked)
            exact = index.search(text, None, mode=FusionMode.LEXICAL, k=500, allow_weak=True)
            assert {match.chunk_id for match in found} == {hit.chunk.id for hit in exact}
            best = sorted(exact, key=lambda hit: (-hit.lexical, hit.chunk.id))[:10]
            overlaps.append(len(set(ids(found)[:10]) & {hit.chunk.id for hit in best}) / 10)
    assert float(np.mean(overlaps)) >= 0.8


@pytest.mark.anyio
async def test_a_mode_of_one_kind_scores_as_its_formula_says(place: Place) -> None:
    """By meaning the cosine; by words Σ idf · w, the idf being Qdrant's over the chunks that are there."""
    pages = await a_library(8)
    index = index_of(pages)
    texts = {chunk.id: (chunk, each.page) for each in pages for chunk in each.chunks}
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages(pages, nothing)
        asked = await query("tide and moon", FusionMode.DENSE)
        exact = index.search("tide and moon", asked.vector, mode=FusionMode.RRF, k=200, allow_weak=True)
        cosines = {hit.chunk.id: hit.dense for hit in exact}
        for match in await store.search(asked):
            assert match.score == pytest.approx(cosines[match.chunk_id], abs=2e-3)
        for match in await store.search(await query("tide and moon", FusionMode.LEXICAL)):
            chunk, page = texts[match.chunk_id]
            assert match.content_hash == chunk.content_hash
            own = chunk_vector(chunk.embedding_text, page.title, page.language)
            weights = dict(zip(own.indices, own.values, strict=True))
            formula = sum(index.idf(term) * weights.get(term_number(term), 0.0) for term in asked.terms)
            assert match.score == pytest.approx(formula, rel=2e-3)


@pytest.mark.anyio
async def test_ranks_are_fused_with_our_constant(place: Place) -> None:
    """A chunk that is first by meaning and first by words scores 1/61 twice."""
    first = await mirrored(page_of(1, "Zebra quagga."))
    second = await mirrored(page_of(2, "Bread and flour and the oven."))
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages([first, second], nothing)
        best = (await store.search(await query("zebra quagga", FusionMode.RRF)))[0]
    assert best.chunk_id == first.chunks[0].id
    assert best.score == pytest.approx(2 / 61, rel=1e-4)


@pytest.mark.parametrize("mode", list(FusionMode))
@pytest.mark.anyio
async def test_matches_come_page_by_page_and_no_more_than_asked(place: Place, mode: FusionMode) -> None:
    pages = await a_library()
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages(pages, nothing)
        found = await store.search(await query("tide moon bay bread", mode, n_pages=4, n_per_page=2))
    sources = [match.source for match in found]
    groups = list(dict.fromkeys(sources))
    assert sources == sorted(sources, key=groups.index)
    assert len(groups) == 4
    assert max(map(sources.count, groups)) <= 2


@pytest.mark.anyio
async def test_filters_are_exact(place: Place) -> None:
    text = "The tide follows the moon."
    sites = ("docs.sea.example", "sea.example", "notsea.example", "www.sea.example", "127.0.0.1")
    pages = [
        await mirrored(page_of(i, text, site=site, captured_at=1_000.0 * (i + 1)))
        for i, site in enumerate(sites)
    ]
    sources = [each.page.source for each in pages]

    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages(pages, nothing)

        async def found(pages: PageFilter) -> list[str]:
            matches = await store.search(await query(text, FusionMode.CONVEX, pages=pages))
            return sorted(host_of(match.source) for match in matches)

        assert await found(PageFilter()) == sorted(sites)
        assert await found(PageFilter(sources=frozenset(sources[:2]))) == ["docs.sea.example", "sea.example"]
        assert await found(PageFilter(hosts=("sea.example",))) == [
            "docs.sea.example",
            "sea.example",
            "www.sea.example",
        ]
        assert await found(PageFilter(hosts=("",))) == []
        assert await found(PageFilter(after_ms=3_000.0)) == sorted(sites[2:])
        assert await found(PageFilter(before_ms=3_000.0)) == sorted(sites[:2])
        both = PageFilter(frozenset(sources[:3]), ("sea.example",), 2_000.0, 4_000.0)
        assert await found(both) == ["sea.example"]


@pytest.mark.anyio
async def test_a_new_snapshot_replaces_the_old_one_whole(place: Place) -> None:
    long, short = page_of(1, a_text(SUBJECTS[0], 1, 30)), page_of(1, "Yeast makes the dough rise.")
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages([await mirrored(long)], nothing)
        assert await store.count() == len((await mirrored(long)).chunks) > 1
        await store.put_pages([await mirrored(short)], nothing)
        assert await store.count() == 1
        assert await store.search(await query("tide moon", FusionMode.LEXICAL)) == []
        assert len(await store.search(await query("yeast", FusionMode.LEXICAL))) == 1


@pytest.mark.anyio
async def test_removed_pages_are_gone_and_unknown_ones_are_no_error(place: Place) -> None:
    pages = await a_library(4)
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages(pages, nothing)
        gone = [pages[0].page.source, SourceId("https://never.example/")]
        await store.remove_pages(gone)
        await store.remove_pages([])
        found = await store.search(await query("tide moon bread engine poem", FusionMode.CONVEX))
        assert {match.source for match in found} == {each.page.source for each in pages[1:]}


@pytest.mark.anyio
async def test_libraries_that_share_a_collection_do_not_meet(place: Place) -> None:
    mine, theirs = (
        await mirrored(page_of(1, "The tide is mine.")),
        await mirrored(page_of(1, "The tide is theirs.")),
    )
    async with opened(place.at("mine")) as store, opened(place.at("theirs")) as other:
        await store.open()
        await other.open()
        await store.put_pages([mine], nothing)
        await other.put_pages([theirs], nothing)
        for own, kept in ((store, mine), (other, theirs)):
            (match,) = await own.search(await query("tide", FusionMode.CONVEX))
            assert match.content_hash == kept.chunks[0].content_hash
        await other.remove_pages([theirs.page.source])
        assert (await store.count(), await other.count()) == (1, 0)


@pytest.mark.anyio
async def test_pages_without_vectors_are_found_by_words(place: Place) -> None:
    page = await mirrored(page_of(1, "The tide follows the moon."), with_vectors=False)
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages([page], nothing)
        assert len(await store.search(await query("tide", FusionMode.CONVEX))) == 1
        assert await store.search(await query("tide", FusionMode.DENSE)) == []


@pytest.mark.anyio
async def test_questions_with_nothing_to_search_by_find_nothing(place: Place) -> None:
    async with opened(place.at()) as store:
        await store.open()
        await store.put_pages([await mirrored(page_of(1, "The tide."))], nothing)
        asked = replace(await query("tide", FusionMode.LEXICAL), terms=(), vector=None)
        assert await store.search(asked) == []
        unheard = replace(await query("tide", FusionMode.LEXICAL), terms=("quagga",))
        assert await store.search(unheard) == []


@pytest.mark.anyio
async def test_another_model_makes_a_collection_of_its_own_and_the_old_one_stays(place: Place) -> None:
    pages = [await mirrored(page_of(1, "The tide follows the moon."))]
    async with opened(place.at()) as old, opened(place.at(model="other", dimensions=8)) as new:
        await old.open()
        await old.put_pages(pages, nothing)
        await new.open()
        await new.open()
        told = await new.state()
        assert (told.exists, told.n_passages) == (True, 0)
        assert told.older == ((await old.state()).collection,)
        assert await old.count() == 1


@pytest.mark.anyio
async def test_a_collection_of_other_vectors_is_named_and_left_alone(place: Place) -> None:
    async with opened(place.at()) as old:
        await old.open()
        await old.put_pages([await mirrored(page_of(1, "The tide."))], nothing)
        async with opened(place.at(dimensions=8)) as same_name:
            for call in (same_name.open, same_name.state):
                with pytest.raises(ProviderError) as caught:
                    await call()
                assert caught.value.code == "qdrant_schema"
        assert await old.count() == 1


@pytest.mark.anyio
async def test_a_store_that_was_never_made_says_so(place: Place) -> None:
    async with opened(place.at()) as store:
        told = await store.state()
        assert (told.exists, told.n_passages, told.older) == (False, 0, ())
        with pytest.raises(ProviderError) as caught:
            await store.search(await query("tide", FusionMode.CONVEX))
        assert caught.value.code == "qdrant_collection"


@pytest.mark.anyio
async def test_any_text_goes_there_and_comes_back(place: Place) -> None:
    """Broken text, emoji, other scripts, and a model whose name is none for a collection."""
    texts = ("A lost \ufffd tide.", "👩‍👩‍👧 tide", "潮汐 tide 月", "مد tide جزر")
    pages = [await mirrored(page_of(i, text)) for i, text in enumerate(texts)]
    async with opened(place.at(model='Some/Model: "é" 1')) as store:
        await store.open()
        await store.put_pages(pages, nothing)
        found = await store.search(await query("tide", FusionMode.LEXICAL))
    assert {match.source for match in found} == {each.page.source for each in pages}
