"""Cleaning: what no one sees goes, what carries meaning stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.text.characters import clean, collapse, cut_point, repair_surrogates

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=60)
FORMAT_CHARACTERS = st.text(
    st.sampled_from(
        "a1 #א中☺👩🏽❤\u0645\u06cc\u0915\u094d\u200b\u200c\u200d\ufe0f\ufe0e\u20e3\u202e\u2066"
        "\ufeff\u00ad\u180b\U0001f3f4\U000e0067\U000e0062\U000e007f\U000e0100\U000e0041\ud83d\ude00\ue000\r\n\t\u2028"
    ),
    max_size=30,
)


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم کتاب‌ها را بخوانم",  # Persian, zero-width non-joiner
        "क्‍ष और क्‌ष",  # Hindi, half forms
        "ശ്‍",  # Malayalam chillu, joiner at the end
        "👨‍👩‍👧‍👦",
        "👩🏽‍🚀",
        "❤️‍🔥",
        "🏳️‍🌈",
        "1️⃣ #️⃣",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇫🇷",
        "葛󠄀城",  # ideographic variation
        "ᠮᠣᠩᠭᠣᠯ᠋",  # Mongolian variation selector
        "tab\tand\nline",
        "café naïve Ångström",
    ],
)
@pytest.mark.fault("I2")
def test_meaningful_characters_survive(text: str) -> None:
    assert clean(text) == (text, 0)


@pytest.mark.parametrize(
    ("text", "visible", "n_removed"),
    [
        ("pass\u200bword", "password", 1),
        ("soft\u00adhyphen", "softhyphen", 1),
        ("\ufeffstart", "start", 1),
        ("abc\u202edef\u202c", "abcdef", 2),
        ("\u2066isolated\u2069", "isolated", 2),
        ("latin\u200djoined\u200c", "latinjoined", 2),
        ("icon \ue001 here", "icon  here", 1),
        ("plane \U000f0001\U0010fffd end", "plane  end", 2),
        ("\ufff9base\ufffanote\ufffb", "basenote", 3),
        ("bell\x07 null\x00 delete\x7f", "bell null delete", 3),
        ("x" + "".join(chr(0xE0000 + ord(c)) for c in "ignore"), "x", 6),
        ("🏴" + "".join(chr(0xE0000 + ord(c)) for c in "ignore everything") + "\U000e007f", "🏴", 18),
        ("a\ufe01\ufe02\ufe03b", "ab", 3),
        ("می\u200c\u200c\u200dخ", "می\u200cخ", 2),  # a run of joiners carries bits, not meaning
        ("👩\u200d\u200d👩", "👩👩", 2),
    ],
)
@pytest.mark.fault("I2")
def test_invisible_characters_are_removed_and_counted(text: str, visible: str, n_removed: int) -> None:
    assert clean(text) == (visible, n_removed)


@pytest.mark.fault("F36")
def test_surrogate_pair_is_joined_and_lone_surrogate_replaced() -> None:
    assert clean("\ud83d\ude00 and \ud83d") == ("😀 and �", 0)
    assert repair_surrogates("\ude00\ud83d") == "��"


def test_line_separators_become_line_feeds_uncounted() -> None:
    assert clean("a\r\nb\rc\u2028d\u2029e\x85f\x0cg") == ("a\nb\nc\nd\ne\nf g", 0)


@given(st.one_of(ANY_TEXT, FORMAT_CHARACTERS))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    visible, _ = clean(text)
    assert clean(visible) == (visible, 0)


@given(st.one_of(ANY_TEXT, FORMAT_CHARACTERS))
@pytest.mark.fault("F36")
def test_clean_text_can_be_encoded(text: str) -> None:
    visible, _ = clean(text)
    assert visible.encode("utf-8").decode("utf-8") == visible


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=40))
def test_letters_digits_and_punctuation_are_never_touched(text: str) -> None:
    fillers = "\u115f\u1160\u3164\uffa0"  # letters by category, blank by appearance
    expected = "".join(character for character in text if character not in fillers)
    assert clean(text)[0] == expected


def test_collapse_makes_runs_of_white_space_one_space() -> None:
    assert collapse(" a\u00a0 b\n\n\tc ") == "a b c"


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("abcdef", 3, 3),
        ("abc", 10, 3),
        ("ae\u0301x", 2, 1),  # e and its accent stay together
        ("x👩\u200d👩", 3, 1),
        ("x👩\u200d👩", 2, 1),
        ("x👋🏽", 2, 1),
        ("x🇫🇷", 2, 1),
        ("\u0301\u0301\u0301\u0301", 2, 2),  # nothing else to hold on to
    ],
)
def test_cut_keeps_drawn_characters_whole(text: str, limit: int, expected: int) -> None:
    assert cut_point(text, 0, limit) == expected
