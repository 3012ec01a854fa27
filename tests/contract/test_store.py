"""What every Store must do, run against the SQLite file; then what only a file can suffer."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tabwise.adapters.stores.sqlite import SCHEMA_VERSION, SqliteStore, set_aside
from tabwise.core.model import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    EntryLink,
    Moment,
    Page,
    Place,
    QuantizedVectors,
    SourceId,
    head_of,
)
from tabwise.errors import ModelError, StoreError
from tabwise.ports import PartRow, Store

TEXT = "Tides\nThe moon pulls the sea.\nعربي 日本語 👩‍👩‍👧"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    opened = SqliteStore(path)
    yield opened
    opened.close()


def page(n: int, text: str = TEXT) -> Page:
    source = SourceId(f"https://example.org/{n}")
    blocks = (Block(BlockKind.HEADING, 0, 5, 1), Block(BlockKind.PARAGRAPH, 6, len(text)))
    places = (Place(0, 5, 3, 72, 90, 40, 12), Place(6, len(text), 4, 72, 60, 400, 26))
    return Page(
        source,
        f"{source}#part",
        f"Page {n}",
        "en",
        text,
        blocks,
        f"hash{n}{text}",
        1.5e12,
        3,
        99,
        50,
        9,
        places,
        (Moment(6, len(text), 754),),
        True,
        (EntryLink(0, 5, "https://a.example/?q=%22&r=日本"),),
    )


def chunks(of: Page, *bounds: int) -> list[Chunk]:
    edges = [0, *bounds, len(of.text)]
    return [
        Chunk(
            ChunkId(f"{of.source[-1] * 12}-{i:05d}"), of.source, i, start, end, ("Top", "Süd"),
            of.text[start:end], f"{of.title}. {of.text[start:end]}", f"{of.source}:{of.text[start:end]}", 12,
        )
        for i, (start, end) in enumerate(pairwise(edges))
    ]  # fmt: skip


def vectors(n: int, seed: int = 0) -> QuantizedVectors:
    rng = np.random.default_rng(seed)
    return QuantizedVectors(rng.integers(-127, 128, (n, 8), dtype=np.int8), rng.random(n, dtype=np.float32))


def hashes(of: list[Chunk]) -> list[str]:
    return [chunk.content_hash for chunk in of]


def test_a_page_comes_back_as_it_was_stored(store: Store) -> None:
    first, second = page(1), page(2)
    for stored in (first, second):
        store.put_page(stored, chunks(stored, 6, 20))
    assert list(store.load_pages()) == [first, second]
    assert list(store.load_chunks(first.source)) == chunks(first, 6, 20)


def test_storing_again_replaces_and_keeps_the_order(store: Store) -> None:
    first, second = page(1), page(2)
    store.put_page(first, chunks(first, 6))
    store.put_page(second, chunks(second))
    changed = replace(first, title="New", text="Short", blocks=())
    store.put_page(changed, chunks(changed))
    assert list(store.load_pages()) == [changed, second]
    assert list(store.load_chunks(first.source)) == chunks(changed)


def test_vectors_of_unchanged_chunks_survive_a_changed_page(store: Store) -> None:
    stored = page(1)
    before = chunks(stored, 6, 20)
    store.put_page(stored, before)
    rows = vectors(3)
    store.put_vectors(hashes(before), rows)
    changed = replace(stored, text=stored.text + " More.")
    after = chunks(changed, 6, 20)
    store.put_page(changed, after)
    known, kept = store.load_vectors(hashes(after))
    assert known.tolist() == [True, True, False]
    assert np.array_equal(kept.codes, rows.codes[:2])
    assert np.array_equal(kept.scales, rows.scales[:2])


def test_vectors_come_in_the_order_asked_and_shared_text_has_one(store: Store) -> None:
    stored = page(1)
    made = chunks(stored, 6)
    store.put_page(stored, made)
    rows = vectors(2)
    store.put_vectors(hashes(made), rows)
    known, found = store.load_vectors(
        [made[1].content_hash, "unknown", made[0].content_hash, made[1].content_hash]
    )
    assert known.tolist() == [True, False, True, True]
    assert np.array_equal(found.codes, rows.codes[[1, 0, 1]])


def test_heads_say_what_lists_need(store: Store) -> None:
    first, second = page(1), page(2)
    for stored in (first, second):
        store.put_page(stored, chunks(stored, 6, 20))
    assert list(store.load_heads()) == [head_of(first, 3), head_of(second, 3)]
    store.remove_page(first.source)
    assert list(store.load_heads()) == [head_of(second, 3)]


def test_one_page_and_one_chunk_can_be_read(store: Store) -> None:
    stored = page(1)
    store.put_page(stored, chunks(stored, 6, 20))
    assert store.load_page(stored.source) == stored
    assert [store.load_chunk(stored.source, i) for i in range(4)] == [*chunks(stored, 6, 20), None]
    assert list(store.content_hashes(stored.source)) == hashes(chunks(stored, 6, 20))
    assert store.load_page(SourceId("unknown")) is None
    assert store.load_chunk(SourceId("unknown"), 0) is None


def test_a_page_is_put_with_its_part(store: Store) -> None:
    stored = page(1)
    stamp = store.new_stamp()
    store.put_page(stored, chunks(stored), PartRow(7, b"data", stamp))
    ((part_id, n_postings),) = store.part_sizes().items()
    assert (n_postings, store.load_part(part_id)) == (7, b"data")
    assert store.load_heads()[0].stamp == stamp


def test_parts_are_replaced_by_one_or_by_none(store: Store) -> None:
    for n in (1, 2, 3):
        store.put_page(page(n), chunks(page(n)), PartRow(n, b"%d" % n, store.new_stamp()))
    first, second, third = store.part_sizes()
    store.replace_parts([first, second], PartRow(3, b"12"))
    assert list(store.part_sizes().values()) == [3, 3]
    store.replace_parts([third], None)
    assert [store.load_part(part_id) for part_id in store.part_sizes()] == [b"12"]
    assert store.load_part(third) == b""


def test_a_stamp_is_never_given_again(path: Path) -> None:
    opened = SqliteStore(path)
    stamp = opened.new_stamp()
    opened.put_page(page(1), chunks(page(1)), PartRow(1, b"", stamp))
    opened.remove_page(page(1).source)
    opened.close()
    again = SqliteStore(path)  # which sweeps the page
    assert again.new_stamp() > stamp
    again.close()


def test_vectors_laid_together_are_those_of_the_page(store: Store) -> None:
    stored = page(1)
    made = chunks(stored, 6, 20)
    store.put_page(stored, made)
    rows = vectors(3)
    store.put_vectors(hashes(made), rows)
    store.pack_vectors(stored.source, rows)
    ((source, packed),) = store.packed_vectors()
    assert source == stored.source
    assert np.array_equal(packed.codes, rows.codes)
    assert np.array_equal(packed.scales, rows.scales)
    known, found = store.load_vectors([made[2].content_hash, "unknown", made[0].content_hash])
    assert known.tolist() == [True, False, True]
    assert np.array_equal(found.codes, rows.codes[[2, 0]])


def test_vectors_laid_together_survive_a_changed_page(store: Store) -> None:
    stored = page(1)
    before = chunks(stored, 6, 20)
    store.put_page(stored, before)
    rows = vectors(3)
    store.put_vectors(hashes(before), rows)
    store.pack_vectors(stored.source, rows)
    changed = replace(stored, text=stored.text + " More.")
    store.put_page(changed, chunks(changed, 6, 20))
    assert not list(store.packed_vectors())
    known, kept = store.load_vectors(hashes(chunks(changed, 6, 20)))
    assert known.tolist() == [True, True, False]
    assert np.array_equal(kept.codes, rows.codes[:2])


def test_no_vectors_is_an_empty_matrix(store: Store) -> None:
    known, found = store.load_vectors(["unknown"])
    assert known.tolist() == [False]
    assert found.codes.shape[0] == found.scales.shape[0] == 0


def test_a_removed_page_is_gone_and_can_be_restored_whole(store: Store) -> None:
    first, second = page(1), page(2)
    for stored in (first, second):
        store.put_page(stored, chunks(stored, 6))
        store.put_vectors(hashes(chunks(stored, 6)), vectors(2, seed=len(stored.title)))
    store.remove_page(first.source)
    assert list(store.load_pages()) == [second]
    assert store.restore_page(first.source) == first
    assert list(store.load_pages()) == [first, second]
    known, _ = store.load_vectors(hashes(chunks(first, 6)))
    assert known.all()


def test_everything_can_be_removed_and_restored_whole(store: Store) -> None:
    first, second, third = page(1), page(2), page(3)
    for stored in (first, second, third):
        store.put_page(stored, chunks(stored, 6))
        store.put_vectors(hashes(chunks(stored, 6)), vectors(2, seed=len(stored.title)))
    store.remove_page(first.source)
    store.remove_all()
    assert list(store.load_pages()) == []
    assert list(store.restore_all()) == list(store.load_pages()) == [second, third]
    assert store.load_vectors(hashes(chunks(second, 6)))[0].all()
    assert list(store.restore_all()) == []


def test_only_the_last_removed_page_can_be_restored(store: Store) -> None:
    first, second = page(1), page(2)
    for stored in (first, second):
        store.put_page(stored, chunks(stored))
    store.remove_page(first.source)
    store.remove_page(second.source)
    assert store.restore_page(first.source) is None
    assert store.restore_page(second.source) == second


def test_what_a_mirror_acknowledged_is_kept_by_destination(store: Store) -> None:
    first, second = page(1).source, page(2).source
    store.put_mirrored("http://a/x", {first: "one", second: "two"})
    store.put_mirrored("http://b/x", {first: "one"})
    store.put_mirrored("http://a/x", {first: "changed"})
    store.remove_mirrored("http://a/x", [second])
    assert store.mirrored("http://a/x") == {first: "changed"}
    assert store.mirrored("http://b/x") == {first: "one"}
    assert store.mirrored("http://c/x") == {}


def test_a_library_keeps_a_name_of_its_own(tmp_path: Path) -> None:
    names = []
    for name in ("one.db", "one.db", "two.db"):
        opened = SqliteStore(tmp_path / name)
        names.append(opened.library_id())
        assert opened.library_id() == names[-1]
        opened.close()
    assert names[0] == names[1] != names[2]


@pytest.mark.fault("F30")
def test_another_model_is_refused_while_vectors_are_there(store: Store) -> None:
    stored = page(1)
    store.set_model_id("minilm")
    store.set_model_id("other")
    store.put_page(stored, chunks(stored))
    store.put_vectors(hashes(chunks(stored)), vectors(1))
    with pytest.raises(ModelError, match="vectors are of other"):
        store.set_model_id("minilm")
    assert store.model_id() == "other"


def test_the_vectors_in_use_stay_until_the_next_are_adopted(store: Store) -> None:
    stored = page(1)
    own, old, new = hashes(chunks(stored, 6)), vectors(2), vectors(2, seed=1)
    store.set_model_id("old")
    store.put_page(stored, chunks(stored, 6))
    store.put_vectors(own, old)
    store.put_next_vectors("new", own[:1], QuantizedVectors(new.codes[:1], new.scales[:1]))
    assert store.next_vectors("new", own).tolist() == [True, False]
    assert store.next_vectors("another", own).tolist() == [False, False]
    assert np.array_equal(store.load_vectors(own)[1].codes, old.codes)
    assert store.model_id() == "old"
    store.put_next_vectors("new", own[1:], QuantizedVectors(new.codes[1:], new.scales[1:]))
    store.adopt_next("new")
    assert np.array_equal(store.load_vectors(own)[1].codes, new.codes)
    assert store.model_id() == "new"
    assert store.next_vectors("new", own).tolist() == [False, False]


@pytest.mark.fault("F30")
def test_next_vectors_of_two_models_never_mix(store: Store) -> None:
    stored = page(1)
    own = hashes(chunks(stored, 6))
    store.put_page(stored, chunks(stored, 6))
    store.put_next_vectors("one", own, vectors(2))
    store.put_next_vectors("two", own[:1], vectors(1, seed=1))
    assert store.next_vectors("one", own).tolist() == [False, False]
    store.adopt_next("two")
    known, rows = store.load_vectors(own)
    assert known.tolist() == [True, False]
    assert np.array_equal(rows.codes, vectors(1, seed=1).codes)


def test_attempts_count_until_one_ends(store: Store) -> None:
    source = SourceId("https://example.org/1")
    assert store.attempts(source) == 0
    store.begin_attempt(source)
    store.begin_attempt(source)
    assert store.attempts(source) == 2
    store.end_attempt(source)
    assert store.attempts(source) == 0


def test_a_sound_file_has_no_faults(store: Store) -> None:
    stored = page(1)
    store.put_page(stored, chunks(stored, 6))
    assert list(store.check()) == []
    assert store.size_bytes() > 0


# -- the file itself ------------------------------------------------------------------------------


def test_everything_is_there_after_reopening(path: Path) -> None:
    stored = page(1)
    opened = SqliteStore(path)
    opened.set_model_id("minilm")
    opened.put_page(stored, chunks(stored, 6))
    opened.put_vectors(hashes(chunks(stored, 6)), vectors(2))
    opened.begin_attempt(stored.source)
    opened.close()
    again = SqliteStore(path)
    assert list(again.load_pages()) == [stored]
    assert list(again.load_chunks(stored.source)) == chunks(stored, 6)
    known, rows = again.load_vectors(hashes(chunks(stored, 6)))
    assert known.all()
    assert np.array_equal(rows.codes, vectors(2).codes)
    assert again.model_id() == "minilm"
    assert again.attempts(stored.source) == 1
    again.close()


def test_every_commit_is_flushed(path: Path) -> None:
    flushed: list[int] = []
    opened = SqliteStore(path, flush=lambda: flushed.append(path.stat().st_size))
    n_before = len(flushed)
    opened.put_page(page(1), chunks(page(1)))
    assert len(flushed) == n_before + 1
    opened.close()
    assert len(flushed) == n_before + 2


@pytest.mark.fault("F31")
def test_a_newer_file_is_left_alone(path: Path) -> None:
    SqliteStore(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as raised:
        SqliteStore(path)
    assert raised.value.code == "store_newer"
    assert path.read_bytes() == before


@pytest.mark.fault("F28")
def test_an_open_file_is_locked_for_others(path: Path) -> None:
    opened = SqliteStore(path)
    with pytest.raises(StoreError) as raised:
        SqliteStore(path)
    assert raised.value.code == "store_locked"
    opened.close()


@pytest.mark.parametrize(
    "damage", [b"not a database, just words. " * 100, b"SQLite format 3\x00" + b"\xff" * 5000]
)
@pytest.mark.fault("F21")
def test_a_damaged_file_is_named_and_can_be_set_aside(path: Path, damage: bytes) -> None:
    path.write_bytes(damage)
    with pytest.raises(StoreError) as raised:
        SqliteStore(path)
    assert raised.value.code == "store_corrupt"
    copy = set_aside(path)
    assert copy.read_bytes() == damage
    fresh = SqliteStore(path)
    assert list(fresh.load_pages()) == []
    fresh.close()


@pytest.mark.fault("F27")
def test_flipped_bytes_are_noticed_after_an_unclean_stop(path: Path) -> None:
    opened = SqliteStore(path)
    for n in range(30):
        stored = page(n % 10, TEXT + str(n) * 3000)
        opened.put_page(stored, chunks(stored, 6, 500))
    opened._db.close()  # the process dies: nobody marks the file as cleanly closed
    data = bytearray(path.read_bytes())
    for i in range(len(data) // 2, len(data) // 2 + 3000):
        data[i] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(StoreError) as raised:
        SqliteStore(path)
    assert raised.value.code == "store_corrupt"


@pytest.mark.fault("F26")
def test_a_half_written_transaction_is_rolled_back(path: Path) -> None:
    opened = SqliteStore(path)
    stored = page(1)
    opened.put_page(stored, chunks(stored, 6))
    broken = [*chunks(replace(stored, text="Changed"), 2), chunks(stored, 6)[0]]  # the same id twice
    with pytest.raises(sqlite3.IntegrityError):
        opened.put_page(replace(stored, title="Half"), broken)
    assert list(opened.load_pages()) == [stored]
    assert list(opened.load_chunks(stored.source)) == chunks(stored, 6)
    opened.close()
