"""Draws nodes into the document and keeps it in step with the next ones.

Children with a `key` keep their element when the order changes; the others are matched by place. Text
becomes text nodes and attributes become attributes, so nothing a page wrote can turn into markup. `href`
and `src` are left out unless they point to a web page or to the browser's icon store. `value` and
`checked` are set as properties, and only when they differ, so that the caret stays where it is.
"""

import json

from tabwise.ui.icons import SVG_TAGS
from tabwise.ui.text import is_safe_url

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
_PROPERTIES = ("value", "checked")
_NODE, _ELEMENT, _KIDS = 0, 1, 2


class Patcher:
    """Owns the content of one element.

    `document` and `root` are the browser's objects or anything with their few methods. A drawn node is
    kept as [node, element, drawn children], so that nothing is ever read back from the document.
    """

    def __init__(self, document, root) -> None:
        self._document = document
        self._root = root
        self._drawn: list | None = None

    def draw(self, node: tuple) -> None:
        """Make the content of the root look like `node`; the first call replaces what was there."""
        if self._drawn is None:
            self._drawn = self._mount(node)
            self._root.replaceChildren(self._drawn[_ELEMENT])
        elif _fits(self._drawn[_NODE], node):
            self._patch(self._drawn, node)
        else:
            before = self._drawn[_ELEMENT]
            self._drawn = self._mount(node)
            self._root.replaceChild(self._drawn[_ELEMENT], before)

    def _mount(self, node) -> list:
        if isinstance(node, str):
            return [node, self._document.createTextNode(node), None]
        tag, attrs, children = node
        if tag in SVG_TAGS:
            element = self._document.createElementNS(SVG_NAMESPACE, tag)
        else:
            element = self._document.createElement(tag)
        for name in attrs:
            if name not in _PROPERTIES:
                _set_attribute(element, name, attrs[name])
        kids = []
        for child in children:
            kid = self._mount(child)
            element.appendChild(kid[_ELEMENT])
            kids.append(kid)
        _set_properties(element, attrs)
        return [node, element, kids]

    def _patch(self, drawn: list, node) -> None:
        before = drawn[_NODE]
        if before is node:
            return
        drawn[_NODE] = node
        element = drawn[_ELEMENT]
        if isinstance(node, str):
            if before != node:
                element.data = node
            return
        old, new = before[1], node[1]
        for name in new:
            if name not in _PROPERTIES and old.get(name) != new[name]:
                _set_attribute(element, name, new[name])
        for name in old:
            if name not in new:
                _set_attribute(element, name, None)
        self._patch_children(drawn, node[2])
        _set_properties(element, new)

    def _patch_children(self, drawn: list, nodes: list) -> None:
        if _stand_in_order(drawn[_KIDS], nodes):
            for kid, node in zip(drawn[_KIDS], nodes):
                if kid[_NODE] is not node:
                    self._patch(kid, node)
            return
        names_before, names = _names([kid[_NODE] for kid in drawn[_KIDS]]), _names(nodes)
        parent = drawn[_ELEMENT]
        kept = dict(zip(names_before, drawn[_KIDS]))
        wanted = set(names)
        for name in names_before:
            if name not in wanted:
                parent.removeChild(kept.pop(name)[_ELEMENT])
        # what is still in its place, in document order; a child that was taken out is inserted when reached
        standing = [name for name in names_before if name in wanted]
        result = []
        at = 0
        for name, node in zip(names, nodes):
            if name in kept and at + 1 < len(standing) and standing[at + 1] == name:
                standing.pop(at)
            kid = kept.get(name)
            in_place = at < len(standing) and standing[at] == name
            if kid is None:
                kid = self._mount(node)
            else:
                self._patch(kid, node)
            if in_place:
                at += 1
            else:
                if name in kept and name in standing:
                    standing.remove(name)
                anchor = kept[standing[at]][_ELEMENT] if at < len(standing) else None
                _insert(parent, kid[_ELEMENT], anchor, name in kept)
            result.append(kid)
        drawn[_KIDS] = result


def _stand_in_order(kids: list, nodes: list) -> bool:
    """Whether the drawn children are those of `nodes`, each in its place: so it is in nearly every frame."""
    if len(kids) != len(nodes):
        return False
    for kid, node in zip(kids, nodes):
        before = kid[_NODE]
        if before is node:
            continue
        if isinstance(before, str) or isinstance(node, str):
            if not (isinstance(before, str) and isinstance(node, str)):
                return False
        elif not _fits(before, node):
            return False
    return True


def _names(nodes: list) -> list:
    """Name each child among its siblings: its kind and key, and its place among those that share them."""
    names = []
    counts: dict = {}
    for node in nodes:
        name = "" if isinstance(node, str) else node[0] + "=" + node[1].get("key", "")
        place = counts.get(name, 0)
        counts[name] = place + 1
        names.append(name + " " + str(place) if place else name)
    return names


def _fits(before: tuple, now: tuple) -> bool:
    return before[0] == now[0] and before[1].get("key", "") == now[1].get("key", "")


def _insert(parent, element, anchor, moved: bool) -> None:
    # moveBefore keeps focus, selection and running transitions of the element it moves
    if moved and hasattr(parent, "moveBefore"):
        parent.moveBefore(element, anchor)
    else:
        parent.insertBefore(element, anchor)


def _set_attribute(element, name: str, value) -> None:
    if name == "key":
        return
    if name in ("href", "src") and value and not is_safe_url(value):
        value = None
    if name.startswith("on-"):
        name = "data-" + name
        value = json.dumps(value) if value else None
    if value is None or value is False:
        element.removeAttribute(name)
    else:
        element.setAttribute(name, "" if value is True else value)


def _set_properties(element, attrs: dict) -> None:
    if "value" in attrs:
        if element.value != attrs["value"]:
            element.value = attrs["value"]
    if "checked" in attrs:
        if element.checked != attrs["checked"]:
            element.checked = attrs["checked"]
