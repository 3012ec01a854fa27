"""Stems: the right stemmer for a word, and no more of them loaded than occur."""

import subprocess
import sys

import pytest

from tabwise.core.text.stemming import Stemmer, language_key


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("en", "turbines", "turbin"),
        ("de", "häuser", "haus"),
        ("de", "приливы", "прилив"),  # another script keeps its default
        ("uk", "припливи", "припливи"),  # no stemmer: whole
        ("en", "東京", "東京"),
    ],
)
def test_script_and_language_choose_the_stemmer(language: str, word: str, stem: str) -> None:
    assert Stemmer(language_key(language))(word) == stem


@pytest.mark.native
def test_only_the_language_in_use_is_imported() -> None:
    code = (
        "import sys; from tabwise.core.text.terms import terms; assert terms('tides') == ['tide'];"
        "print(sorted(m for m in sys.modules if m.endswith('_stemmer') or m == 'snowballstemmer'))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "['tabwise_snowball.english_stemmer']"
