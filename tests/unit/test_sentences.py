"""Sentence spans: the border cases by example, the shape by property."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.text.sentences import MAX_SENTENCE_CHARS, split

# "¦" stands where a sentence must end; nothing else may.
EXAMPLES = """
Dr. Smith went to Washington on Jan. 5, 2024. ¦He met Mr. J. R. Jones at 5 p.m. in St. Paul. ¦They talked.
The tide rose 3.5 m. ¦Then it fell to 1.2 m at noon.
See e.g. the docs at https://example.com/a.b?c=d. ¦It works, i.e. it runs.
"Is it true?" she asked. ¦"Yes!" ¦He left.
Version 1.2.3 was released. ¦Use Node.js v20. ¦Done!
Visit U.S. Route 5 or the U.S. ¦The road is long.
今天天气很好。¦我们去公园吧！¦你来吗？¦好的。
彼は「行く。」と言った。¦そして去った。
यह पहला वाक्य है। ¦यह दूसरा है।
Wait... what happened? ¦Nothing… ¦Really.
He said (see Fig. 3). ¦The end.
It was the 1st. ¦No. 5 is alive. ¦Prof. Dr. Müller kam am 3. Oktober an.
She works at Apple Inc. in Cupertino. ¦Sales rose by 3.2 percent.
What?! ¦No way!! ¦Really.
«Это правда?» ¦Да. ¦Он родился в 1920 г. в Москве.
I like the U.K. and the E.U. countries. ¦So do I. ¦We agree.
The cost is $5.00. ¦It rose to €1.234,50 yesterday.
Call foo.bar() now. ¦Then quit.
He wrote “I am done.” ¦She agreed.
The company (est. 1990) was sold. ¦Vol. 3, pp. 12–15 cover it.
هل هذا صحيح؟ ¦نعم، هو كذلك.
The file is in etc. ¦Then it was moved.
Approx. 50 people came. ¦Ave. Foch is in Paris.
Le barrage, inauguré en 1966 par M. de Gaulle, est grand. ¦Il marche.
¿Dónde está el Sr. López? ¦¡Aquí! ¦Gracias.
Die Anlage wurde z. B. 1966 gebaut. ¦Sie läuft, d. h. sie lebt.
J. K. Rowling wrote it. ¦A. Lincoln read it.
Output: 240 MW. ¦Area: 22 km². ¦That's it.
It opened in 1966.[1] ¦It still runs.[12][a] ¦Nobody knows.
Yahoo! is old. ¦Is it?
1. Install the package. ¦2. Run it.
"""
LINES = EXAMPLES.strip().splitlines()


@pytest.mark.parametrize("marked", LINES)
def test_sentences_end_where_a_reader_ends_them(marked: str) -> None:
    text = marked.replace("¦", "")
    assert [text[start:end] for start, end in split(text)] == [part.strip() for part in marked.split("¦")]


def test_line_break_always_ends_a_sentence() -> None:
    assert split("First line\nsecond line") == [(0, 10), (11, 22)]


def test_writer_without_capitals_gets_sentences_too() -> None:
    text = "we walked to the harbour. then the boats came in."
    assert [text[start:end] for start, end in split(text)] == [
        "we walked to the harbour.",
        "then the boats came in.",
    ]


def test_overlong_sentence_is_cut_behind_a_comma_or_word() -> None:
    text = ("word " * 80 + "half, ") * 3
    spans = split(text)
    assert [text[start:end][-5:] for start, end in spans] == ["half,"] * 3
    assert max(end - start for start, end in split("word " * 1000)) <= MAX_SENTENCE_CHARS


def test_overlong_word_is_cut_between_drawn_characters() -> None:
    family = "👨‍👩‍👧‍👦"
    text = family * 400
    assert {(end - start) % len(family) for start, end in split(text)} == {0}


def test_nothing_visible_gives_nothing() -> None:
    assert split("") == []
    assert split(" \n\t ") == []


PIECES = [*'aA1 .!?…\n\t"”)]。！।é中', "Dr", "e.g", "U.S", " The ", "I", "word " * 70]
PROSE = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(st.one_of(PROSE, st.text(max_size=120)))
def test_spans_cover_all_visible_text_in_order_without_overlap(text: str) -> None:
    spans = split(text)
    borders = [border for span in spans for border in span]
    assert borders == sorted(borders)
    assert all(start < end <= start + MAX_SENTENCE_CHARS for start, end in spans)
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
    covered = {at for start, end in spans for at in range(start, end)}
    assert {at for at, character in enumerate(text) if not character.isspace()} <= covered
    assert not any("\n" in text[start:end] for start, end in spans)


@pytest.mark.parametrize("hard", ["a. ", "1. ", ". ", "Dr. X", "A.", "“.", "x"])
def test_hostile_line_takes_linear_work(hard: str) -> None:
    # Quadratic work on 60,000 characters took 20 s before.
    assert split(hard * (60_000 // len(hard)))
