"""Reading what a model wrote: sentences and their marks, whatever the stream's cuts; leaks and loops."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tabwise.core.answers.cited import Said, Sentences, parse
from tabwise.core.answers.model_text import Ending, ending, loop_start, visible


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It rose [1].", [("It rose.", (1,))]),
        ("It rose.[1][2] It fell. [3]", [("It rose.", (1, 2)), ("It fell.", (3,))]),
        ("It rose [1, 3-5] and fell [1].", [("It rose and fell.", (1, 3, 4, 5))]),
        ("Es stieg 【2†source】.", [("Es stieg.", (2,))]),
        ("It rose [Source 4].", [("It rose.", (4,))]),
        ("[1] says it rose.", [("says it rose.", (1,))]),
        ("- **Wind** is *cheap* [1].\n2. Solar is dear.", [("Wind is cheap.", (1,)), ("Solar is dear.", ())]),
        ("# Summary\nThe points are:\n\n* It rose [1].", [("It rose.", (1,))]),
        ("Dr. Reid measured 3.5 m. [1]", [("Dr. Reid measured 3.5 m.", (1,))]),
        ("It rose [0] [99].", [("It rose.", (0, 99))]),
        ("x[i] is 2 * 3 * 4.", [("x[i] is 2 * 3 * 4.", ())]),
        ("[1]\n\n[2].", []),
    ],
)
def test_sentences_and_their_marks(text: str, said: list[tuple[str, tuple[int, ...]]]) -> None:
    assert parse(text) == tuple(Said(*one) for one in said)


PIECES = st.lists(
    st.sampled_from(
        [
            "It rose",
            ". ",
            "[1]",
            " [2, 3]",
            "\n",
            "- ",
            "Dr. Reid",
            " 3.5 m",
            "? ",
            "**so** ",
            "e.g. ",
            "No",
            "1. ",
        ]
    ),
    max_size=14,
).map("".join)


@given(PIECES, st.data())
def test_a_stream_gives_the_same_sentences_however_it_is_cut(text: str, data: st.DataObject) -> None:
    reader = Sentences()
    said: list[Said] = []
    at = 0
    while at < len(text):
        at = data.draw(st.integers(at + 1, len(text)))
        said += reader.feed(text[:at])
    said += reader.feed(text, is_whole=True)
    assert tuple(said) == parse(text)


@given(st.text())
@pytest.mark.fault("F69")
def test_any_text_is_read(text: str) -> None:
    assert all(one.text.strip() == one.text != "" for one in parse(text))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<think>Let me see.</think>It rose.", "It rose."),
        ("Let me see.</think>\n\nIt rose.", "It rose."),
        ("It rose.<think>never closed", "It rose."),
        ("It rose.<|im_end|>\n<|im_start|>user\nMore", "It rose."),
        ("It rose.</s>", "It rose."),
        ("It rose.<|eot_id|>", "It rose."),
        ("It rose.\nUser: and then?", "It rose."),
        ("It rose.\n\nQuestion: and then?", "It rose."),
        ("<|channel|>It rose.", "It rose."),
        ("1 < 2, and 3 > 2.", "1 < 2, and 3 > 2."),
    ],
)
@pytest.mark.fault("F47")
def test_what_leaks_from_a_model_is_not_shown(raw: str, shown: str) -> None:
    assert visible(raw, is_whole=True) == shown


@pytest.mark.parametrize(
    "text",
    [
        "It rises and falls. " * 6,
        "So it is. " + "very " * 30,
        "它上升然后下降。" * 8,
        "a b c d e f g h i j k l m " * 4,
    ],
)
@pytest.mark.fault("F47")
def test_a_loop_ends_after_its_first_round(text: str) -> None:
    shown = visible(text, is_whole=True)
    assert 0 < len(shown) < len(text) / 2
    assert text.startswith(shown)
    assert loop_start(shown) is None
    assert ending(text) is Ending.LOOP


@pytest.mark.parametrize(
    "text",
    [
        "No, no, no, it is not so.",
        "The tide rises. The tide falls. The tide rises again at noon.",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15.",
        "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |",
    ],
)
def test_ordinary_repetition_is_no_loop(text: str) -> None:
    assert visible(text, is_whole=True) == text
    assert ending(text) is None


TOKENS = st.lists(
    st.sampled_from(
        ["It rose. ", "<|im_end|>", "</s>", "<", "|", "\n", "Us", "User:", "[", "INST]", "3 < 4 ", "a"]
    ),
    max_size=10,
).map("".join)


@given(TOKENS, st.data())
def test_what_was_shown_of_a_stream_stays_unless_it_was_the_beginning_of_a_loop(
    raw: str, data: st.DataObject
) -> None:
    assume(ending(raw) is not Ending.LOOP)
    at = data.draw(st.integers(0, len(raw)))
    early = visible(raw[:at], is_whole=False)
    assert visible(raw, is_whole=True).startswith(early.rstrip())
