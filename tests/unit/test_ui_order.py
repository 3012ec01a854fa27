"""Sorting on MicroPython: as CPython sorts, equal ranks in order, and cheap where all is in order already."""

from hypothesis import given
from hypothesis import strategies as st

from tabwise.ui.order import ordered


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers())))
def test_a_list_comes_in_the_order_that_cpython_gives_it(items: list[tuple[int, bool, int]]) -> None:
    assert ordered(items, lambda item: item[:2]) == sorted(items, key=lambda item: item[:2])


@given(st.lists(st.integers()), st.booleans())
def test_a_key_is_asked_for_once_for_each_item(items: list[int], in_order: bool) -> None:
    asked: list[int] = []
    given_items = sorted(items) if in_order else items

    def key(item: int) -> int:
        asked.append(item)
        return item

    ordered(given_items, key)
    assert asked == given_items


def test_the_list_that_was_given_stays_as_it_is() -> None:
    items = [3, 1, 2]
    assert ordered(items, lambda item: item) == [1, 2, 3]
    assert items == [3, 1, 2]
