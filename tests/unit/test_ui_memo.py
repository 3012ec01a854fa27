"""Memo: exact while inputs stay the same, and never more than the budget of new results per frame."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tabwise.ui.memo import Memo
from tabwise.ui.view.frame import frame_view
from ui_driver import Driver, tab


def test_a_result_is_made_again_only_when_an_input_changed() -> None:
    memo, items = Memo(), [1]
    first = memo("slot", lambda *inputs: list(inputs), items, "a")
    assert memo("slot", lambda *inputs: list(inputs), items, "a") is first
    assert memo("slot", lambda *inputs: list(inputs), [1], "a") is not first
    assert memo("slot", lambda *inputs: list(inputs), [1], "b")[1] == "b"


@given(st.lists(st.text(max_size=3), max_size=12), st.integers(1, 4))
def test_frames_converge_to_the_whole(items: list[str], max_builds: int) -> None:
    memo = Memo(max_builds)

    def frame() -> list[Any]:
        memo.begin()
        rows = memo(
            "rows", lambda *all_items: [memo.bounded(f"{n}", str, i) for n, i in enumerate(all_items)], *items
        )
        assert isinstance(rows, list)
        return rows

    n_frames = 1
    rows = frame()
    while memo.behind:
        assert sum(row is not None for row in rows) == n_frames * max_builds
        rows = frame()
        n_frames += 1
    assert rows == items
    assert frame() is rows


def test_over_the_budget_the_row_before_is_shown() -> None:
    memo = Memo(1)
    for item in ("old", "new"):
        memo.begin()
        shown = [memo.bounded(slot, lambda text: text, item) for slot in ("a", "b")]
    assert shown == ["new", None]
    memo.begin()
    assert [memo.bounded(slot, lambda text: text, "new") for slot in ("a", "b")] == ["new", "new"]


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=5), st.integers(1, 3))
def test_each_item_is_what_it_would_be_if_made_alone(lists: list[list[int]], max_builds: int) -> None:
    memo = Memo(max_builds)

    def frame(items: list[int]) -> list[Any]:
        memo.begin()
        built = memo.each("rows", items, lambda n, word: memo.bounded(f"{n}", word.__add__, str(n)), "row ")
        return list(built)

    for items in lists:
        rows = frame(items)
        while memo.behind:
            rows = frame(items)
        assert rows == [f"row {n}" for n in items]


def test_an_item_that_is_where_it_was_is_not_asked_about_again() -> None:
    memo, built, items = Memo(), [], [["a"], ["b"]]
    for now in (items, [items[0], ["c"]], items[:1]):
        memo.begin()
        built.append([])
        memo.each("rows", now, lambda item: built[-1].append(item[0]))
    assert built == [["a", "b"], ["c"], ["a"]]


def test_a_bounded_panel_ends_up_like_an_unbounded_one() -> None:
    driver = Driver().ready()
    driver.do("tabs", tabs=[tab(number, f"https://s{number}.example/") for number in range(1, 60)])
    driver.do("view", value="pages")
    memo = Memo(16)
    for _ in range(4):
        memo.begin()
        drawn = frame_view(driver.state, memo)
    assert not memo.behind
    assert drawn == frame_view(driver.state, Memo())
