"""Ends a streamed text before the first of its stops, wherever the stream is cut.

What could still become a stop is held back until it is decided.

>>> watch = StopWatch(("\\n\\n",))
>>> watch.feed("one\\n") + "|" + watch.feed("two\\n") + "|" + watch.feed("\\nthree"), watch.stopped
('one|\\ntwo|', True)
"""

from collections.abc import Sequence


class StopWatch:
    """Passes a text on up to the first stop."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.stopped = False

    def feed(self, piece: str) -> str:
        """Return what may be shown now; nothing once it stopped."""
        if self.stopped:
            return ""
        text = self._held + piece
        found = [place for stop in self._stops if (place := text.find(stop)) >= 0]
        if found:
            self.stopped, self._held = True, ""
            return text[: min(found)]
        n_held = self._n_undecided(text)
        self._held = text[len(text) - n_held :]
        return text[: len(text) - n_held]

    def close(self) -> str:
        """Return what was held back when the text ended without a stop."""
        held, self._held = self._held, ""
        return held

    def _n_undecided(self, text: str) -> int:
        """Length of the longest end of `text` that begins a stop."""
        longest = max((len(stop) - 1 for stop in self._stops), default=0)
        for size in range(min(longest, len(text)), 0, -1):
            if any(stop.startswith(text[-size:]) for stop in self._stops):
                return size
        return 0
