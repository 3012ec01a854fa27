"""The terms of an index in order, to complete what is being typed and to forgive a slip.

New terms wait in a list and are merged in when next asked: sorting two sorted runs is linear, so typing
while pages come in stays quick. There is no set beside it, which would take more memory than the list.
"""

from bisect import bisect_left
from collections.abc import Iterable

MAX_COMPLETIONS = 32
MIN_FORGIVEN_CHARS = 4
"""A shorter word has too many neighbours one slip away."""
_MIN_STEM_CHARS = 4
_MAX_CUT_CHARS = 3


class Vocabulary:
    """A growing set of terms."""

    def __init__(self, terms: Iterable[str] = ()) -> None:
        self._sorted: list[str] = []
        self._waiting: list[str] = list(terms)

    def add(self, terms: Iterable[str]) -> None:
        """Take terms in."""
        self._waiting.extend(terms)

    def __contains__(self, term: str) -> bool:
        ordered = self._merged()
        at = bisect_left(ordered, term)
        return ordered[at : at + 1] == [term]

    def completions(self, prefix: str) -> list[str]:
        """Return at most MAX_COMPLETIONS terms that begin with `prefix`, in order, itself included.

        A stem shorter than what was typed counts too (universit → univers), cut by up to three characters.
        """
        if not prefix:
            return []
        ordered = self._merged()
        start = bisect_left(ordered, prefix)
        end = bisect_left(ordered, prefix + "\U0010ffff")
        found = ordered[start : min(end, start + MAX_COMPLETIONS)]
        cuts = (prefix[:-n] for n in range(1, _MAX_CUT_CHARS + 1))
        return found + [cut for cut in cuts if len(cut) >= _MIN_STEM_CHARS and cut in self]

    def near(self, term: str) -> list[str]:
        """Return the terms one slip away, in order: a character missing, added, changed, or two swapped.

        The first character is taken to be right.
        """
        if len(term) < MIN_FORGIVEN_CHARS:
            return []
        ordered = self._merged()
        start, end = bisect_left(ordered, term[0]), bisect_left(ordered, term[0] + "\U0010ffff")
        lengths = range(len(term) - 1, len(term) + 2)
        return [
            other for other in ordered[start:end] if len(other) in lengths and is_one_slip_away(term, other)
        ]

    def _merged(self) -> list[str]:
        if self._waiting:
            ordered = sorted(self._sorted + sorted(self._waiting))
            self._sorted = list(dict.fromkeys(ordered))
            self._waiting = []
        return self._sorted


def is_one_slip_away(a: str, b: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours turns `a` into `b`."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[same:], b[same:]
    if len(a) == len(b):
        return rest_a[1:] == rest_b[1:] or (
            rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:] and len(rest_a) > 1
        )
    return rest_a[1:] == rest_b if len(a) > len(b) else rest_a == rest_b[1:]
