"""quantities, dates, names, quotes, contrasts: what the verifier reads out of a text."""

import pytest

from tabwise.core.verdicts.contrasts import find_clash
from tabwise.core.verdicts.dates import find_dates
from tabwise.core.verdicts.facts import Facts, is_met
from tabwise.core.verdicts.names import find_names, name_is_in, words_of
from tabwise.core.verdicts.quantities import Bound, find_quantities
from tabwise.core.verdicts.quotes import fold, quotations, quote_is_in, stands_in


@pytest.mark.parametrize(
    ("text", "values", "dimension"),
    [
        ("1.2 million", (1.2e6,), ""),
        ("1,200,000", (1.2e6,), ""),
        ("1 200 000", (1.2e6,), ""),
        ("1.200", (1.2, 1200.0), ""),
        ("1.200,50", (1200.5,), ""),
        ("3,5 kg", (3.5,), "mass"),
        ("twelve", (12.0,), ""),
        ("twenty-five", (25.0,), ""),
        ("two hundred and fifty thousand", (250_000.0,), ""),
        ("a dozen", (12.0,), ""),
        ("12 %", (12.0,), "%"),
        ("12 per cent", (12.0,), "%"),
        ("$3bn", (3e9,), "usd"),
        ("3 billion dollars", (3e9,), "usd"),
        ("US$1.5 million", (1.5e6,), "usd"),
        ("$5m", (5e6,), "usd"),
        ("5 m", (5.0,), "length"),
        ("20km", (20_000.0,), "length"),
        ("2.4 MW", (2.4e6,), "power"),
        ("−5 °C", (-5.0,), "celsius"),
        ("5-year", (5 * 31_557_600.0,), "time"),
        ("36 km/h", (10.0,), "speed"),
        ("two-thirds", (200 / 3,), "%"),
        ("a quarter", (25.0,), "%"),
        ("two in five", (40.0,), "%"),
        ("1.5 gigatons", (1.5e12,), "mass"),
        ("12th", (12.0,), "ordinal"),
        ("330 Meter", (330.0,), "length"),
        ("128 octets", (128.0,), "data"),
        ("358 акров", (358 * 4046.8564,), "area"),
    ],
)
def test_a_number_with_its_unit(text: str, values: tuple[float, ...], dimension: str) -> None:
    (quantity,) = find_quantities(f"It was {text} of it.")
    assert quantity.values == pytest.approx(values)
    assert quantity.dimension == dimension
    assert quantity.text == text


@pytest.mark.parametrize(
    "text", ["COVID-19", "B12", "version 3.11.2", "one of them", "5G", "none", "weighted"]
)
def test_a_number_inside_a_name_is_none(text: str) -> None:
    assert find_quantities(text) == []


def test_both_ends_of_a_range_have_the_unit() -> None:
    assert [q.values for q in find_quantities("between 5 and 10 km")] == [(5000.0,), (10_000.0,)]


@pytest.mark.parametrize(
    ("said", "given", "is_met"),
    [
        ("24%", "24.3%", True),
        ("24.3%", "24%", False),
        ("1.2 million", "1,234,567", True),
        ("1.2 million", "1,300,000", False),
        ("5 million", "5,400,000", False),
        ("about 5 million", "5,400,000", True),
        ("over 100", "110", True),
        ("over 100", "90", False),
        ("at most 100", "90", True),
        ("330 m", "330 ft", False),
        ("330", "330 m", True),
        ("2 miles", "3.22 km", True),
        ("1 kg", "1,000 g", True),
        ("1.200", "1200", True),
        ("over 100", "over 100", True),
        ("over 100", "over 110", False),
        ("about 121 m", "about 120 m", False),
    ],
)
def test_what_meets_a_number(said: str, given: str, is_met: bool) -> None:
    (stated,), (source,) = find_quantities(said), find_quantities(given)
    assert stated.is_met_by(source) is is_met


def test_both_ends_of_a_range_have_the_magnitude() -> None:
    assert [q.values for q in find_quantities("from 30 to 50 thousand people")] == [(30_000.0,), (50_000.0,)]
    assert [q.values for q in find_quantities("1,500 and 2 million")] == [(1_500.0,), (2e6,)]


def test_a_half_of_a_century_is_no_share() -> None:
    assert find_quantities("in the first half of the season") == []


def test_bounds_are_read_before_the_number() -> None:
    text = "about 5, over 6, less than 7 and 8"
    bounds = [quantity.bound for quantity in find_quantities(text)]
    assert bounds == [Bound.ABOUT, Bound.OVER, Bound.UNDER, Bound.EXACT]


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("2024-03-12", [(2024, 3, 12)]),
        ("12 March 2024", [(2024, 3, 12)]),
        ("12th of March, 2024", [(2024, 3, 12)]),
        ("March 12th, 2024", [(2024, 3, 12)]),
        ("Mar. 12, 2024", [(2024, 3, 12)]),
        ("12.03.2024", [(2024, 3, 12)]),
        ("3/12/24", [(2024, 3, 12), (2024, 12, 3)]),
        ("31/12/1999", [(1999, 12, 31)]),
        ("March 2024", [(2024, 3, None)]),
        ("12 March", [(None, 3, 12)]),
        ("in March", [(None, 3, None)]),
        ("2024", [(2024, None, None)]),
    ],
)
def test_a_date_in_its_forms(text: str, readings: list[tuple[int | None, ...]]) -> None:
    (date,), times = find_dates(f"It began {text}, they say.")
    assert list(date.readings) == readings
    assert times == []


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("7 января 1943 года", (1943, 1, 7)),
        ("am 31. März 1889", (1889, 3, 31)),
        ("le 1er août 2015", (2015, 8, 1)),
        ("el 8 de octubre de 2015", (2015, 10, 8)),
        ("自2015 年 10 月 8 日起", (2015, 10, 8)),
        ("在1901年，人们", (1901, None, None)),
    ],
)
def test_a_date_in_other_languages(text: str, reading: tuple[int | None, ...]) -> None:
    (date,), _ = find_dates(text)
    assert date.readings == (reading,)


def test_a_year_of_the_decade_meets_it() -> None:
    assert is_met(Facts.of("the 1970s").times[0], Facts.of("in 1979"))
    assert not is_met(Facts.of("the 1970s").times[0], Facts.of("in 1981"))


def test_both_years_of_a_span_are_dates() -> None:
    assert [date.readings[0][0] for date in find_dates("1620–21")[0]] == [1620, 1621]
    assert [date.readings[0][0] for date in find_dates("in 1654-57")[0]] == [1654, 1657]
    assert [date.text for date in find_dates("1998-2003")[0]] == ["1998", "2003"]
    assert [date.text for date in find_dates("1998–2003")[0]] == ["1998", "2003"]


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("10:30", "time", (630, 1350)),
        ("10:30 pm", "time", (1350,)),
        ("17:00", "time", (1020,)),
        ("5 p.m.", "time", (1020,)),
        ("12 am", "time", (0,)),
        ("the 1990s", "decade", (1990,)),
    ],
)
def test_times_and_decades(text: str, kind: str, values: tuple[int, ...]) -> None:
    dates, (time,) = find_dates(text)
    assert (time.kind, time.values, dates) == (kind, values, [])


@pytest.mark.parametrize(
    ("said", "given", "is_met", "differs"),
    [
        ("March 2024", "12 March 2024", True, False),
        ("12 March 2024", "March 2024", False, False),
        ("12 March 2024", "13 March 2024", False, True),
        ("3/12/24", "12 March 2024", True, False),
        ("3/12/24", "3 December 2024", True, False),
        ("3/12/24", "4 December 2024", False, True),
        ("2024", "12 March 2024", True, False),
    ],
)
def test_what_meets_a_date(said: str, given: str, is_met: bool, differs: bool) -> None:
    (stated,), (source,) = find_dates(said)[0], find_dates(given)[0]
    assert stated.is_met_by(source) is is_met
    assert stated.differs_from(source) is differs


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The work of Marie Curie in Paris.", ["Marie Curie", "Paris"]),
        ("Marie Curie worked.", ["Marie Curie"]),
        ("Bananas are rich.", []),
        ("The University of St Andrews found it.", ["University of St Andrews"]),
        ("NASA launched it.", ["NASA"]),
        ("When Ludwig van Beethoven died", ["Ludwig van Beethoven"]),
        ("It ended. Nobody knew Ada.", ["Ada"]),
        ("all lower case", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert find_names(text) == names


def test_a_name_meets_its_acronym_and_its_possessive() -> None:
    source = "The United Nations met in Eiffel's tower; the WHO came."
    names, words = find_names(source), set(words_of(source))
    assert name_is_in("UN", names, words)
    assert name_is_in("World Health Organization", names, words)
    assert name_is_in("Eiffel", names, words)
    assert not name_is_in("NATO", names, words)


@pytest.mark.parametrize(
    ("sentence", "source", "kind"),
    [
        ("It is safe.", "It is not safe.", "negation"),
        ("It is not safe.", "It isn't safe.", None),
        ("It is not only safe but cheap.", "It is safe and cheap.", None),
        ("It runs without losses.", "It runs with losses.", "negation"),
        ("The plant cost five million.", "The plant, which is not in use, cost five million.", None),
        ("He never denied the report.", "He confirmed the weather.", None),
        ("It does not produce steel.", "It does not currently produce any steel.", None),
        ("Output rose.", "Output fell.", "opposite"),
        ("Output did not rise.", "Output fell.", None),
        ("Paris is larger than Lyon.", "Lyon is larger than Paris.", "comparison"),
        ("Paris is larger than Lyon.", "Paris is much larger than Lyon.", None),
    ],
)
def test_contrasts(sentence: str, source: str, kind: str | None) -> None:
    clash = find_clash(sentence, source)
    assert (clash.kind if clash else None) == kind


def test_quotations_are_taken_without_their_punctuation() -> None:
    assert quotations('He said “It is getting warmer.” and "yes".') == ["It is getting warmer"]
    assert quotations("« Il fait plus chaud »") == ["Il fait plus chaud"]


@pytest.mark.fault("F69")
@pytest.mark.parametrize(
    ("quote", "is_in"),
    [
        ("we had hoped for more", True),
        ("We  had\nhoped", True),
        ("we … for more", True),
        ("for more … we had", False),
        ("we had more", False),
    ],
)
def test_a_quotation_is_one_piece(quote: str, is_in: bool) -> None:
    assert quote_is_in(quote, [fold("But we had hoped for more.")]) is is_in


def test_a_sentence_across_a_line_break_stands_in_the_text() -> None:
    assert stands_in("It is very safe.", "They say:\nIt is\nvery safe. And so on.")
    assert not stands_in("It is very safe.", "Nobody says that It is very safe.")
