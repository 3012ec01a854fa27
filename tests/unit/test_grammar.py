"""What a grammar allows is what the regular expression of the same meaning matches."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.grammar import (
    DIGITS,
    EMPTY,
    CharacterClass,
    Choice,
    Grammar,
    Matcher,
    Run,
    Sequence,
    Text,
    json_string,
    optional,
)

AB = CharacterClass(frozenset("ab"))
NOT_A = CharacterClass(frozenset("a"), is_complement=True)

LEAVES = st.one_of(
    st.text("abc", max_size=3).map(Text),
    st.builds(
        lambda of, low, more: Run(of, low, low + more),
        st.sampled_from([AB, NOT_A]),
        st.integers(0, 2),
        st.integers(0, 2),
    ),
)
GRAMMARS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: Choice(tuple(parts))),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: Sequence(tuple(parts))),
    ),
    max_leaves=6,
)


def pattern_of(node: Grammar) -> str:
    """The regular expression of a grammar, written down by the meaning of its parts."""
    if isinstance(node, Text):
        return re.escape(node.value)
    if isinstance(node, Run):
        mark = "^" if node.of.is_complement else ""
        return f"[{mark}{''.join(sorted(node.of.members))}]{{{node.low},{node.high}}}"
    if isinstance(node, Choice):
        return f"(?:{'|'.join(map(pattern_of, node.options))})"
    return "".join(map(pattern_of, node.parts))


def is_sentence(grammar: Grammar, text: str) -> bool:
    matcher = Matcher(grammar).advance(text)
    return matcher is not None and matcher.is_complete


@given(GRAMMARS, st.text("abc", max_size=6))
def test_sentences_are_those_of_the_regular_expression(grammar: Grammar, text: str) -> None:
    assert is_sentence(grammar, text) == bool(re.fullmatch(pattern_of(grammar), text))


@given(GRAMMARS, st.text("abc", max_size=4), st.text("abc", max_size=4))
def test_reading_in_two_pieces_is_reading_at_once(grammar: Grammar, a: str, b: str) -> None:
    first = Matcher(grammar).advance(a)
    in_two = None if first is None else first.advance(b)
    at_once = Matcher(grammar).advance(a + b)
    assert (in_two is None, in_two and in_two.is_complete) == (
        at_once is None,
        at_once and at_once.is_complete,
    )


@given(GRAMMARS, st.sampled_from("abc"))
def test_a_next_character_is_one_that_can_be_read(grammar: Grammar, char: str) -> None:
    assert Matcher(grammar).begins_with(char) == (Matcher(grammar).advance(char) is not None)


@given(st.text(min_size=1, max_size=14))
def test_a_json_string_of_the_grammar_stands_for_itself(text: str) -> None:
    written = json.dumps(text, ensure_ascii=False)
    is_plain = len(text) <= 12 and written == f'"{text}"'
    assert is_sentence(json_string(12), f'"{text}"') == is_plain


@pytest.mark.parametrize("text", ["", "7", "123", "1234", "12a"])
def test_an_optional_number(text: str) -> None:
    assert is_sentence(optional(Run(DIGITS, 1, 3)), text) == (text in ("", "7", "123"))


def test_nothing_more_may_come_after_the_end() -> None:
    assert Matcher(EMPTY).is_complete
    assert not Matcher(EMPTY).begins_with("a")
