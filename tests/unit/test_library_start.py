"""A library that is opened again answers as before, whatever its file kept of the index."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.model import Chunk, ChunkId, Page, SourceId, chunk_id_prefix
from tabwise.core.search import page_part
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.vectors import quantize
from tabwise.engine import index_parts
from tabwise.engine.jobs import silent_job
from tabwise.engine.library import Library

N_PAGES = 20
DIMENSIONS = 8


def make_page(number: int, *, word: str = "tide") -> tuple[Page, list[Chunk]]:
    source = SourceId(f"https://example.org/{number}")
    texts = [f"{word} mill{number % 5} winter{i}" for i in range(1 + number % 3)]
    text = "\n".join(texts)
    page = Page(
        source, source, f"Page {number}", "en", text, (), f"{word}{number}", 1.0, 0, len(text), len(text)
    )
    chunks, start = [], 0
    for i, own in enumerate(texts):
        chunk_id = ChunkId(f"{chunk_id_prefix(source)}-{i:05d}")
        chunks.append(
            Chunk(chunk_id, source, i, start, start + len(own), (), own, own, f"{word}{number}-{i}", 5)
        )
        start += len(own) + 1
    return page, chunks


def vectors_of(chunks: list[Chunk]) -> np.ndarray:
    return np.array(
        [np.random.default_rng(len(c.text) + c.ordinal).standard_normal(DIMENSIONS) for c in chunks],
        np.float32,
    )


async def put(library: Library, number: int, *, word: str = "tide") -> None:
    page, chunks = make_page(number, word=word)
    await library.put(page, chunks, silent_job())
    library.put_vectors(chunks, quantize(vectors_of(chunks)))
    library.attach_vectors(page.source)


async def opened(path: Path) -> Library:
    library = Library(SqliteStore(path), SearchIndex(DIMENSIONS))
    await library.load(silent_job())
    return library


def answers(library: Library) -> list[tuple[str, str, float]]:
    vector = np.linspace(-1.0, 1.0, DIMENSIONS).astype(np.float32)
    return [
        (hit.chunk.id, hit.chunk.text, hit.score)
        for query in ("tide mill3", "page 7", "winter1 storm")
        for hit in library.index.search(query, vector, k=40, allow_weak=True)
    ]


async def with_a_history(path: Path) -> Library:
    library = await opened(path)
    for number in range(N_PAGES):
        await put(library, number)
    for number in (3, 11):
        library.remove(make_page(number)[0].source)
    await library.restore(make_page(11)[0].source, silent_job())
    await put(library, 5, word="storm")
    return library


def test_a_library_opened_again_answers_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        library = await with_a_history(tmp_path / "library.db")
        before = answers(library), library.heads(), library.stats().n_vectors
        library.store.close()
        monkeypatch.setattr("tabwise.engine.library.read_page", lambda *_: 1 / 0)  # nothing is read anew
        again = await opened(tmp_path / "library.db")
        assert (answers(again), again.heads(), again.stats().n_vectors) == before
        again.store.close()

    asyncio.run(scenario())


def test_the_file_keeps_few_parts(tmp_path: Path) -> None:
    async def scenario() -> None:
        library = await with_a_history(tmp_path / "library.db")
        assert len(library.store.part_sizes()) < index_parts.MERGED
        library.store.close()

    asyncio.run(scenario())


def flip(data: bytes) -> bytes:
    return data[:40] + bytes([data[40] ^ 1]) + data[41:]


@pytest.mark.parametrize("change", [flip, lambda data: data[:50], lambda data: b""])
@pytest.mark.fault("F27")
def test_damaged_parts_are_made_anew(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "library.db"

    async def scenario() -> None:
        library = await with_a_history(path)
        before, heads = answers(library), [head.source for head in library.heads()]
        library.store.close()
        with sqlite3.connect(path) as file:
            for part_id, data in file.execute("SELECT id, data FROM index_part").fetchall():
                file.execute("UPDATE index_part SET data = ? WHERE id = ?", (change(data), part_id))
        again = await opened(path)
        assert (answers(again), [head.source for head in again.heads()]) == (before, heads)
        assert sum(again.store.part_sizes().values()) > 0
        again.store.close()

    asyncio.run(scenario())


def test_parts_of_another_way_of_reading_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        library = await with_a_history(tmp_path / "library.db")
        before = answers(library)
        old = set(library.store.part_sizes())
        library.store.close()
        monkeypatch.setattr(page_part, "READING", "another")
        again = await opened(tmp_path / "library.db")
        assert answers(again) == before
        assert not old & set(again.store.part_sizes())
        again.store.close()

    asyncio.run(scenario())


@pytest.mark.fault("F27")
def test_damaged_vectors_are_not_used_but_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "library.db"

    async def scenario() -> None:
        library = await with_a_history(path)
        library.store.close()
        with sqlite3.connect(path) as file:
            file.execute("UPDATE page_vectors SET codes = zeroblob(length(codes)) WHERE seq = 1")
        again = await opened(path)
        source = make_page(0)[0].source
        assert not again.index.has_vectors(source)
        assert len(again.missing_vectors(source)) == len(make_page(0)[1])
        assert again.index.has_vectors(make_page(1)[0].source)
        again.store.close()

    asyncio.run(scenario())


def test_a_store_that_fails_leaves_the_index_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        library = await with_a_history(tmp_path / "library.db")
        before = answers(library), library.heads()
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "_insert_part", lambda self, part: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                await put(library, 7, word="storm")
        assert (answers(library), library.heads()) == before
        library.store.close()
        again = await opened(tmp_path / "library.db")
        assert (answers(again), again.heads()) == before
        again.store.close()

    asyncio.run(scenario())
