"""The list an agent keeps of what is still to be found out: a value, changed by making a new one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

MAX_ITEMS = 20
MAX_ITEM_CHARS = 200


class TodoError(ValueError):
    """An operation that the list cannot do; the message says why."""


@dataclass(frozen=True, slots=True)
class TodoItem:
    """One thing to do."""

    text: str
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class TodoList:
    """Things to do, numbered from 1 in the order they were added; an item keeps its number."""

    items: tuple[TodoItem, ...] = ()

    def add(self, texts: Sequence[str]) -> "TodoList":
        """Return the list with further items, each cut to MAX_ITEM_CHARS; raises TodoError."""
        added = [" ".join(text.split())[:MAX_ITEM_CHARS] for text in texts]
        added = [text for text in added if text]
        if not added:
            raise TodoError("nothing to add: give `items`")
        if len(self.items) + len(added) > MAX_ITEMS:
            raise TodoError(f"the list holds {MAX_ITEMS} items at most")
        return TodoList((*self.items, *map(TodoItem, added)))

    def check_off(self, number: int) -> "TodoList":
        """Return the list with item `number` done; raises TodoError."""
        if not 1 <= number <= len(self.items):
            raise TodoError(f"no item {number}: the list has {len(self.items)}")
        items = list(self.items)
        items[number - 1] = replace(items[number - 1], is_done=True)
        return TodoList(tuple(items))

    def __str__(self) -> str:
        """The list as a model reads it."""
        lines = [
            f"{number}. [{'x' if item.is_done else ' '}] {item.text}"
            for number, item in enumerate(self.items, start=1)
        ]
        return "\n".join(lines) or "(the list is empty)"
