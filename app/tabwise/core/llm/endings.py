"""Where the text of a small model ends: at a stop, a leaked control token, or when it goes round in a loop.

Text is handed on only when it can no longer become part of a stop or of a thought. Thoughts between
<think> and </think> are left out; one that never closes leaves nothing.

A loop is a stretch of tokens that came three times in a row, or oftener for short ones, at least 24 tokens in
all: a list may well repeat a word, no sentence is written three times on purpose.
"""

from collections.abc import Sequence

_THINK, _END_THINK = "<think>", "</think>"
_REPEATS = 3
_MIN_LOOP_TOKENS = 24
_MAX_PERIOD = 80


def loop_period(tokens: Sequence[int]) -> int:
    """Length of the stretch that the tokens end in repeating, 0 when they do not."""
    for period in range(1, min(_MAX_PERIOD, len(tokens) // _REPEATS) + 1):
        span = max(_REPEATS * period, _MIN_LOOP_TOKENS)
        if span > len(tokens) or tokens[-1] != tokens[-1 - period]:
            continue
        if all(tokens[-i] == tokens[-i - period] for i in range(2, span - period + 1)):
            return period
    return 0


def without_loop(tokens: Sequence[int], period: int) -> list[int]:
    """The tokens up to the end of the first time the stretch was written."""
    end = len(tokens)
    while end - period > 0 and tokens[end - 1] == tokens[end - 1 - period]:
        end -= 1
    return list(tokens[:end])


class TextGuard:
    """Takes the text of a run as it grows and says which part of it may be shown."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._text = ""
        self._n_shown = 0
        self.is_over = False

    @property
    def text(self) -> str:
        """What the run says, shown or not yet, cut at the first stop; final at the end of the run."""
        return self._text

    def grow(self, written: str) -> str:
        """Take all that was written so far; return what is new to show."""
        self._text = self._cut(_without_thoughts(written))
        safe = len(self._text) if self.is_over else _safe_length(self._text, (*self._stops, _THINK))
        piece = self._text[self._n_shown : safe]
        self._n_shown = max(self._n_shown, safe)
        return piece

    def finish(self, written: str) -> str:
        """Take the whole text at the end of the run; return the rest to show."""
        self._text = self._cut(_without_thoughts(written))
        return self._text[self._n_shown :]

    def _cut(self, text: str) -> str:
        found = [at for stop in self._stops if (at := text.find(stop)) >= 0]
        if found:
            self.is_over = True
            return text[: min(found)]
        return text


def _without_thoughts(text: str) -> str:
    while (start := text.find(_THINK)) >= 0:
        end = text.find(_END_THINK, start)
        behind = text[end + len(_END_THINK) :].lstrip("\n") if end >= 0 else ""
        text = text[:start] + behind
    # The mark that opens the first thought is part of some templates, so a closing one alone ends it too.
    end = text.find(_END_THINK)
    return text[end + len(_END_THINK) :].lstrip("\n") if end >= 0 else text


def _safe_length(text: str, marks: Sequence[str]) -> int:
    """How much of the text cannot be the beginning of a mark any more, or half a character."""
    safe = len(text.rstrip("\ufffd"))
    for mark in marks:
        if mark[0] not in text[-len(mark) :]:
            continue
        for n in range(min(len(mark), len(text)), 0, -1):
            if text.endswith(mark[:n]):
                safe = min(safe, len(text) - n)
                break
    return safe
