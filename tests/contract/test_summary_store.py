"""What every SummaryStore must do, run against the SQLite file."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.model import Block, BlockKind, Page, SourceId, Verdict
from tabwise.core.page.chunking import chunk_page
from tabwise.core.summaries.summary import Summary, SummarySentence

TEXT = "The moon pulls the sea. عربي 日本語 👩‍👩‍👧"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(path)
    for n in (1, 2):
        put(opened, page(n))
    yield opened
    opened.close()


def page(n: int, text: str = TEXT) -> Page:
    source = SourceId(f"https://example.org/{n}")
    blocks = (Block(BlockKind.PARAGRAPH, 0, len(text)),)
    return Page(
        source, source, f"Page {n}", "en", text, blocks, f"hash{n}{text}", 1.5e12, 0, len(text), len(text)
    )


def put(store: SqliteStore, one: Page) -> None:
    store.put_page(one, chunk_page(one, lambda text: len(text.split())))


def summary_of(one: Page, engine: str = "extractive") -> Summary:
    headline = SummarySentence("The moon…", 0, 8)
    sentences = (
        SummarySentence("The moon pulls.", 0, 23, Verdict.PARTLY),
        SummarySentence("👩‍👩‍👧 日本語", 24, 40),
    )
    return Summary(one.content_hash, "bundled", engine, headline, sentences, 1.5e12)


def test_a_summary_comes_back_as_it_was_stored(store: SqliteStore) -> None:
    kept = [summary_of(page(n)) for n in (1, 2)]
    for one in kept:
        store.summaries.put(one)
    assert sorted(store.summaries.load_all(), key=lambda one: one.content_hash) == kept


def test_a_newer_summary_of_the_same_content_takes_its_place(store: SqliteStore) -> None:
    store.summaries.put(summary_of(page(1)))
    store.summaries.put(summary_of(page(1), "bundled"))
    assert [one.engine for one in store.summaries.load_all()] == ["bundled"]


def test_summaries_of_content_that_is_gone_are_dropped(store: SqliteStore) -> None:
    store.summaries.put(summary_of(page(1)))
    put(store, replace(page(1), content_hash="new"))
    store.summaries.put(summary_of(page(2)))
    assert [one.content_hash for one in store.summaries.load_all()] == [page(2).content_hash]


def test_a_removed_page_that_comes_back_has_its_summary(store: SqliteStore) -> None:
    store.summaries.put(summary_of(page(1)))
    store.remove_page(page(1).source)
    store.summaries.put(summary_of(page(2)))
    store.restore_page(page(1).source)
    assert len(store.summaries.load_all()) == 2


def test_parts_are_kept_by_page_and_swept(store: SqliteStore) -> None:
    one, other = page(1).source, page(2).source
    for part_hash in "abc":
        store.summaries.put_part(one, part_hash, f"part {part_hash} 日本")
    store.summaries.put_part(other, "a", "of the other")
    store.summaries.put_part(one, "a", "anew")
    assert store.summaries.load_part(one, "a") == "anew"
    assert store.summaries.load_part(one, "b") == "part b 日本"
    store.summaries.keep_parts(one, ["b"])
    assert [store.summaries.load_part(one, part_hash) for part_hash in "abc"] == [None, "part b 日本", None]
    assert store.summaries.load_part(other, "a") == "of the other"
    store.summaries.keep_parts(one, [])
    assert store.summaries.load_part(one, "b") is None


def test_a_part_of_no_page_is_not_kept(store: SqliteStore) -> None:
    store.summaries.put_part(SourceId("https://gone.example"), "a", "text")
    assert store.summaries.load_part(SourceId("https://gone.example"), "a") is None


def test_everything_is_there_after_reopening(path: Path) -> None:
    store = SqliteStore(path)
    put(store, page(1))
    store.summaries.put(summary_of(page(1)))
    store.summaries.put_part(page(1).source, "a", "text")
    store.close()
    again = SqliteStore(path)
    assert list(again.summaries.load_all()) == [summary_of(page(1))]
    assert again.summaries.load_part(page(1).source, "a") == "text"
    assert again.check() == []
    again.close()
