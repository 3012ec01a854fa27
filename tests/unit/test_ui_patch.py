"""The patcher: the document equals a fresh drawing, and children that are kept keep their element."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.ui.nodes import h
from tabwise.ui.patch import Patcher


class Text:
    """A text node."""

    def __init__(self, data: str) -> None:
        self.data = data

    def plain(self) -> Any:
        return self.data


class Element:
    """The few methods of an element that the patcher uses."""

    def __init__(self, tag: str, namespace: str = "") -> None:
        self.tag, self.namespace = tag, namespace
        self.attributes: dict[str, str] = {}
        self.children: list[Element | Text] = []
        self.value, self.checked = "", False
        self.moves = 0

    def setAttribute(self, name: str, value: str) -> None:
        assert isinstance(value, str)
        self.attributes[name] = value

    def removeAttribute(self, name: str) -> None:
        self.attributes.pop(name, None)

    def appendChild(self, child: Element | Text) -> None:
        self.children.append(child)

    def removeChild(self, child: Element | Text) -> None:
        del self.children[self._place(child)]

    def insertBefore(self, child: Element | Text, anchor: Element | Text | None) -> None:
        assert all(child is not each for each in self.children)
        self.children.insert(len(self.children) if anchor is None else self._place(anchor), child)

    def moveBefore(self, child: Element | Text, anchor: Element | Text | None) -> None:
        self.moves += 1
        self.removeChild(child)
        self.insertBefore(child, anchor)

    def replaceChildren(self, child: Element | Text) -> None:
        self.children = [child]

    def replaceChild(self, child: Element | Text, before: Element | Text) -> None:
        self.children[self._place(before)] = child

    def plain(self) -> Any:
        return (self.tag, self.attributes, [child.plain() for child in self.children])

    def _place(self, child: Element | Text) -> int:
        return next(place for place, each in enumerate(self.children) if each is child)


class Document:
    """Makes nodes."""

    def createElement(self, tag: str) -> Element:
        return Element(tag)

    def createElementNS(self, namespace: str, tag: str) -> Element:
        return Element(tag, namespace)

    def createTextNode(self, data: str) -> Text:
        return Text(data)


def drawn(*nodes: Any) -> Element:
    """The root after drawing these nodes one after the other."""
    root = Element("body")
    patcher = Patcher(Document(), root)
    for node in nodes:
        patcher.draw(node)
    return root


KEYS = st.lists(st.sampled_from("abcdef"), unique=True)
REPEATED_KEYS = st.lists(st.sampled_from("abc"), max_size=6)
LEAVES = st.text("xy", max_size=2) | st.builds(
    lambda text: h("i", {"title": text or None}, text), st.text("xy")
)


def _keyed(children: list[Any], keys: list[str]) -> tuple[Any, ...]:
    return h("ul", None, [h("li", {"key": key}, child) for key, child in zip(keys, children, strict=False)])


TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(lambda tag, kids: h(tag, None, kids), st.sampled_from(["p", "div"]), st.lists(inner))
        | st.builds(_keyed, st.lists(inner, max_size=6), KEYS | REPEATED_KEYS)
    ),
    max_leaves=12,
).map(lambda node: h("main", None, node))


@given(st.lists(TREES, min_size=1, max_size=4))
def test_patching_equals_drawing_afresh(nodes: list[Any]) -> None:
    assert drawn(*nodes).plain() == drawn(nodes[-1]).plain()


@given(KEYS, KEYS)
def test_children_with_a_key_keep_their_element(before: list[str], after: list[str]) -> None:
    root = Element("body")
    patcher = Patcher(Document(), root)
    patcher.draw(h("ul", None, [h("li", {"key": key, "title": key}) for key in before]))
    first = {child.attributes["title"]: child for child in root.children[0].children}
    patcher.draw(h("ul", None, [h("li", {"key": key, "title": key}) for key in after]))
    second = {child.attributes["title"]: child for child in root.children[0].children}
    assert list(second) == after
    assert all(first[key] is second[key] for key in first.keys() & second.keys())


@pytest.mark.parametrize(("before", "after"), [("abcdef", "fabcde"), ("abcdef", "bcdefa")])
def test_one_child_that_changes_place_is_the_only_one_moved(before: str, after: str) -> None:
    root = drawn(*[h("ul", None, [h("li", {"key": key}) for key in keys]) for keys in (before, after)])
    assert root.children[0].moves == 1


@pytest.mark.parametrize("name", ["href", "src"])
@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:image/png;base64,x", "chrome://settings"])
@pytest.mark.fault("F70")
def test_an_unsafe_address_never_reaches_the_document(name: str, url: str) -> None:
    assert drawn(h("a", {name: url})).children[0].attributes == {}
    assert drawn(h("a", {name: "https://a.example/"}), h("a", {name: url})).children[0].attributes == {}


@pytest.mark.fault("F70")
def test_markup_in_a_title_stays_text() -> None:
    root = drawn(h("b", None, "<img src=x onerror=alert(1)>"))
    assert [type(child) for child in root.children[0].children] == [Text]


def test_an_equal_value_is_not_set_again() -> None:
    class Field(Element):
        writes = 0

        def __setattr__(self, name: str, value: object) -> None:
            if name == "value":
                Field.writes += 1
            super().__setattr__(name, value)

    class Fields(Document):
        def createElement(self, tag: str) -> Element:
            return Field(tag)

    patcher = Patcher(Fields(), Element("body"))
    patcher.draw(h("input", {"value": "typed"}))
    writes = Field.writes
    patcher.draw(h("input", {"value": "typed", "title": "new"}))
    assert Field.writes == writes


def test_events_travel_as_json_in_an_attribute() -> None:
    root = drawn(h("button", {"on-click": {"type": "ask"}}), h("button", {"on-click": None}))
    assert root.children[0].attributes == {}
    root = drawn(h("button", {"on-click": {"type": "ask"}}))
    assert root.children[0].attributes == {"data-on-click": '{"type": "ask"}'}


def test_icons_are_drawn_in_their_namespace() -> None:
    root = drawn(h("svg", None, h("path", {"d": "M0 0"})))
    assert (
        root.children[0].namespace == root.children[0].children[0].namespace == "http://www.w3.org/2000/svg"
    )
