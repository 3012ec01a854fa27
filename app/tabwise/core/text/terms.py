"""Terms: the words BM25 counts, made by one function for pages and questions alike.

A text becomes words of letters, digits and combining marks. Each word gives
- its parts: split on `. _ : -`, lower-cased, without stop words and single letters, stemmed;
- the compound itself when it had parts (`node.js` → node, js, node.js);
- camelCase pieces (`getUserMedia` → getusermedia, get, user, media);
- overlapping pairs of characters where a script writes no spaces (東京都 → 東京, 京都), cut at the
  commonest Chinese particles and question words, which else pair up with everything.

`1,200` and `1200` are one term, full-width and composed forms are folded (NFKC). Stems are Snowball's
(https://snowballstem.org), chosen by the script of the word and, within a script, by the language
of the page; a language Snowball does not know keeps its words whole.

Splitting compounds, keeping them, the pieces of camelCase, the character pairs and question words among
the stop words each raised nDCG@10 on development collections; single letters and digits did not. Cutting
at particles raised the share of Chinese XQuAD questions whose chunk comes first from 82 to 86 %. Words
are cached with their terms, since a text repeats itself: several times faster than stemming each one.

    terms("The tidal-stream turbines of 2,400 kW")
    → ["tidal", "stream", "tidal-stream", "turbin", "2400", "kw"]
"""

import re
import unicodedata
from collections.abc import Iterator

from tabwise.core.text.stemming import Stemmer, language_key

TERMS_VERSION = 2
"""To be raised with every change of the terms a text gives, that of a new stemmer too: stored postings are
then made anew."""

_STOP_TEXT = (
    "a about all also an and any are as at be been being between both but by can could did do does"
    " during each for from had has have he her him his how i if in into is it its just many may me might"
    " more most much must my no not of on only or other our own same shall she should so some such than"
    " that the their them then there these they this those to too very was we were what when where which"
    " who whom whose why will with would you your"
)
STOP_WORDS = frozenset(_STOP_TEXT.split())

# Python's \w leaves out what sits inside words all the same: combining marks, among them the vowel signs
# of Indic scripts, and the two joiners that Persian and Hindi spell with.
_MARKS = "\u200c\u200d" + "".join(
    chr(code_point)
    for block in (range(0x300, 0x3100), range(0xA600, 0xAC00), range(0xFE20, 0xFE30))
    for code_point in block
    if unicodedata.category(chr(code_point)).startswith("M")
)
# Han, kana, Hangul, Bopomofo; Thai, Lao, Myanmar, Khmer.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1780-\u17d3\u1100-\u11ff\u3005-\u3007\u3021-\u3029"
    "\u3031-\u3035\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_UNSPACED_STOP = re.compile(
    "什么|什麼|哪些|哪个|哪個|哪里|哪裡|哪种|哪種|哪一|多少|为何|為何|如何|怎么|怎麼|怎样|怎樣|谁|誰|"
    "[的了吗嗎呢是在和与與及]"
)
_WORD = re.compile(rf"[\w{_MARKS}]+(?:[.:\-\u2010][\w{_MARKS}]+)*(?:(?:\+\+|#)(?![\w#]))?")
_SEPARATORS = re.compile(r"[._:\-]+")
_UNSPACED_RUN = re.compile(rf"([{_UNSPACED}]+)")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")

_MAX_CACHED_WORDS = 65_536


def terms(text: str, language: str = "") -> list[str]:
    """Return the terms of `text` in order, repeated as often as they occur.

    `language` is a BCP 47 tag, "" when unknown. Any string is accepted, lone surrogates included.
    """
    return _analyser(language_key(language)).terms(text)


class _Analyser:
    """The rules of one language with its cache of words."""

    def __init__(self, key: str) -> None:
        self._stem = Stemmer(key)
        self._stop_words = STOP_WORDS if self._stem.is_english else frozenset()
        self._cache: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text)
        if "," in text:
            text = _THOUSANDS.sub("", text)
        cache = self._cache
        found: list[str] = []
        for word in _WORD.findall(text):
            of_word = cache.get(word)
            if of_word is None:
                if len(cache) >= _MAX_CACHED_WORDS:
                    cache.clear()
                of_word = cache[word] = tuple(self._terms_of_word(word))
            found.extend(of_word)
        return found

    def _terms_of_word(self, word: str) -> list[str]:
        word = word.strip("_").replace("\u2010", "-")
        bare = word.rstrip("+#")
        parts = [part for part in _SEPARATORS.split(bare) if part]
        found: list[str] = []
        for part in parts:
            for index, run in enumerate(_UNSPACED_RUN.split(part)):
                if index % 2:
                    found.extend(_pairs(run))
                elif run:
                    found.extend(self._terms_of_run(run))
        if len(parts) > 1 or (parts and bare != word):
            found.append(word.lower())
        return found

    def _terms_of_run(self, run: str) -> list[str]:
        pieces = [run]
        if len(run) > 3 and run.isascii() and not run.islower() and not run.isupper():
            camel = _CAMEL.findall(run)
            if len(camel) > 1:
                pieces += camel
        folded = (piece.lower() for piece in pieces)
        return [self._stem(piece) for piece in folded if len(piece) > 1 and piece not in self._stop_words]


def _pairs(run: str) -> Iterator[str]:
    for piece in _UNSPACED_STOP.split(run):
        if piece:
            yield from (piece[i : i + 2] for i in range(max(1, len(piece) - 1)))


_analysers: dict[str, _Analyser] = {}


def _analyser(key: str) -> _Analyser:
    found = _analysers.get(key)
    if found is None:
        found = _analysers[key] = _Analyser(key)
    return found
