"""Keeps the last result of a pure function, so that an unchanged part of the state costs nothing.

Inputs are unchanged when each is the same object or an equal string or number; state is never changed in
place, so that is exact. The patcher skips a node that is the very object it drew before.

A frame of MicroPython draws some thirty rows in the time a frame has. `bounded` therefore builds a few new
results per frame; what is over the budget is answered with the result before, and `behind` asks for
another frame. Without a budget every call builds.
"""


class Memo:
    """Results by slot, with the inputs they were made from."""

    def __init__(self, max_builds: int = 0) -> None:
        self._max_builds = max_builds
        self._kept: dict = {}
        self._n_built = 0
        self.behind = False

    def forget(self) -> None:
        """Drop every result: what they were made from besides their inputs has changed."""
        self._kept.clear()

    def begin(self) -> None:
        """Start a frame with a fresh budget."""
        self._n_built = 0
        self.behind = False

    def __call__(self, slot: str, build, *inputs):
        """Return `build(*inputs)`, or what it returned before for the same inputs in this slot."""
        kept = self._kept.get(slot)
        if kept is not None and kept[2] and _same(kept[0], inputs):
            return kept[1]
        behind, self.behind = self.behind, False
        made = build(*inputs)
        # a result that holds an older part is shown, and made again in the next frame
        self._kept[slot] = (inputs, made, not self.behind)
        self.behind = self.behind or behind
        return made

    def each(self, slot: str, items: list, build, *shared) -> list:
        """Return [build(item, *shared) for item in items]; an item that is where it was costs nothing.

        `build` goes by way of `bounded`: what was over the budget there is asked for again the next time.
        """
        kept = self._kept.get(slot)
        if kept is None or len(kept[1]) != len(items) or not _same(kept[0], shared):
            kept = (shared, [None] * len(items), items)
        behind, drawn, made = self.behind, [], []
        for item, before, result in zip(items, kept[1], kept[2]):
            if before is not item:
                self.behind = False
                result = build(item, *shared)
                if self.behind:
                    behind, item = True, None
            drawn.append(item)
            made.append(result)
        self.behind = behind
        self._kept[slot] = (shared, drawn, made)
        return made

    def bounded(self, slot: str, build, *inputs):
        """The same within the budget of the frame; over it, the result before, or None when there is none."""
        return self.weighed(1, slot, build, *inputs)

    def weighed(self, weight: int, slot: str, build, *inputs):
        """The same for a result that takes as long to build as `weight` others; the first is always built."""
        kept = self._kept.get(slot)
        if kept is not None and _same(kept[0], inputs):
            return kept[1]
        if self._max_builds and self._n_built and self._n_built + weight > self._max_builds:
            self.behind = True
            return None if kept is None else kept[1]
        self._n_built += weight
        made = build(*inputs)
        self._kept[slot] = (inputs, made, True)
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
