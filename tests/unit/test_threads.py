"""Titles, branches and matches of saved threads."""

import pytest

from tabwise.core.threads import (
    MAX_TITLE_CHARS,
    ThreadTurn,
    TurnId,
    TurnState,
    excerpt_around,
    newest_leaf,
    path_to,
    title_of,
)


def turn(name: str, parent: str, at: float = 0.0) -> ThreadTurn:
    return ThreadTurn(TurnId(name), parent, name, TurnState.DONE, at, "{}")


TREE = [turn("a", "", 1), turn("b", "a", 2), turn("c", "b", 3), turn("b2", "a", 4)]


def test_a_short_question_is_its_own_title() -> None:
    assert title_of("  Who wrote\n it? ") == "Who wrote it?"


def test_a_long_question_is_cut_at_a_word() -> None:
    title = title_of("word " * 40)
    assert title.endswith("word…")
    assert len(title) <= MAX_TITLE_CHARS + 1


def test_a_question_of_one_long_word_is_cut_inside_it() -> None:
    assert title_of("x" * 200) == "x" * MAX_TITLE_CHARS + "…"


@pytest.mark.parametrize(("head", "shown"), [("c", "a b c"), ("b2", "a b2"), ("a", "a"), ("gone", "")])
def test_the_path_leads_from_the_first_turn_to_the_head(head: str, shown: str) -> None:
    assert [one.id for one in path_to(TREE, head)] == shown.split()


def test_turns_that_name_each_other_as_parent_end() -> None:
    assert [one.id for one in path_to([turn("a", "b"), turn("b", "a")], "a")] == ["b", "a"]


@pytest.mark.parametrize(("start", "leaf"), [("a", "b2"), ("b", "c"), ("c", "c"), ("gone", "gone")])
def test_going_down_takes_the_turn_asked_last(start: str, leaf: str) -> None:
    assert newest_leaf(TREE, start) == leaf


@pytest.mark.parametrize("text", ["Tides are high", "x " * 200 + "TIDES" + " y" * 200, "İİİ tides"])
def test_the_excerpt_holds_what_was_searched(text: str) -> None:
    excerpt, start, end = excerpt_around(text, "tides")
    assert excerpt[start:end].lower() == "tides"
    assert len(excerpt) < 220


def test_a_text_that_is_not_there_has_no_excerpt() -> None:
    with pytest.raises(ValueError, match="substring"):
        excerpt_around("ebb", "flow")
