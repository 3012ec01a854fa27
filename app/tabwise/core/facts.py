"""The hard facts of a sentence: numbers, dates and times, and whether a source has them.

A fact is met when any sentence of the source has it. It is denied when it is not met and a sentence near
in content has another value for the same thing. "1500 people" is written like a year, so a bare year and
a bare number of the same value meet.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tabwise.core.dates import DateMention, TimeMention, find_dates
from tabwise.core.quantities import Quantity, find_quantities


@dataclass(frozen=True, slots=True)
class Facts:
    """Dates, times and quantities of a text, and the text with blanks in their place."""

    dates: tuple[DateMention, ...]
    times: tuple[TimeMention, ...]
    quantities: tuple[Quantity, ...]
    remainder: str

    @classmethod
    def of(cls, text: str) -> "Facts":
        """Read a text."""
        dates, times = find_dates(text)
        measured = [quantity for quantity in find_quantities(text) if quantity.dimension]
        dates = [
            date
            for date in dates
            if date.year_only is None or not any(q.start <= date.start < q.end for q in measured)
        ]
        without_dates = _blanked(text, [*dates, *times])
        quantities = find_quantities(without_dates)
        return cls(tuple(dates), tuple(times), tuple(quantities), _blanked(without_dates, quantities))

    @property
    def n_facts(self) -> int:
        """Number of facts."""
        return len(self.dates) + len(self.times) + len(self.quantities)

    def check(self, sentences: Sequence[str], near: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the facts that `sentences` lack, and those that a sentence of `near` denies.

        Each as a reason, `date:12 March` or `number:1,200`, in the order dates, times, numbers.
        """
        given = [Facts.of(text) for text in sentences]
        rivals = [Facts.of(text) for text in near]
        missing: list[str] = []
        denied: list[str] = []
        for date in self.dates:
            if not _date_is_met(date, given):
                is_denied = any(_date_is_denied(date, self, rival) for rival in rivals)
                (denied if is_denied else missing).append(f"date:{date.text}")
        for time in self.times:
            if not any(_same_time(time, other) for facts in given for other in facts.times):
                is_denied = any(time.kind == other.kind for rival in rivals for other in rival.times)
                (denied if is_denied else missing).append(f"date:{time.text}")
        for quantity in self.quantities:
            meetings = list(_meetings(quantity, given))
            is_denied = any(_number_is_denied(quantity, self, rival) for rival in rivals)
            if True not in meetings and (is_denied or not meetings):
                (denied if is_denied else missing).append(f"number:{quantity.text}")
        return missing, denied


def _blanked(text: str, mentions: Iterable[DateMention | TimeMention | Quantity]) -> str:
    for mention in mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _date_is_met(date: DateMention, given: Sequence[Facts]) -> bool:
    year = date.year_only
    return any(
        any(date.is_met_by(other) for other in facts.dates)
        or (year is not None and any(float(year) in q.values for q in facts.quantities))
        for facts in given
    )


def _date_is_denied(date: DateMention, own: Facts, rival: Facts) -> bool:
    return any(
        date.differs_from(other) and not any(stated.is_met_by(other) for stated in own.dates)
        for other in rival.dates
    )


def _same_time(time: TimeMention, other: TimeMention) -> bool:
    return time.kind == other.kind and not set(time.values).isdisjoint(other.values)


def _meetings(quantity: Quantity, given: Sequence[Facts]) -> Iterable[bool]:
    """For each place that has the number, whether it counts the same things as far as is said."""
    for facts in given:
        for other in facts.quantities:
            if quantity.is_met_by(other):
                yield not (quantity.nouns and other.nouns and quantity.nouns.isdisjoint(other.nouns))
        if not quantity.dimension and any(float(d.year_only or -1) in quantity.values for d in facts.dates):
            yield True


def _number_is_denied(quantity: Quantity, own: Facts, rival: Facts) -> bool:
    """Whether `rival` has a comparable number, or the same figure in another unit, that `own` has not.

    A source number that merely says less exactly the same is no denial.
    """
    for other in rival.quantities:
        is_stated = any(stated.is_met_by(other) for stated in own.quantities if stated is not quantity)
        if is_stated or other.is_met_by(quantity):
            continue
        has_same_figure = quantity.dimension and other.dimension and quantity.figure == other.figure
        if has_same_figure or quantity.is_comparable_to(other):
            return True
    return False
