"""terms: what a text is searched by."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.text.stemming import language_key
from tabwise.core.text.terms import STOP_WORDS, terms


def test_example_of_the_module() -> None:
    found = terms("The tidal-stream turbines of 2,400 kW")
    assert found == ["tidal", "stream", "tidal-stream", "turbin", "2400", "kw"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node.js", ["node", "js", "node.js"]),
        ("snake_case_name", ["snake", "case", "name", "snake_case_name"]),
        ("__init__", ["init"]),
        ("getUserMedia", ["getusermedia", "get", "user", "media"]),
        ("HTMLParser", ["htmlparser", "html", "parser"]),
        ("Turbines", ["turbin"]),
        ("std::vector", ["std", "vector"]),
        ("C++ and C#", ["c++", "c#"]),
        ("issue #42", ["issu", "42"]),
        ("2024-03-12", ["2024", "03", "12", "2024-03-12"]),
        ("1,200,300", ["1200300"]),
        ("1,20", ["20"]),
        ("3.5", ["3.5"]),
        ("B12", ["b12"]),
        ("don't", ["don"]),
        ("end. Start", ["end", "start"]),
        ("well\u2010known", ["well", "known", "well-known"]),
        ("", []),
        ("the of and", []),
        ("- . : _", []),
    ],
)
@pytest.mark.fault("F65")
def test_words_and_their_parts(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("東京都", "ja", ["東京", "京都"]),
        ("水", "zh", ["水"]),
        ("埃菲尔铁塔的高度是多少", "zh", ["埃菲", "菲尔", "尔铁", "铁塔", "高度"]),
        ("新iPad", "zh", ["新", "ipad", "pad"]),
        ("한국어", "ko", ["한국", "국어"]),
        ("ไทย", "th", ["ไท", "ทย"]),
        ("Häuser", "de", ["haus"]),
        ("Häuser", "de-AT", ["haus"]),
        ("домов", "", ["дом"]),
        ("домов", "ru", ["дом"]),
        ("построил построенная постройка", "ru", ["постро"] * 3),
        ("домов", "bg", ["домов"]),
        ("किताबें", "hi", ["किताब"]),
        ("Tiếng Việt", "vi", ["tiếng", "việt"]),
        ("می\u200cخواهم", "fa", ["خواه"]),
    ],
)
@pytest.mark.fault("F65")
def test_scripts_and_languages(text: str, language: str, expected: list[str]) -> None:
    assert terms(text, language) == expected


def test_composed_and_decomposed_accents_are_one_term() -> None:
    assert terms(unicodedata.normalize("NFD", "café")) == terms("café")


def test_full_width_digits_are_digits() -> None:
    assert terms("2024") == ["2024"]


@pytest.mark.parametrize(
    ("language", "key"),
    [("", "en"), ("en-GB", "en"), ("DE_at", "de"), ("ja", "en"), ("und", "en"), ("vi", "vi")],
)
def test_language_key(language: str, key: str) -> None:
    assert language_key(language) == key


@pytest.mark.parametrize(
    "word", ["किताबें", "தமிழ்நாடு", "ভাষা", "שָׁלוֹם", "العَرَبِيَّة", "e\u0301te\u0301\u0323", "ᠮᠣᠩᠭᠣᠯ", "ދިވެހި", "ქართული"]
)
def test_a_word_with_combining_marks_is_one_term(word: str) -> None:
    assert len(terms(f"{word} {word}")) == 2


@given(st.text(st.characters()))
def test_any_text_gives_usable_terms(text: str) -> None:
    found = terms(text)
    assert all(term and not term.isspace() for term in found)
    assert not STOP_WORDS.intersection(found)


@given(st.text(st.characters(exclude_categories=[])), st.text(st.characters(exclude_categories=[])))
def test_lines_are_independent(a: str, b: str) -> None:
    assert terms(f"{a}\n{b}") == terms(a) + terms(b)


@given(st.lists(st.sampled_from(["Turbine", "getUserMedia", "東京都", "3.5", "the", "x_y"])))
def test_repeats_are_kept(words: list[str]) -> None:
    assert terms(" ".join(words)) == [term for word in words for term in terms(word)]


@pytest.mark.native
def test_stems_are_those_of_the_pure_classes() -> None:
    terms("warm up")
    assert "Stemmer" not in sys.modules
