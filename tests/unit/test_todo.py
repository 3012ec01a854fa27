"""The agent's list of things to do."""

import pytest

from tabwise.core.agent.todo import MAX_ITEM_CHARS, MAX_ITEMS, TodoError, TodoList


def test_items_keep_their_numbers() -> None:
    todo = TodoList().add(["find the height", " find\nthe  year "]).check_off(1).add(["compare"])
    assert str(todo) == "1. [x] find the height\n2. [ ] find the year\n3. [ ] compare"


def test_an_empty_list_says_so() -> None:
    assert str(TodoList()) == "(the list is empty)"


@pytest.mark.parametrize("number", [-1, 0, 2])
def test_an_item_that_is_not_there_cannot_be_done(number: int) -> None:
    with pytest.raises(TodoError, match=f"no item {number}"):
        TodoList().add(["one"]).check_off(number)


def test_nothing_is_not_an_item() -> None:
    with pytest.raises(TodoError, match="nothing to add"):
        TodoList().add([" ", ""])


def test_the_list_and_its_items_are_bounded() -> None:
    full = TodoList().add(["x" * 999] * MAX_ITEMS)
    assert {len(item.text) for item in full.items} == {MAX_ITEM_CHARS}
    with pytest.raises(TodoError, match="at most"):
        full.add(["one more"])
