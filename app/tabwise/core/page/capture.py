"""The captured tree of a page: built with a bounded depth, read from the wire, written as HTML.

Wire form, what capture.js returns:

    {"v": 1, "url", "canonical_url", "title", "language", "n_total_chars", "n_read_chars", "has_password",
     "has_payment", "has_video", "is_selection", "root": NODE}
    NODE = [tag, {attribute: value}, ...children], a child is a string or a NODE

The page decides what is in the tree, so nothing here recurses: a page of 100,000 nested elements is read
like any other. Elements below `MAX_DEPTH` are dissolved: their content stays, in order, in the last
element that fits.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import cast

from tabwise.core.model import Capture, Node
from tabwise.core.text.characters import clean
from tabwise.errors import InputError, WireError

WIRE_VERSION = 1
MAX_DEPTH = 200
ATTRIBUTES = frozenset({"class", "id", "role", "href", "lang", "colspan", "rowspan"})
_BLOCK_TAG_NAMES = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption
figure footer form frame h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option
p pre search section summary table tbody td tfoot th thead tr ul
"""
BLOCK_TAGS = frozenset(_BLOCK_TAG_NAMES.split())
_VOID_TAGS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
# An HTML parser would not read these as ordinary elements; what a person saw in them is kept in a div.
_RAW_TEXT_TAG_NAMES = "iframe noembed noframes noscript plaintext script style template textarea title xmp"
_RAW_TEXT_TAGS = frozenset(_RAW_TEXT_TAG_NAMES.split())
_TAG = re.compile(r"[a-z][a-z0-9-]*")
_TEXT_FIELDS = ("url", "canonical_url", "title", "language")
_COUNT_FIELDS = ("n_total_chars", "n_read_chars")
_FLAG_FIELDS = ("has_password", "has_payment", "has_video", "is_selection")


class TreeBuilder:
    """Builds a `Node` from open, text and close events, never deeper than `MAX_DEPTH`."""

    def __init__(self) -> None:
        self._open: list[tuple[str, tuple[tuple[str, str], ...], list[Node | str]]] = [("", (), [])]
        self._too_deep: list[str] = []

    def open(self, tag: str, attributes: tuple[tuple[str, str], ...] = ()) -> None:
        """Begin an element inside the current one."""
        if len(self._open) <= MAX_DEPTH:
            self._open.append((tag, attributes, []))
            return
        self._too_deep.append(tag)
        if tag in BLOCK_TAGS or tag == "br":
            self._break_line()

    def text(self, text: str) -> None:
        """Append text to the current element."""
        self._open[-1][2].append(text)

    def close(self) -> None:
        """End the current element."""
        if self._too_deep:
            if self._too_deep.pop() in BLOCK_TAGS:
                self._break_line()
            return
        tag, attributes, children = self._open.pop()
        self._open[-1][2].append(Node(tag, attributes, tuple(children)))

    def finish(self) -> Node:
        """Return the one element built; every `open` must have its `close`."""
        (root,) = self._open[0][2]
        assert isinstance(root, Node)
        return root

    def _break_line(self) -> None:
        self._open[-1][2].append(Node("br", (), ()))


def walk(root: Node) -> Iterator[tuple[str, Node | str]]:
    """Yield ("open", node), ("text", text) and ("close", node) in document order."""
    yield "open", root
    stack: list[tuple[Node, Iterator[Node | str]]] = [(root, iter(root.children))]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if isinstance(child, str):
                yield "text", child
                continue
            yield "open", child
            stack.append((child, iter(child.children)))
            break
        else:
            stack.pop()
            yield "close", node


def attribute(node: Node, name: str) -> str:
    """Return the value of an attribute, "" where the element has none."""
    for key, value in node.attributes:
        if key == name:
            return value
    return ""


def decode_capture(value: object) -> Capture:
    """Read the wire form.

    Raises WireError when the envelope is not ours, InputError (page_unreadable) when the tree, which the page
    itself shaped, is no tree.
    """
    if not isinstance(value, dict) or value.get("v") != WIRE_VERSION:
        raise WireError(f"a capture of version {WIRE_VERSION} was expected")
    for name in _TEXT_FIELDS:
        if not isinstance(value.get(name), str):
            raise WireError(f"capture: {name} is not a string")
    for name in _COUNT_FIELDS:
        if type(value.get(name)) is not int or value[name] < 0:
            raise WireError(f"capture: {name} is not a count")
    for name in _FLAG_FIELDS:
        if not isinstance(value.get(name), bool):
            raise WireError(f"capture: {name} is not true or false")
    if value["n_read_chars"] > value["n_total_chars"]:
        raise WireError("capture: more characters read than there are")
    try:
        root = _decode_tree(value.get("root"))
    except ValueError as error:
        raise InputError("page_unreadable", f"capture: {error}", subject=value["url"]) from error
    return Capture(
        url=value["url"],
        canonical_url=value["canonical_url"],
        title=value["title"],
        language=value["language"],
        root=root,
        n_total_chars=value["n_total_chars"],
        n_read_chars=value["n_read_chars"],
        has_password=value["has_password"],
        has_payment=value["has_payment"],
        has_video=value["has_video"],
        is_selection=value["is_selection"],
    )


def encode_capture(capture: Capture) -> dict[str, object]:
    """Write the wire form; `decode_capture` of it gives an equal capture."""
    outer: list[object] = []
    open_elements: list[list[object]] = [outer]
    for event, item in walk(capture.root):
        if event == "close":
            open_elements.pop()
        elif isinstance(item, str):
            open_elements[-1].append(item)
        else:
            element: list[object] = [item.tag, dict(item.attributes)]
            open_elements[-1].append(element)
            open_elements.append(element)
    return {
        "v": WIRE_VERSION,
        "url": capture.url,
        "canonical_url": capture.canonical_url,
        "title": capture.title,
        "language": capture.language,
        "n_total_chars": capture.n_total_chars,
        "n_read_chars": capture.n_read_chars,
        "has_password": capture.has_password,
        "has_payment": capture.has_payment,
        "has_video": capture.has_video,
        "is_selection": capture.is_selection,
        "root": outer[0],
    }


def to_html(root: Node) -> str:
    """Write the tree as an HTML document: everything escaped, no invisible character."""
    parts = ["<!DOCTYPE html><html><body>"]
    for event, item in walk(root):
        if isinstance(item, str):
            parts.append(escape(clean(item)[0], quote=False))
            continue
        tag = _safe_tag(item.tag)
        if event == "close":
            parts.append("" if tag in _VOID_TAGS else f"</{tag}>")
        else:
            attributes = "".join(f' {name}="{escape(clean(text)[0])}"' for name, text in item.attributes)
            parts.append(f"<{tag}{attributes}>")
    parts.append("</body></html>")
    return "".join(parts)


def _safe_tag(tag: str) -> str:
    if tag in ("html", "body", "head") or tag in _RAW_TEXT_TAGS or _TAG.fullmatch(tag) is None:
        return "div"
    return tag


def _decode_tree(value: object) -> Node:
    builder = TreeBuilder()
    stack = [_open_element(builder, value)]
    while stack:
        for child in stack[-1]:
            if isinstance(child, str):
                builder.text(child)
                continue
            stack.append(_open_element(builder, child))
            break
        else:
            stack.pop()
            builder.close()
    return builder.finish()


def _open_element(builder: TreeBuilder, value: object) -> Iterator[object]:
    """Check one wire element, open it, and return its children."""
    if not isinstance(value, list) or len(value) < 2:
        raise ValueError("an element is a list of tag, attributes and children")
    tag, attributes = value[0], value[1]
    if not isinstance(tag, str) or not tag:
        raise ValueError("a tag is a string")
    if not isinstance(attributes, dict):
        raise ValueError("attributes are an object")
    kept = [(name, text) for name, text in attributes.items() if name in ATTRIBUTES]
    if not all(isinstance(text, str) for _, text in kept):
        raise ValueError("an attribute is a string")
    builder.open(tag.lower(), tuple(kept))
    children = iter(value)
    next(children)
    next(children)
    return cast("Iterator[object]", children)
