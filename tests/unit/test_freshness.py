"""What became of a passage: unchanged, moved, reworded, gone, and the words that differ."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.answers.freshness import Edit, Freshness, State, compare, difference
from tabwise.engine.jobs import silent_job

QUOTE = "The range reaches 16.3 metres at Burntcoat Head."
BEFORE, AFTER = "It is a bay in Canada. ", " Turbines were tested there."


def look(quote: str, text: str, before: str = BEFORE, after: str = AFTER) -> Freshness:
    return asyncio.run(silent_job().drive(compare(quote, before, after, text)))


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"{BEFORE}{QUOTE}{AFTER}", State.UNCHANGED),
        (f"News of today.\n{BEFORE}{QUOTE} Something else follows.", State.UNCHANGED),
        (f"{BEFORE}The range  reaches 16.3 metres\nat Burntcoat Head.{AFTER}", State.UNCHANGED),
        (f"First comes this. {QUOTE} Then comes that.", State.MOVED),
        ("The range reaches 17 metres at Burntcoat Head.", State.REWORDED),
        ("At Burntcoat Head the range reaches about 16.3 metres.", State.REWORDED),
        ("Bread is baked at 240 degrees.", State.GONE),
        ("", State.GONE),
    ],
)
@pytest.mark.fault("F72")
def test_what_became_of_a_passage(text: str, state: State) -> None:
    assert look(QUOTE, text).state is state


def test_of_two_places_the_one_between_the_same_text_counts() -> None:
    text = f"As said: {QUOTE} So it is. {BEFORE}{QUOTE}{AFTER}"
    found = look(QUOTE, text)
    assert found.state is State.UNCHANGED
    assert found.start == text.rindex(QUOTE)


def test_curly_quotes_and_dashes_are_no_difference() -> None:
    assert look('He said "no" - twice.', "He said “no” – twice.", "", "").state is State.UNCHANGED


def test_the_difference_is_told_in_words() -> None:
    assert difference("It is 16 metres high.", "It is 17 metres tall.") == (
        (Edit.SAME, "It is "),
        (Edit.REMOVED, "16"),
        (Edit.ADDED, "17"),
        (Edit.SAME, " metres "),
        (Edit.REMOVED, "high"),
        (Edit.ADDED, "tall"),
        (Edit.SAME, "."),
    )


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_pieces_give_both_texts_back(old: str, new: str) -> None:
    pieces = difference(old, new)
    assert "".join(text for edit, text in pieces if edit is not Edit.ADDED) == old
    assert "".join(text for edit, text in pieces if edit is not Edit.REMOVED) == new


@given(st.text(max_size=40), st.text(max_size=80), st.text(max_size=40))
def test_a_passage_is_found_in_any_text_that_holds_it(before: str, after: str, quote: str) -> None:
    text = f"{before}\nA {quote} z\n{after}"
    found = look(f"A {quote} z", text, before, after)
    assert found.state in (State.UNCHANGED, State.MOVED)
    assert 0 <= found.start < found.end <= len(text)
