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


class Memo:
    """Keeps the last result of a pure builder, so that an unchanged part of the state costs nothing.

    A part is unchanged when each input is the same object or an equal string, number or None.
    The patcher skips a node that is the very object it drew before.
    """

    def __init__(self) -> None:
        self._kept: dict = {}

    def __call__(self, slot: str, build, *inputs: object) -> tuple:
        """Return `build(*inputs)`, or what it returned before for the same inputs in this slot."""
        kept = self._kept.get(slot)
        if kept is not None and _same(kept[0], inputs):
            return kept[1]
        made = build(*inputs)
        self._kept[slot] = (inputs, made)
        return made


def _same(before: tuple, now: tuple) -> bool:
    if len(before) != len(now):
        return False
    for old, new in zip(before, now):
        if old is new:
            continue
        if isinstance(old, (str, int, float)) and isinstance(new, (str, int, float)) and old == new:
            continue
        return False
    return True
