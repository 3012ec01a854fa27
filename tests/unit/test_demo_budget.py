"""The demo's budget lab: its counts, its decisions, and what of them is told."""

from __future__ import annotations

import pytest

from tabwise.core.answers.budget import BudgetConfig
from tabwise.core.answers.followup import Turn
from tabwise.core.answers.prompts import Source, system_text
from tabwise.demo.budget_lab import SHOWN_CHARS, weigh

TURNS = [Turn(f"question {n}", "an answer of five words") for n in range(4)]
SOURCES = [Source(n, "Title", (), "word " * 20) for n in (1, 2)]


def words(text: str) -> int:
    return len(text.split())


def told(budget: int, window: int = 4) -> dict[str, object]:
    return weigh(BudgetConfig(budget, 10, window), "What?", TURNS, SOURCES, words)


def test_every_item_is_counted_as_it_stands_in_a_prompt() -> None:
    items = told(10_000)["items"]
    n_tokens = [item["n_tokens"] for item in items]  # type: ignore[attr-defined]
    assert n_tokens == [words(system_text("en")), 1, *[7] * 4, *[22] * 2]


def test_what_is_kept_adds_up_and_leaves_the_reserve_alone() -> None:
    for budget in range(100, 300, 7):
        found = told(budget)
        kept = [item["n_tokens"] for item in found["items"] if not item["reason"]]  # type: ignore[attr-defined]
        assert found["n_tokens"] == sum(kept)
        assert found["room_tokens"] == budget - 10


@pytest.mark.parametrize(("window", "n_kept"), [(0, 0), (2, 2), (9, 4)])
def test_turns_outside_the_window_are_left_out_with_the_reason(window: int, n_kept: int) -> None:
    turns = [item for item in told(10_000, window)["items"] if item["kind"] == "turn"]  # type: ignore[attr-defined]
    assert [item["reason"] for item in turns] == ["outside_window"] * (4 - n_kept) + [""] * n_kept


def test_a_text_is_told_by_its_beginning() -> None:
    items = weigh(BudgetConfig(9_999, 0, 1), "x" * 500, [], [], words)["items"]
    assert len(items[1]["text"]) == SHOWN_CHARS
