"""Another embedding model: vectors never mix, and the old ones stay until the new are complete."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fakes import BagEmbedder, FakeClock, FakeTabs, WholePage
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.core.page.chunking import chunk_page
from tabwise.engine.asking import Asker
from tabwise.engine.indexing import EMBED_BATCH, Indexer
from tabwise.engine.jobs import silent_job
from tabwise.engine.library import Library, library_of
from tabwise.errors import ModelError
from tabwise.eval.collection import plain_page

N_PAGES = 2 * EMBED_BATCH + 1


class SmallEmbedder(BagEmbedder):
    """Another model: other vectors, of another dimension."""

    descriptor = EmbedderDescriptor("small", 16, 256, "", "MIT")

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        rows = (await super().embed(texts))[:, :16]
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


class PrefixedEmbedder(BagEmbedder):
    """The first model, which now wants something before every text of a page; remembers what it was given."""

    descriptor = replace(BagEmbedder.descriptor, passage_prefix="passage: ")

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.given += texts
        return await super().embed(texts)


def indexer(library: Library, embedder: BagEmbedder) -> Indexer:
    return Indexer(library, pages=FakeTabs({}), content=WholePage(), embedder=embedder, clock=FakeClock())


async def opened(path: Path, embedder: BagEmbedder) -> Library:
    library = library_of(embedder.descriptor, SqliteStore(path))
    await library.load(silent_job())
    return library


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A library of one chunk a page, embedded by the first model."""

    async def fill() -> None:
        library = await opened(tmp_path / "library.db", BagEmbedder())
        for number in range(N_PAGES):
            page = plain_page(
                f"p{number}", "Notes", f"Page {number} tells of tides and turbines.", language="en"
            )
            await library.put(page, chunk_page(page, lambda text: len(text.split())), silent_job())
        await indexer(library, BagEmbedder()).embed_missing(silent_job())
        library.store.close()

    asyncio.run(fill())
    return tmp_path / "library.db"


@pytest.mark.fault("F30")
def test_vectors_of_another_model_are_not_used_and_not_added_to(path: Path) -> None:
    async def scenario() -> None:
        library = await opened(path, SmallEmbedder())
        assert (library.is_of_another_model, library.index.n_vectors) == (True, 0)
        with pytest.raises(ModelError) as caught:
            await indexer(library, SmallEmbedder()).embed_missing(silent_job())
        assert caught.value.code == "model_mismatch"
        found = await Asker(library, embedder=SmallEmbedder(), clock=FakeClock()).search("tides", k=3)
        assert (found.semantic, len(found.hits)) == (False, 3)
        library.store.close()
        back = await opened(path, BagEmbedder())
        assert back.index.n_vectors == N_PAGES
        back.store.close()

    asyncio.run(scenario())


def test_a_prefix_of_passages_makes_another_model_and_stands_before_every_text(path: Path) -> None:
    async def scenario() -> None:
        embedder = PrefixedEmbedder()
        library = await opened(path, embedder)
        assert library.is_of_another_model
        await indexer(library, embedder).reembed(silent_job())
        assert library.store.model_id() == "bag-of-terms (passage:)"
        assert len(embedder.given) == N_PAGES
        assert all(text.startswith("passage: Notes") for text in embedder.given)
        embedder.given.clear()
        asker = Asker(library, embedder=embedder, clock=FakeClock())
        assert (await asker.search("tides", k=3)).semantic
        assert embedder.given == ["tides"]
        await asker.embed_passages(["Tides turn."])
        assert embedder.given == ["tides", "passage: Tides turn."]
        library.store.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("fail_at", [1, 2, 3])
@pytest.mark.fault("F30")
def test_a_run_that_fails_loses_nothing_and_is_continued(path: Path, fail_at: int) -> None:
    async def scenario() -> None:
        library = await opened(path, SmallEmbedder())
        with pytest.raises(ModelError):
            await indexer(library, SmallEmbedder(fail_at=fail_at)).reembed(silent_job())
        assert library.store.model_id() == BagEmbedder.descriptor.id
        library.store.close()

        again = await opened(path, SmallEmbedder())
        rest = SmallEmbedder()
        await indexer(again, rest).reembed(silent_job())
        assert rest.n_texts == N_PAGES - EMBED_BATCH * (fail_at - 1)
        assert (again.is_of_another_model, again.index.n_vectors) == (False, N_PAGES)
        assert again.store.model_id() == "small"
        found = await Asker(again, embedder=rest, clock=FakeClock()).search("tides", k=3)
        assert found.semantic
        again.store.close()

    asyncio.run(scenario())
