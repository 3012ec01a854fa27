"""Which texts a model may write, as data, and which characters may come next.

A grammar is a small tree without recursion: every sentence of it is finite in depth, so a matcher is the
tree that is left after what was read (Brzozowski, Derivatives of regular expressions, 1964):

    d(c, Text "ab")        = Text "b" when c is "a", else nothing
    d(c, Choice x y)       = Choice of d(c, x), d(c, y)
    d(c, Sequence x y)     = d(c, x) then y, or d(c, y) when x may be empty
    d(c, Run class lo hi)  = Run class lo-1 hi-1 when the class has c, else nothing

A runtime that picks tokens keeps a `Matcher` and allows a token when `advance(token)` is not None. Tokens
whose first character `begins_with` refuses need not be tried.

    >>> yes_or_no = Choice((Text("yes"), Text("no")))
    >>> matcher = Matcher(yes_or_no).advance("y")
    >>> matcher.advance("es").is_complete, matcher.advance("o")
    (True, None)
"""

from dataclasses import dataclass
from typing import NamedTuple


class CharacterClass(NamedTuple):
    """Characters of `members`, or all others when `is_complement`."""

    members: frozenset[str]
    is_complement: bool = False

    def has(self, char: str) -> bool:
        """Whether a character belongs to the class."""
        return (char in self.members) is not self.is_complement


@dataclass(frozen=True, slots=True)
class Text:
    """Exactly this text."""

    value: str


@dataclass(frozen=True, slots=True)
class Run:
    """`low` to `high` characters of a class."""

    of: CharacterClass
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    options: tuple["Grammar", ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other."""

    parts: tuple["Grammar", ...]


Grammar = Text | Run | Choice | Sequence
"""What a model may write."""

EMPTY = Text("")
DIGITS = CharacterClass(frozenset("0123456789"))
ANYTHING = CharacterClass(frozenset(), is_complement=True)
IN_JSON_STRING = CharacterClass(frozenset('"\\') | {chr(code) for code in range(0x20)}, is_complement=True)
"""What stands for itself in a JSON string: escapes are left out, a model gains nothing by them."""


def optional(part: Grammar) -> Grammar:
    """The part or nothing."""
    return Choice((part, EMPTY))


def json_string(max_chars: int) -> Grammar:
    """A JSON string of 1 to `max_chars` characters in its quotes."""
    return Sequence((Text('"'), Run(IN_JSON_STRING, 1, max_chars), Text('"')))


@dataclass(frozen=True, slots=True)
class Matcher:
    """What may follow a text that was read so far."""

    left: Grammar

    @property
    def is_complete(self) -> bool:
        """Whether the text may end here."""
        return _may_be_empty(self.left)

    def advance(self, text: str) -> "Matcher | None":
        """Return the matcher behind `text`, None when no sentence of the grammar goes on so."""
        left = self.left
        for char in text:
            following = _derive(left, char)
            if following is None:
                return None
            left = following
        return Matcher(left)

    def begins_with(self, char: str) -> bool:
        """Whether `char` may come next."""
        return _derive(self.left, char) is not None


def _may_be_empty(node: Grammar) -> bool:
    if isinstance(node, Text):
        return not node.value
    if isinstance(node, Run):
        return node.low == 0
    if isinstance(node, Choice):
        return any(map(_may_be_empty, node.options))
    return all(map(_may_be_empty, node.parts))


def _derive(node: Grammar, char: str) -> Grammar | None:
    """What is left of a node after `char`, None when it cannot begin so."""
    if isinstance(node, Text):
        return Text(node.value[1:]) if node.value.startswith(char) else None
    if isinstance(node, Run):
        if node.high == 0 or not node.of.has(char):
            return None
        return Run(node.of, max(node.low - 1, 0), node.high - 1)
    if isinstance(node, Choice):
        return _choice([left for option in node.options if (left := _derive(option, char)) is not None])
    return _derive_sequence(node, char)


def _derive_sequence(node: Sequence, char: str) -> Grammar | None:
    found = []
    for i, part in enumerate(node.parts):
        rest = node.parts[i + 1 :]
        left = _derive(part, char)
        if left is not None:
            found.append(left if not rest else Sequence((left, *rest)))
        if not _may_be_empty(part):
            break
    return _choice(found)


def _choice(options: list[Grammar]) -> Grammar | None:
    distinct = tuple(dict.fromkeys(options))
    if len(distinct) < 2:
        return distinct[0] if distinct else None
    return Choice(distinct)
