"""The captured tree: strict on the wire, bounded in depth, harmless as HTML."""

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.model import Capture, Node
from tabwise.core.page.capture import (
    MAX_DEPTH,
    TreeBuilder,
    attribute,
    decode_capture,
    encode_capture,
    to_html,
    walk,
)
from tabwise.errors import InputError, WireError


def wire(root: object, **changes: object) -> dict[str, Any]:
    value: dict[str, Any] = {
        "v": 1,
        "url": "https://example.com/a",
        "canonical_url": "",
        "title": "A title",
        "language": "en",
        "n_total_chars": 10,
        "n_read_chars": 5,
        "has_password": False,
        "has_payment": False,
        "has_video": False,
        "is_selection": False,
        "root": root,
    }
    return value | changes


def texts(root: Node) -> str:
    return "".join(item for _, item in walk(root) if isinstance(item, str))


def depth(root: Node) -> int:
    now = deepest = 0
    for event, _ in walk(root):
        now += {"open": 1, "text": 0, "close": -1}[event]
        deepest = max(deepest, now)
    return deepest


def test_tree_is_decoded() -> None:
    root = ["body", {}, "a", ["p", {"class": "x", "onclick": "y"}, "b", ["br", {}]], "c"]
    capture = decode_capture(wire(root))
    paragraph = Node("p", (("class", "x"),), ("b", Node("br", (), ())))
    assert capture == Capture(
        "https://example.com/a", "", "A title", "en", Node("body", (), ("a", paragraph, "c")), 10, 5
    )
    assert attribute(paragraph, "class") == "x"
    assert attribute(paragraph, "href") == ""


def test_tags_are_lower_case() -> None:
    assert decode_capture(wire(["BODY", {}])).root.tag == "body"


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "text",
        {},
        wire(["body", {}], v=2),
        wire(["body", {}], url=None),
        wire(["body", {}], title=3),
        wire(["body", {}], n_total_chars="10"),
        wire(["body", {}], n_total_chars=True),
        wire(["body", {}], n_read_chars=-1),
        wire(["body", {}], n_read_chars=11),
    ],
)
def test_foreign_envelope_is_a_wire_error(value: object) -> None:
    with pytest.raises(WireError):
        decode_capture(value)


@pytest.mark.parametrize(
    "root",
    [
        None,
        "text",
        [],
        ["body"],
        ["", {}],
        [3, {}],
        ["body", []],
        ["body", {"class": 3}],
        ["body", {}, None],
        ["body", {}, 3],
        ["body", {}, ["p", {}, {"a": 1}]],
    ],
)
def test_tree_that_is_none_is_an_unreadable_page(root: object) -> None:
    with pytest.raises(InputError) as caught:
        decode_capture(wire(root))
    assert caught.value.code == "page_unreadable"
    assert caught.value.subject == "https://example.com/a"


@pytest.mark.native  # taking apart a list nested this deep overflows the stack of a browser's worker
@pytest.mark.fault("F61")
def test_page_20000_elements_deep_keeps_its_text_in_order() -> None:
    root: list[Any] = ["div", {}, "end"]
    for number in range(20_000):
        root = ["div", {}, f"{number} ", root]
    capture = decode_capture(wire(root))
    assert texts(capture.root) == "".join(f"{number} " for number in reversed(range(20_000))) + "end"
    assert depth(capture.root) == MAX_DEPTH + 1  # the line breaks that dissolved blocks leave
    assert decode_capture(encode_capture(capture)) == capture


TREES = st.recursive(
    st.text(max_size=8),
    lambda children: st.tuples(
        st.sampled_from(["div", "p", "b", "br", "td", "custom-el", "ein wort", "script"]),
        st.dictionaries(st.sampled_from(["class", "href", "lang"]), st.text(max_size=5), max_size=2),
        st.lists(children, max_size=4),
    ).map(lambda parts: [parts[0], parts[1], *parts[2]]),
    max_leaves=20,
).filter(lambda tree: isinstance(tree, list))


@given(TREES)
def test_wire_round_trip(root: list[Any]) -> None:
    value = wire(root)
    assert encode_capture(decode_capture(json.loads(json.dumps(value)))) == value


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.data: list[str] = []
        self.tags: list[str] = []

    def handle_data(self, data: str) -> None:
        self.data.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


@given(
    st.lists(
        st.sampled_from(["<script>", "</p>", "&amp;", "&lt", "]]>", "<!--", "text", '"', "'"]), max_size=8
    )
)
def test_text_in_html_is_only_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    root = Node("body", (), (Node("p", (("class", text),), (text,)),))
    reader = _Reader()
    reader.feed(to_html(root))
    reader.close()
    assert "".join(reader.data) == text
    assert reader.tags == ["html", "body", "div", "p"]


def test_elements_that_parsers_read_differently_become_div() -> None:
    root = Node("body", (), (Node("script", (), ("x",)), Node("a b", (), ()), Node("br", (), ())))
    assert to_html(root) == (
        "<!DOCTYPE html><html><body><div><div>x</div><div></div><br></div></body></html>"
    )


@pytest.mark.fault("F36")
def test_html_has_no_lone_surrogate_and_no_hidden_character() -> None:
    root = Node("body", (), ("a\ud83d\u200bb\0",))
    assert "<div>a�b</div>" in to_html(root)


def test_dissolved_blocks_stay_apart() -> None:
    builder = TreeBuilder()
    for _ in range(MAX_DEPTH):
        builder.open("div")
    for word in ("one", "two"):
        builder.open("p")
        builder.open("b")
        builder.text(word)
        builder.close()
        builder.close()
    for _ in range(MAX_DEPTH):
        builder.close()
    innermost = [item for event, item in walk(builder.finish()) if event == "open"][MAX_DEPTH - 1]
    assert isinstance(innermost, Node)
    line_break = Node("br", (), ())
    assert innermost.children == (line_break, "one", line_break, line_break, "two", line_break)
