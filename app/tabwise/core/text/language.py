"""Which language is a question in? By its script, then by the little words of Latin scripts.

A question of three words is often enough: "wie", "qué", "combien" occur in one language alone. Words that
several languages share count for each; a tie, or no known word, is English, the commonest language of the
pages. Japanese is Han with kana, Chinese Han without.

Whether a sentence is in another language than a text is asked with more care, for a wrong yes costs more than
a wrong no: it must have OTHER_MARGIN more words of its own language than of that one, single letters not
counted, which stand in addresses and formulas. At 1.0 none of the 1,071 sentences of the verdict set is taken
for foreign to its own page; at 0.4 three are.
"""

import re
import unicodedata
from collections import Counter

NAMES = {
    "ar": "Arabic",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pt": "Portuguese",
    "ru": "Russian",
    "th": "Thai",
    "zh": "Chinese",
}
"""The languages that can be told, by BCP 47 code, as an English prompt names them."""

_SCRIPTS = {
    "ARABIC": "ar",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "GREEK": "el",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "THAI": "th",
}
_WORD_LISTS = {
    "en": """
        the a an of and or in on to is are was were be been do does did has have had what which who whom whose
        when where why how many much there this that these those it its they their he she his her you your
        with from by for about than between can could would should will not summarise summarize compare tell
    """,
    "de": """
        der die das den dem des ein eine einen einem einer und oder in im auf zu zum zur ist sind war waren
        wird werden wurde wurden hat haben hatte was welche welcher welches wer wen wem wann wo warum wie viel
        viele wieviel es sie er ihr sein seine mit von vom bei für über als zwischen kann nicht worum geht
        fasse zusammen vergleiche gibt man sich auch nach aus
    """,
    "es": """
        el la los las un una unos unas y o en de del al es son fue fueron era eran ha han hay qué cuál cuáles
        quién quiénes cuándo dónde por cómo cuánto cuántos cuánta cuántas su sus lo ella ellos con para sobre
        que entre puede no resume compara se más tiene está
    """,
    "fr": """
        le la les un une des du de et ou en dans à au aux est sont était étaient a ont qui que quoi quel
        quelle quels quelles quand où pourquoi comment combien il elle ils elles son sa ses leur avec pour par
        sur entre peut ne pas résume compare cette ce ces y d l qu
    """,
    "it": """
        il lo la i gli le un una e o in di del della dei è sono era erano ha hanno che chi quale quali quando
        dove perché come quanto quanti quante suo sua con per su tra fra può non riassumi confronta si nel
    """,
    "nl": """
        de het een en of in op te is zijn was waren wordt werd heeft hebben wat welke wie wanneer waar waarom
        hoe veel het ze hij haar met van bij voor over dan tussen kan niet vat samen vergelijk er
    """,
    "pt": """
        o a os as um uma e ou em de do da dos das no na ao é são foi foram era tem têm que qual quais quem
        quando onde por como quanto quantos quantas seu sua ele ela com para sobre entre pode não resuma se
    """,
}
OTHER_MARGIN = 1.0
_HAN = frozenset(("zh", "ja"))

_LANGUAGES_OF: dict[str, list[str]] = {}
for _language, _words in _WORD_LISTS.items():
    for _word in dict.fromkeys(_words.split()):
        _LANGUAGES_OF.setdefault(_word, []).append(_language)

_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str:
    """Return the BCP 47 code of the language a text is in, a key of `NAMES`."""
    scripts = Counter(_script(char) for char in text if char.isalpha())
    script = max(scripts, key=lambda name: scripts[name], default="")
    if script == "zh" and scripts["ja"]:
        return "ja"
    return script or _latin(text)


def tells_language(text: str) -> bool:
    """Whether a script or a word of a text tells its language, so that `language_of` is no mere default."""
    return bool(_points(text)) or any(_script(char) for char in text if char.isalpha())


def is_other_language(sentence: str, language: str) -> bool:
    """Whether a sentence is for certain not in a language, given as `language_of` tells it."""
    own = language_of(sentence)
    if own == language or {own, language} == _HAN:
        return False
    if own in _SCRIPTS.values() or language in _SCRIPTS.values():
        return any(map(str.isalpha, sentence))
    points = _points(" ".join(word for word in _WORD.findall(sentence) if len(word) > 1))
    return points.get(own, 0.0) - points.get(language, 0.0) >= OTHER_MARGIN


def _script(char: str) -> str:
    """The language a letter tells of, "" for Latin letters and unknown ones."""
    return _SCRIPTS.get(unicodedata.name(char, "").partition(" ")[0], "")


def _latin(text: str) -> str:
    """The language whose words fill most of the text."""
    points = {"en": 0.0, **_points(text)}
    return max(points, key=lambda language: (points[language], language == "en"))


def _points(text: str) -> dict[str, float]:
    """How many words of each language a text has; a word of several languages is divided among them."""
    points: dict[str, float] = {}
    for word in _WORD.findall(text.lower()):
        for language in (languages := _LANGUAGES_OF.get(word, ())):
            points[language] = points.get(language, 0.0) + 1.0 / len(languages)
    return points
