"""Numbers that an agent calculated from what pages say: evidence for a sentence, beside its passages.

A page seldom holds the difference that was asked for. A calculation speaks for a sentence when the sentence
has its value, as it is or rounded, and every number it was made from stands in the passages that the sentence
cites. Numbers of units and shares need not: 100, 12, 60. So a number that no page gave cannot be made true by
calculating it.

    >>> that_hold(["16.3 - 9.1 = 7.2"], "It is 7.2 metres more.", ["It reaches 16.3 metres.", "Ungava: 9.1."])
    ('16.3 - 9.1 = 7.2 = 7',)
    >>> that_hold(["99 * 1 = 99"], "It is 99 metres.", ["It reaches 16.3 metres."])
    ()
"""

import re
from collections.abc import Sequence

CONSTANTS = frozenset({1.0, 2.0, 4.0, 7.0, 10.0, 12.0, 24.0, 30.0, 52.0, 60.0, 100.0, 365.0, 1000.0, 1e6})
MAX_DECIMALS = 3

_NUMBER = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")


def that_hold(calculations: Sequence[str], sentence: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the calculations, as `expression = value`, that speak for a sentence with these quotes.

    Each comes with its value also rounded, as the sentence may have it.
    """
    said = set(_numbers(sentence))
    given = {number for quote in quotes for number in _numbers(quote)} | CONSTANTS
    held = []
    for calculation in calculations:
        expression, _, value = calculation.rpartition(" = ")
        forms = _forms(value)
        operands = _numbers(expression)
        if operands and said.intersection(map(float, forms)) and given.issuperset(operands):
            held.append(" = ".join([expression, *forms]))
    return tuple(held)


def bearing(calculation: str, texts: Sequence[str]) -> int | None:
    """Return which of the texts has all numbers that a calculation was made from, the first of equals."""
    operands = set(_numbers(calculation.rpartition(" = ")[0])) - CONSTANTS
    if not operands:
        return None
    return next((i for i, text in enumerate(texts) if operands.issubset(_numbers(text))), None)


def _forms(value: str) -> list[str]:
    """The value without its sign, then rounded to fewer and fewer decimals, each once."""
    number = abs(float(value))
    rounded = [f"{number:.{decimals}f}" for decimals in range(MAX_DECIMALS, -1, -1)]
    shown = [text.rstrip("0").rstrip(".") if "." in text else text for text in rounded]
    return list(dict.fromkeys([value.lstrip("-"), *shown]))


def _numbers(text: str) -> list[float]:
    return [float(match.group().replace(",", "")) for match in _NUMBER.finditer(text)]
