"""What the index keeps of pages in the file means the same as the pages."""

import random
from collections.abc import Generator
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwise.core.model import Chunk, ChunkId, Page, SourceId, chunk_id_prefix, head_of
from tabwise.core.search import page_part
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.page_part import (
    PagePart,
    decode_part,
    encode_part,
    joined_parts,
    pages_only,
    read_page,
)
from tabwise.core.search.postings import Draft, joined, kept_only, runs
from tabwise.core.search.shelf import HeldPages

Value = TypeVar("Value")

WORDS = ["tide", "turbine", "gate", "mill", "日本語", "naïve", "node.js", "\ud800x", "winter"]


def make_page(number: int, *, n_chunks: int = 3) -> tuple[Page, list[Chunk]]:
    rng = random.Random(number)
    source = SourceId(f"https://example.org/{number}")
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(0, 12))) for _ in range(n_chunks)]
    page = Page(source, source, rng.choice(WORDS), "en", "", (), "", 0.0, 0, 0, 0)
    return page, [
        Chunk(
            ChunkId(f"{chunk_id_prefix(source)}-{i:05d}"), source, i, 0, 0, (), text, text, f"{number}-{i}", 9
        )
        for i, text in enumerate(texts)
    ]  # fmt: skip


def read(number: int, *, n_chunks: int = 3) -> PagePart:
    return end_of(read_page(*make_page(number, n_chunks=n_chunks), number))


def end_of(steps: Generator[None, None, Value]) -> Value:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            value: Value = end.value
            return value


def index_of(parts: list[PagePart], numbers: list[int]) -> SearchIndex:
    shelf = HeldPages()
    for number in numbers:
        shelf.keep(*make_page(number))
    index = SearchIndex(4, shelf=shelf)
    for part in parts:
        index.put_part([head_of(make_page(stamp)[0], 3) for stamp in part.stamps.tolist()], part)
    return index


def answers(index: SearchIndex) -> list[tuple[str, float]]:
    return [
        (hit.chunk.id, hit.score)
        for query in ("tide turbine", "naïve 日本語", "node.js")
        for hit in index.search(query, None, k=30, allow_weak=True)
    ]


def added_one_by_one(numbers: list[int]) -> SearchIndex:
    index = SearchIndex(4)
    for number in numbers:
        index.add_page(*make_page(number), None)
    return index


NUMBERS = st.lists(st.integers(1, 60), unique=True, min_size=1, max_size=8)


@settings(max_examples=40)
@given(NUMBERS)
def test_a_joined_part_read_back_answers_as_its_pages(numbers: list[int]) -> None:
    stored = encode_part(end_of(joined_parts([read(number) for number in numbers])))
    part = decode_part(stored)
    assert part is not None
    assert answers(index_of([part], numbers)) == answers(added_one_by_one(numbers))


@settings(max_examples=40)
@given(NUMBERS, st.sets(st.integers(0, 7)))
def test_pages_that_are_gone_leave_no_trace(numbers: list[int], gone: set[int]) -> None:
    kept = [number for i, number in enumerate(numbers) if i not in gone]
    whole = end_of(joined_parts([read(number) for number in numbers]))
    left = pages_only(whole, lambda stamp, n_chunks: stamp in kept)
    assert answers(index_of([left], kept)) == answers(added_one_by_one(kept))
    assert sorted(left.chunks.terms) == sorted({t for n in kept for t in read(n).chunks.terms})


def test_encoding_does_not_depend_on_the_run() -> None:
    assert encode_part(read(5)) == encode_part(read(5))


@pytest.mark.fault("F27")
def test_a_part_with_a_flipped_bit_or_cut_short_is_refused() -> None:
    stored = encode_part(read(3))
    for position in range(0, len(stored), 7):
        damaged = bytearray(stored)
        damaged[position] ^= 16
        assert decode_part(bytes(damaged)) is None
    for size in (0, 3, 11, len(stored) - 1):
        assert decode_part(stored[:size]) is None


def test_a_part_of_another_way_of_reading_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = encode_part(read(3))
    monkeypatch.setattr(page_part, "READING", "another")
    assert decode_part(stored) is None


def test_runs_count_up_from_each_start() -> None:
    assert runs(np.array([3, 9]), np.array([2, 1])).tolist() == [3, 4, 9]


def test_counts_above_the_largest_stay_at_it() -> None:
    draft = Draft()
    draft.add(["tide"] * 300)
    postings = draft.postings()
    assert (postings.tfs.tolist(), postings.lengths.tolist()) == ([255], [300])


def test_more_documents_than_sixteen_bits_number() -> None:
    draft = Draft()
    for _ in range(70_000):
        draft.add(["tide"])
    many = draft.postings()
    assert many.documents[-1] == 69_999
    kept = np.zeros(70_000, np.bool_)
    kept[-1] = True
    assert kept_only(many, kept).documents.tolist() == [0]
    assert end_of(joined([many, many])).documents[-1] == 139_999
