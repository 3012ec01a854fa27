"""The budget of a prompt: what is kept, what is dropped, and why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.answers.budget import AFTER_FULL, NO_ROOM, OUTSIDE_WINDOW, BudgetConfig, Item, fit

SIZES = st.lists(st.integers(0, 400), max_size=12)


def items(kind: str, sizes: list[int]) -> list[Item]:
    return [Item(kind, str(i), size) for i, size in enumerate(sizes)]


def test_the_weaker_source_never_takes_the_place_of_a_better_one() -> None:
    budget = fit(BudgetConfig(100, 0, 0), [], [], items("source", [50, 60, 10]))
    assert [line.reason for line in budget.lines] == ["", NO_ROOM, AFTER_FULL]


def test_the_oldest_turns_go_first_and_each_says_why() -> None:
    turns = items("turn", [10, 30, 50, 20])
    budget = fit(BudgetConfig(100, 20, 3), items("system", [10]), turns, [])
    assert [line.reason for line in budget.lines] == ["", OUTSIDE_WINDOW, NO_ROOM, "", ""]
    assert budget.n_tokens == 80


def test_turns_leave_most_of_the_room_to_sources_and_take_what_these_leave() -> None:
    turns = items("turn", [30, 20])
    full = fit(BudgetConfig(100, 0, 9), [], turns, items("source", [40, 40]))
    assert (full.kept("turn"), full.kept("source")) == ((1,), (0, 1))
    spare = fit(BudgetConfig(100, 0, 9), [], turns, items("source", [40]))
    assert (spare.kept("turn"), spare.kept("source")) == ((0, 1), (0,))


def test_what_must_be_there_can_be_too_much() -> None:
    budget = fit(BudgetConfig(100, 20, 2), items("system", [90]), items("turn", [1]), items("source", [1]))
    assert not budget.fits
    assert budget.kept("turn") == budget.kept("source") == ()


@given(st.integers(0, 2000), st.integers(0, 500), st.integers(0, 8), SIZES, SIZES, SIZES)
@pytest.mark.fault("F41")
def test_the_kept_items_fit_and_stay_in_order_without_gaps(
    tokens: int, reserve: int, window: int, fixed: list[int], turns: list[int], sources: list[int]
) -> None:
    config = BudgetConfig(tokens, reserve, window)
    budget = fit(config, items("system", fixed), items("turn", turns), items("source", sources))
    assert [line.item for line in budget.lines] == [
        *items("system", fixed),
        *items("turn", turns),
        *items("source", sources),
    ]
    assert budget.fits or sum(fixed) > max(tokens - reserve, 0)
    kept_turns, kept_sources = budget.kept("turn"), budget.kept("source")
    assert kept_turns == tuple(range(len(turns)))[len(turns) - len(kept_turns) :]
    assert len(kept_turns) <= window
    assert kept_sources == tuple(range(len(kept_sources)))


@given(st.integers(0, 1000), st.integers(1, 500), SIZES)
def test_more_room_keeps_at_least_as_much(tokens: int, more: int, sources: list[int]) -> None:
    small = fit(BudgetConfig(tokens, 0, 0), [], [], items("source", sources))
    large = fit(BudgetConfig(tokens + more, 0, 0), [], [], items("source", sources))
    assert set(small.kept("source")) <= set(large.kept("source"))
