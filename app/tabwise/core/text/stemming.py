"""Stems of words, by the script a word is written in and the language of its page.

Snowball's stemmers (https://snowballstem.org), pure Python. A script has a default (Latin letters: English)
that the page's language replaces; a language Snowball does not know keeps its words whole.

Russian stems are cut at six letters: the stemmer leaves many endings of derived words, and one word then has
several stems (построил, построить, постройка). Chosen on the first half of XQuAD's Russian questions, where
nDCG@10 of words alone rises by .010; five letters gain more there, and run more different words together.

Only the module of a language that occurs is imported. The package's own `__init__` imports all of them, a
second of work in WebAssembly, so its modules are loaded under a name of ours that points at the same folder.
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

_LATIN, _GREEK, _CYRILLIC, _ARMENIAN, _ARABIC, _DEVANAGARI, _TAMIL = range(7)
_SCRIPT_RANGES = (
    (0x0250, _LATIN),
    (0x0370, None),
    (0x0400, _GREEK),
    (0x0530, _CYRILLIC),
    (0x0590, _ARMENIAN),
    (0x0600, None),
    (0x0700, _ARABIC),
    (0x0900, None),
    (0x0980, _DEVANAGARI),
    (0x0B80, None),
    (0x0C00, _TAMIL),
    (0x1E00, None),
    (0x1F00, _LATIN),
    (0x2000, _GREEK),
)
_DEFAULT_STEMMERS = {
    _LATIN: "english",
    _GREEK: "greek",
    _CYRILLIC: "russian",
    _ARMENIAN: "armenian",
    _ARABIC: "arabic",
    _DEVANAGARI: "hindi",
    _TAMIL: "tamil",
}
_STEMMERS: dict[str, tuple[int, str]] = {
    "ar": (_ARABIC, "arabic"),
    "ca": (_LATIN, "catalan"),
    "cs": (_LATIN, "czech"),
    "da": (_LATIN, "danish"),
    "de": (_LATIN, "german"),
    "el": (_GREEK, "greek"),
    "en": (_LATIN, "english"),
    "eo": (_LATIN, "esperanto"),
    "es": (_LATIN, "spanish"),
    "et": (_LATIN, "estonian"),
    "eu": (_LATIN, "basque"),
    "fa": (_ARABIC, "persian"),
    "fi": (_LATIN, "finnish"),
    "fr": (_LATIN, "french"),
    "ga": (_LATIN, "irish"),
    "hi": (_DEVANAGARI, "hindi"),
    "hu": (_LATIN, "hungarian"),
    "hy": (_ARMENIAN, "armenian"),
    "id": (_LATIN, "indonesian"),
    "it": (_LATIN, "italian"),
    "lt": (_LATIN, "lithuanian"),
    "nb": (_LATIN, "norwegian"),
    "ne": (_DEVANAGARI, "nepali"),
    "nl": (_LATIN, "dutch"),
    "nn": (_LATIN, "norwegian"),
    "no": (_LATIN, "norwegian"),
    "pl": (_LATIN, "polish"),
    "pt": (_LATIN, "portuguese"),
    "ro": (_LATIN, "romanian"),
    "ru": (_CYRILLIC, "russian"),
    "sv": (_LATIN, "swedish"),
    "ta": (_TAMIL, "tamil"),
    "tr": (_LATIN, "turkish"),
}
# Languages without a Snowball stemmer that are not written in Latin letters.
_UNSTEMMED_SCRIPTS = {
    "be": _CYRILLIC,
    "bg": _CYRILLIC,
    "kk": _CYRILLIC,
    "ky": _CYRILLIC,
    "mk": _CYRILLIC,
    "mn": _CYRILLIC,
    "mr": _DEVANAGARI,
    "ps": _ARABIC,
    "sr": _CYRILLIC,
    "tg": _CYRILLIC,
    "uk": _CYRILLIC,
    "ur": _ARABIC,
}
# Their own words are outside every stemmed script, so the English defaults do them no harm.
_NEUTRAL_TEXT = "am bn gu he iw ja ka km kn ko lo ml mul my pa si te th und yi zh zxx"
_NEUTRAL = frozenset(["", *_NEUTRAL_TEXT.split()])

_MAX_STEM_LETTERS = {"russian": 6}

_ALIAS = "tabwise_snowball"

Stem = Callable[[str], str]


def language_key(language: str) -> str:
    """Return the key under which words of a BCP 47 `language` are stemmed; "en" when it is unknown.

    Two languages with one key give the same terms for every text.
    """
    primary = re.split(r"[-_]", language.strip().lower(), maxsplit=1)[0]
    return "en" if primary in _NEUTRAL else primary


class Stemmer:
    """Stems the words of pages of one language."""

    def __init__(self, key: str) -> None:
        """`key` comes from `language_key`."""
        self._names = dict(_DEFAULT_STEMMERS)
        if key in _STEMMERS:
            script, name = _STEMMERS[key]
            self._names[script] = name
        else:
            del self._names[_UNSTEMMED_SCRIPTS.get(key, _LATIN)]
        self._stems: dict[int, Stem] = {}

    @property
    def is_english(self) -> bool:
        """Whether words in Latin letters are taken for English."""
        return self._names.get(_LATIN) == "english"

    def __call__(self, word: str) -> str:
        """Return the stem of a lower-case word, never empty for a word that is not."""
        script = _script(word)
        if script is None or script not in self._names:
            return word
        if script not in self._stems:
            self._stems[script] = _stem_function(self._names[script])
        return self._stems[script](word) or word


def _script(word: str) -> int | None:
    code_point = ord(word[0])
    for end, script in _SCRIPT_RANGES:
        if code_point < end:
            return script
    return None


def _stem_function(name: str) -> Stem:
    # The pure classes by name: `snowballstemmer.stemmer()` hands out a C library where one is installed.
    if _ALIAS not in sys.modules:
        found = find_spec("snowballstemmer")  # finds a top-level package without running it
        assert found is not None
        assert found.submodule_search_locations is not None
        alias = ModuleType(_ALIAS)
        alias.__path__ = list(found.submodule_search_locations)
        sys.modules[_ALIAS] = alias
    module = import_module(f"{_ALIAS}.{name}_stemmer")
    stem: Stem = getattr(module, f"{name.title()}Stemmer")().stemWord
    most = _MAX_STEM_LETTERS.get(name)
    return stem if most is None else lambda word: stem(word)[:most]
