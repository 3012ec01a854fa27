"""What a question asks for, and whether a sentence has something of that kind.

"How many turbines …?" wants a number, "when" a date, "who" and "where" a name. A sentence answers the
cue when it has such a thing that the question does not already name. Patterns, not grammar: a wrong
guess moves a score a little. English, German, French, Spanish, Russian and Chinese question words.
"""

import re
from dataclasses import dataclass

_NUMBER_ASKED = r"""
    \bhow\ (?:many|much|long|old|far|tall|high|large|big|often|fast|deep|wide|heavy|hot|cold)\b
    | \b(?:number|percentage|percent|proportion|amount|price|cost|score|ratio)\ \w
    | \bwie\ ?viele?\b | \bcombien\b | \bcuánt[oa]s?\b | \bсколько\b | 多少 | 几
"""
_NUMBER = r"""
    \d[\d.,]* | [一二三四五六七八九十百千万]
    | \b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?
        |thousands?|millions?|billions?|half|third|quarter|dozens?|twice|double|percent)\b
"""
_DATE_ASKED = r"""
    \bwhen\b | \b(?:what|which)\ (?:year|date|day|month|century|decade|time)\b
    | \bwann\b | \bquand\b | \bcuándo\b | \bкогда\b | 何时 | 什么时候 | 哪一?年
"""
_DATE = r"""
    \b(?:1\d{3}|20\d\d)s?\b | \d年 | \d\ (?:год|г\.) | \b(?:century|decade|today)\b
    | \b(?:january|february|march|april|june|july|august|september|october|november|december)\b
    | \b(?:januar|februar|märz|mai|juni|juli|oktober|dezember)\b
    | \b(?:janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)\b
    | \b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b
    | \b(?:январ|феврал|март|апрел|июн|июл|август|сентябр|октябр|ноябр|декабр)[а-я]+
"""
_NAME_ASKED = r"""
    \bwho(?:se|m)?\b | \bwhere\b | \b(?:what|which)\ (?:person|city|country|state|place|company|team)\b
    | \bwer\b | \bwo\b | \bqui\b | \boù\b | \bquién\b | \bdónde\b | \bкто\b | \bгде\b
"""
# A capital that does not begin the sentence.
_NAME = r"(?<=[\w,;:–—]\ )[A-ZÀ-ÖØ-ÞА-Я][\w’'-]+"

_LOOSE = re.IGNORECASE | re.VERBOSE
_PATTERNS = (
    (re.compile(_NUMBER_ASKED, _LOOSE), re.compile(_NUMBER, _LOOSE)),
    (re.compile(_DATE_ASKED, _LOOSE), re.compile(_DATE, _LOOSE)),
    (re.compile(_NAME_ASKED, _LOOSE), re.compile(_NAME, re.VERBOSE)),
)


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of what a question asks for, and the words it names itself."""

    patterns: tuple[re.Pattern[str], ...]
    named: frozenset[str]

    @classmethod
    def of(cls, question: str) -> "Cues":
        """Read a question; one that asks for nothing known has no patterns."""
        patterns = tuple(answer for asked, answer in _PATTERNS if asked.search(question))
        return cls(patterns, frozenset(re.findall(r"\w+", question.lower())))

    def answered_by(self, text: str) -> float:
        """Return 1.0 when the text has something asked for that the question does not name, else 0.0."""
        return float(
            any(
                match.group().lower() not in self.named
                for pattern in self.patterns
                for match in pattern.finditer(text)
            )
        )
