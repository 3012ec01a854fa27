"""Numbers in a text with what they count, brought to comparable form.

    "1.2 million"   1 200 000          "twelve"        12
    "2,400 kW"      2.4e6 of power     "2.4 MW"        2.4e6 of power: the same
    "5–10 km"       5 000 and 10 000 of length
    "12 percent"    12 of %            "$3bn", "3 billion dollars"   3e9 of usd
    "300 turbines"  300 of {turbin}
    "two-thirds", "two in five"    66.7 and 40 of %           "12th"   12 of ordinal

A number written ambiguously (1.200) keeps both readings. `tolerance` is half a unit of the last written
digit, so 24 % is met by 24.3 % and 1.2 million by 1,234,567; it is 0 where that would be more than 5 % of
the value. Words like "about" and "over" loosen the comparison in their direction, unless the source says
the same of another number. A number that is part
of a name or version (COVID-19, B12, 3.11.2) is none; "one" is none either, it is mostly a pronoun.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from tabwise.core.text.terms import STOP_WORDS, terms
from tabwise.core.verdicts.units import UNITS

_RELATIVE_TOLERANCE = 0.05
_ABOUT = 0.10
_BEYOND = 0.25
_CONVERSION = 0.005
# Behind a number in Chinese or Japanese the next word follows at once.
_FIRST_UNSPACED = "\u3000"


class Bound(StrEnum):
    """How a number is meant: exactly, about, as a lower or an upper bound."""

    EXACT = "exact"
    ABOUT = "about"
    OVER = "over"
    UNDER = "under"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text. `values` in the base unit of `dimension` ("" for a bare number).

    `nouns` are the stems of up to two words behind it, what it counts when it has no unit.
    """

    start: int
    end: int
    text: str
    values: tuple[float, ...]
    dimension: str
    unit: str
    nouns: frozenset[str]
    tolerance: float
    bound: Bound
    magnitude: float = 1.0

    @property
    def figure(self) -> str:
        """The number as written, without its unit."""
        return self.text.replace(self.unit, "").strip(" -")

    def is_met_by(self, given: "Quantity") -> bool:
        """Whether a given quantity says what this one states."""
        if self.dimension != given.dimension and self.dimension and given.dimension:
            return False
        return any(self._accepts(own, other, given) for own in self.values for other in given.values)

    def is_comparable_to(self, given: "Quantity") -> bool:
        """Whether both measure the same kind of thing, so that other values contradict."""
        if self.dimension or given.dimension:
            return self.dimension == given.dimension
        return not self.nouns.isdisjoint(given.nouns) or not (self.nouns or given.nouns)

    def _accepts(self, own: float, other: float, given: "Quantity") -> bool:
        gap = abs(own - other)
        allowed = self.tolerance if self.bound in (given.bound, Bound.EXACT) else 0.0
        if self.dimension and self.unit != given.unit:
            allowed = max(allowed, _CONVERSION * abs(own))
        if gap <= allowed * (1 + 1e-9) + 1e-9 * abs(own):
            return True
        if self.bound is given.bound:
            return False
        if self.bound is Bound.ABOUT:
            return gap <= _ABOUT * abs(own)
        if self.bound is Bound.OVER:
            return 0.0 < other - own <= _BEYOND * abs(own)
        return self.bound is Bound.UNDER and 0.0 < own - other <= _BEYOND * abs(own)


def find_quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text in order. Dates and times are the caller's to blank out first."""
    found = _fractions(text)
    for fraction in found:
        text = text[: fraction.start] + "#" * (fraction.end - fraction.start) + text[fraction.end :]
    for match in _NUMBER.finditer(text):
        quantity = _quantity(text, match)
        if quantity is not None:
            found.append(quantity)
    return _with_shared_units(text, sorted(found, key=lambda quantity: quantity.start))


_MAGNITUDES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
    "trn": 1e12,
    "dozen": 12.0,
}
_SMALL_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_TENS_TEXT = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORD_VALUES = {word: float(value) for value, word in enumerate(_SMALL_TEXT.split())}
_WORD_VALUES |= {word: 10.0 * value for value, word in enumerate(_TENS_TEXT.split(), 2)}
_WORD_VALUES |= {word: value for word, value in _MAGNITUDES.items() if len(word) > 3}

_NUMBER_WORDS = "|".join(sorted(_WORD_VALUES, key=len, reverse=True))
_UNIT_NAMES = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
_CURRENCIES = r"US\$|[$€£¥₹]"
_SPACES = "[ \u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"""(?P<currency>{_CURRENCIES})?{_SPACES}?(?:
      (?<![\w.,])(?<![^\W\d]-)(?P<sign>(?<![\w)])[-−])?
      (?P<digits>\d{{1,3}}(?:{_SPACES}\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)
      (?:(?:{_SPACES}|-)?(?P<magnitude>hundred|thousand|million|billion|trillion|dozen|bn|mn|trn|k)\b
        |(?P<letter>[mM])(?=\b)(?=[\s.,;)]|$))?
    | (?<![\w-])(?P<words>(?i:(?:an?\ )?(?:{_NUMBER_WORDS})(?:(?:[ -]|\ and\ )(?:{_NUMBER_WORDS}))*))(?![\w])
    )(?P<tail>(?:{_SPACES}|-)?(?P<unit>{_UNIT_NAMES})(?![a-zA-ZÀ-ɏЀ-ӿ²³\d]))?""",
    re.VERBOSE,
)
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "tenth": 10}
_FRACTION = re.compile(
    r"""\b(?:
      (?P<count>one|two|three|four|five|six|seven|eight|nine)[ -]
        (?P<part>half|halve|third|quarter|fourth|fifth|sixth|tenth)s?\b
    | an?[ ](?P<single>half|third|quarter|fourth|fifth|sixth|tenth)(?=[ ]of\b)
    | (?<!first[ ])(?<!second[ ])(?<!latter[ ])(?<!other[ ])(?P<half>half)(?=[ ](?:of|the)\b)
    | (?P<some>one|two|three|four|five|six|seven|eight|nine|\d)(?:[ ]\w+)?[ ](?:in|out[ ]of)[ ](?:every[ ])?
        (?P<among>two|three|four|five|six|seven|eight|nine|ten|hundred|\d{1,3})\b(?![.,:]\d|[ ]?[%])
    | (?P<ordinal>\d{1,4})(?:st|nd|rd|th)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_NOUN = re.compile(rf"{_SPACES}?([^\W\d_][\w'’-]*)(?:{_SPACES}([^\W\d_][\w'’-]*))?")
_BOUNDS = (
    (Bound.ABOUT, r"about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca?\.|[~≈]"),
    (Bound.OVER, r"over|more than|above|at least|exceeding|upwards of|no fewer than|no less than|>"),
    (Bound.UNDER, r"under|less than|fewer than|below|at most|up to|no more than|<"),
)
_BOUND_BEFORE = tuple(
    (bound, re.compile(rf"(?:^|[\s(])(?:{words})\s?(?:an?\s|the\s)?$", re.IGNORECASE))
    for bound, words in _BOUNDS
)
_RANGE_GAP = re.compile(r"\s?(?:[-–—]|to|and|or)\s?")


def _fractions(text: str) -> list[Quantity]:
    """Shares in words, as percentages, and ordinal numbers."""
    found = []
    for match in _FRACTION.finditer(text):
        dimension, tolerance = "%", _RELATIVE_TOLERANCE
        if match.group("ordinal"):
            value, dimension, tolerance = float(match.group("ordinal")), "ordinal", 0.0
        elif match.group("among"):
            some, among = (_value_of(match.group(name)) for name in ("some", "among"))
            if not 0.0 < some < among:
                continue
            value = 100.0 * some / among
        else:
            part = match.group("part") or match.group("single") or match.group("half")
            count = _WORD_VALUES.get((match.group("count") or "one").lower(), 1.0)
            value = 100.0 * count / _PARTS[part.lower()]
        found.append(
            Quantity(
                start=match.start(),
                end=match.end(),
                text=match.group(),
                values=(value,),
                dimension=dimension,
                unit="",
                nouns=frozenset(),
                tolerance=tolerance * value,
                bound=_bound_before(text, match.start()),
            )
        )
    return found


def _value_of(written: str) -> float:
    return _WORD_VALUES.get(written.lower()) or float(written)


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    written = match.group("digits")
    if written is not None:
        readings, step = _readings(written)
        following = text[match.end() : match.end() + 1]
        is_in_word = following.isalnum() and following < _FIRST_UNSPACED
        if not readings or (is_in_word and not match.group("unit")):
            return None
    else:
        words = match.group("words").lower()
        if words == "one" and not match.group("unit"):
            return None
        readings, step = (_value_of_words(words),), 0.0
    factor = 1.0
    if match.group("magnitude") or (match.group("letter") and match.group("currency")):
        factor = _MAGNITUDES[(match.group("magnitude") or match.group("letter")).lower()]
    unit = match.group("unit") or match.group("currency") or ""
    if match.group("letter") and not match.group("currency"):
        unit = "m"
    dimension, unit_factor = UNITS[unit] if unit else ("", 1.0)
    if match.group("currency"):
        dimension, unit_factor = UNITS[match.group("currency")]
    if match.group("sign"):
        readings = tuple(-value for value in readings)
    values = tuple(value * factor * unit_factor for value in readings)
    tolerance = 0.5 * step * factor * unit_factor
    if tolerance > _RELATIVE_TOLERANCE * abs(values[0]):
        tolerance = 0.0
    start = match.start() + len(match.group()) - len(match.group().lstrip())
    return Quantity(
        start=start,
        end=match.end(),
        text=text[start : match.end()],
        values=values,
        dimension=dimension,
        unit=unit,
        nouns=frozenset() if dimension else _nouns_after(text, match.end()),
        tolerance=tolerance,
        bound=_bound_before(text, start),
        magnitude=factor,
    )


def _readings(written: str) -> tuple[tuple[float, ...], float]:
    """The values a written number can have, and the step of its last digit; none for a version."""
    digits = re.sub(_SPACES, "", written)
    commas, dots = digits.count(","), digits.count(".")
    if commas and dots:
        decimal = "," if digits.rfind(",") > digits.rfind(".") else "."
        digits = digits.replace("," if decimal == "." else ".", "").replace(decimal, ".")
        return ((float(digits),), _step(digits)) if digits.count(".") <= 1 else ((), 0.0)
    if not commas and not dots:
        return (float(digits),), 1.0
    mark = "," if commas else "."
    groups = digits.split(mark)
    grouped = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3 and groups[0] != "0"
    whole = (float("".join(groups)), 1.0)
    if len(groups) > 2:
        return ((whole[0],), 1.0) if grouped else ((), 0.0)
    decimal_form = digits.replace(mark, ".")
    if grouped and mark == ",":
        return (whole[0],), 1.0
    if grouped:
        return (float(decimal_form), whole[0]), _step(decimal_form)
    return (float(decimal_form),), _step(decimal_form)


def _step(decimal_form: str) -> float:
    _, _, decimals = decimal_form.partition(".")
    return float(10.0 ** -len(decimals))


def _value_of_words(words: str) -> float:
    total, current = 0.0, 0.0
    for word in re.findall(r"[a-z]+", words):
        value = _WORD_VALUES.get(word)
        if value is None:
            continue
        if value in (100.0, 12.0) and word in ("hundred", "dozen"):
            current = (current or 1.0) * value
        elif value >= 1000.0:
            total += (current or 1.0) * value
            current = 0.0
        else:
            current += value
    return total + current


def _nouns_after(text: str, end: int) -> frozenset[str]:
    match = _NOUN.match(text, end)
    words = [word for word in match.groups() if word] if match else []
    if not words or words[0].lower() in STOP_WORDS:
        return frozenset()
    return frozenset(term for word in words for term in terms(word)[:1])


def _bound_before(text: str, start: int) -> Bound:
    before = text[max(0, start - 24) : start]
    for bound, pattern in _BOUND_BEFORE:
        if pattern.search(before):
            return bound
    return Bound.EXACT


def _with_shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the first number of a range the magnitude and unit of the second (30 to 50 thousand, 5–10 km)."""
    shared = list(found)
    for i in range(len(found) - 1):
        first, second = found[i], found[i + 1]
        if not _RANGE_GAP.fullmatch(text[first.end : second.start]):
            continue
        if (
            first.magnitude == 1.0 < second.magnitude
            and first.values[0] <= second.values[0] / second.magnitude
        ):
            first = shared[i] = replace(
                first,
                values=tuple(value * second.magnitude for value in first.values),
                tolerance=first.tolerance * second.magnitude,
            )
        factor = UNITS[second.unit][1] if second.unit in UNITS else 0.0
        # "in 2005 and 8 tonnes" is no range.
        is_rising = first.values[0] * factor <= max(second.values)
        if not first.dimension and second.dimension and factor and is_rising:
            shared[i] = replace(
                first,
                values=tuple(value * factor for value in first.values),
                dimension=second.dimension,
                unit=second.unit,
                nouns=frozenset(),
                tolerance=first.tolerance * factor,
            )
    return shared
