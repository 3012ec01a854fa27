"""The tree a view returns: (tag, attributes, children), plain data until the patcher draws it.

Attributes: None and False leave the attribute out, True sets it empty. `key` names a child among its
siblings so that it keeps its element when the order changes. `on-click`, `on-input`, `on-change`,
`on-enter` and `on-leave` hold the event (a dict) that the panel dispatches.
"""


def h(tag: str, attrs: dict | None = None, *children: object) -> tuple:
    """Return a node; nested lists of children are flattened, None and False are left out."""
    flat: list = []
    _flatten(list(children), flat)
    return (tag, attrs or {}, flat)


def _flatten(children: list, into: list) -> None:
    for child in children:
        if child is None or child is False:
            continue
        if isinstance(child, list):
            _flatten(child, into)
        else:
            into.append(child)
