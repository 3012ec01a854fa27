"""Which pages a question is put to."""

import pytest

from tabwise.core.model import Block, BlockKind, Page, SourceId
from tabwise.core.search.index import SearchIndex
from tabwise.engine.scoping import HALF_LIFE_DAYS, Scope

DAY_MS = 86_400_000.0


def page(url: str, captured_at: float) -> Page:
    blocks = (Block(BlockKind.PARAGRAPH, 0, 4),)
    return Page(SourceId(url), url, "T", "en", "text", blocks, url, captured_at, 0, 4, 4)


PAGES = [
    page("https://docs.example.org/a", 1 * DAY_MS),
    page("https://example.org/b", 2 * DAY_MS),
    page("https://notexample.org/c", 3 * DAY_MS),
    page("file:///notes.txt", 4 * DAY_MS),
]


@pytest.fixture
def index() -> SearchIndex:
    index = SearchIndex(4)
    for one in PAGES:
        index.add_page(one, [], None)
    return index


@pytest.mark.parametrize(
    ("scope", "kept"),
    [
        (Scope(sites=("example.org",)), "ab"),
        (Scope(sites=("www.Example.org.",)), "ab"),
        (Scope(sites=("docs.example.org", "notexample.org")), "ac"),
        (Scope(sites=("",)), ""),
        (Scope(after_ms=2 * DAY_MS), "bct"),
        (Scope(before_ms=2 * DAY_MS), "a"),
        (Scope(after_ms=2 * DAY_MS, before_ms=3 * DAY_MS), "b"),
        (Scope(sources=frozenset([PAGES[0].source, PAGES[3].source]), sites=("example.org",)), "a"),
        (Scope(sources=frozenset([SourceId("https://gone.example")])), ""),
    ],
)
def test_limits_are_all_met(index: SearchIndex, scope: Scope, kept: str) -> None:
    found = scope.pages(index)
    assert found is not None
    assert sorted(source[-1] for source in found) == sorted(kept)


def test_no_limit_is_everything_not_nothing(index: SearchIndex) -> None:
    assert Scope(prefer_recent=True).pages(index) is None


def test_recency_halves_with_every_half_life(index: SearchIndex) -> None:
    now_ms = 2 * DAY_MS + HALF_LIFE_DAYS * DAY_MS
    recency = Scope(prefer_recent=True).recency(index, now_ms)
    assert recency is not None
    assert recency[PAGES[1].source] == pytest.approx(0.5)
    assert recency[PAGES[0].source] < 0.5 < recency[PAGES[2].source]
    assert Scope().recency(index, now_ms) is None


def test_a_page_from_the_future_is_as_new_as_can_be(index: SearchIndex) -> None:
    recency = Scope(prefer_recent=True).recency(index, 0.0)
    assert set((recency or {}).values()) == {1.0}
