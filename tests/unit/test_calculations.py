"""A calculation speaks for a sentence when its value is said and its numbers were given."""

import pytest

from tabwise.core.agent.calculations import that_hold

QUOTES = ["It reaches 16.3 metres.", "At Ungava 9.1; they cost 1,200 in 1994."]


@pytest.mark.parametrize(
    ("calculation", "sentence", "holds"),
    [
        ("16.3 - 9.1 = 7.2", "It is 7.2 metres more.", True),
        ("9.1 - 16.3 = -7.2", "It is 7.2 metres less.", True),
        ("(16.3 - 9.1) / 9.1 * 100 = 79.1208791209", "It is 79 % more.", True),
        ("(16.3 - 9.1) / 9.1 * 100 = 79.1208791209", "It is 79.1 % more.", True),
        ("1200 / 12 = 100", "That is 100 a month.", True),
        ("16.3 - 9.1 = 7.2", "It is 7.3 metres more.", False),
        ("99 * 1 = 99", "It is 99 metres.", False),
        ("16.3 + 82.7 = 99", "It is 99 metres.", False),
        ("16.3 - 9.1 = 7.2", "It is more.", False),
        ("pi = 3.14159265359", "It is 3.14.", False),
    ],
)
def test_a_calculation_holds(calculation: str, sentence: str, holds: bool) -> None:
    assert bool(that_hold([calculation], sentence, QUOTES)) is holds


def test_the_value_comes_rounded_too() -> None:
    (held,) = that_hold(["16.3 / 9.1 = 1.79120879121"], "It is 1.8 times as much.", QUOTES)
    assert held == "16.3 / 9.1 = 1.79120879121 = 1.791 = 1.79 = 1.8 = 2"
