"""The hard facts of a sentence: numbers, dates and times, and whether a source has them.

A fact is met when a sentence of the source has it. It is denied when the sentence nearest in content has
another value for the same thing and not this one: then it does not help that the value stands elsewhere,
as long as the near sentence says all the rest. "1500 people" is written like a year, so a bare year and a
bare number of the same value meet.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tabwise.core.verdicts.dates import DateMention, TimeMention, find_dates
from tabwise.core.verdicts.quantities import Quantity, find_quantities


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
        if any(date.year_only is not None for date in dates):
            measured = [quantity for quantity in find_quantities(text) if quantity.dimension]
            dates = [date for date in dates if not _is_measured(date, measured)]
        without_dates = _blanked(text, [*dates, *times])
        quantities = find_quantities(without_dates)
        return cls(tuple(dates), tuple(times), tuple(quantities), _blanked(without_dates, quantities))

    @property
    def n_facts(self) -> int:
        """Number of facts."""
        return len(self.dates) + len(self.times) + len(self.quantities)

    @property
    def all(self) -> tuple["Fact", ...]:
        """Dates, then times, then quantities."""
        return (*self.dates, *self.times, *self.quantities)

    def check(
        self, given: Sequence["Facts"], near: Sequence["Facts"], *, is_near_whole: bool
    ) -> tuple[list[str], list[str]]:
        """Return the facts that no sentence of `given` has, and those that a sentence of `near` denies.

        `is_near_whole`: the near sentences have all the other words of this one. Reasons are
        `date:12 March` and `number:1,200`, in the order dates, times, numbers.
        """
        missing: list[str] = []
        denied: list[str] = []
        for fact in self.all:
            is_denied = any(_is_denied(fact, self, rival) for rival in near)
            if any(is_met(fact, facts) for facts in (near if is_denied and is_near_whole else given)):
                continue
            reason = f"{'number' if isinstance(fact, Quantity) else 'date'}:{fact.text}"
            (denied if is_denied else missing).append(reason)
        return missing, denied


Fact = DateMention | TimeMention | Quantity


def _is_measured(date: DateMention, measured: Sequence[Quantity]) -> bool:
    return date.year_only is not None and any(q.start <= date.start < q.end for q in measured)


def _blanked(text: str, facts: Iterable[Fact]) -> str:
    for fact in facts:
        text = text[: fact.start] + " " * (fact.end - fact.start) + text[fact.end :]
    return text


def is_of_same_kind(fact: Fact, other: Fact) -> bool:
    """Whether both are dates, times of one kind, or numbers of one dimension."""
    if isinstance(fact, Quantity):
        return isinstance(other, Quantity) and fact.dimension == other.dimension
    if isinstance(fact, TimeMention):
        return isinstance(other, TimeMention) and fact.kind == other.kind
    return isinstance(other, DateMention)


def is_met(fact: Fact, given: Facts) -> bool:
    """Whether a text with these facts says this one."""
    if isinstance(fact, Quantity):
        return _number_is_met(fact, given)
    if isinstance(fact, TimeMention):
        return any(_is_same_time(fact, other) for other in given.times) or (
            fact.kind == "decade" and any(_is_in_decade(date, fact.values[0]) for date in given.dates)
        )
    year = fact.year_only
    return any(fact.is_met_by(other) for other in given.dates) or (
        year is not None and any(float(year) in quantity.values for quantity in given.quantities)
    )


def _is_in_decade(date: DateMention, first: int) -> bool:
    return any(year is not None and first <= year < first + 10 for year, _, _ in date.readings)


def _number_is_met(number: Quantity, given: Facts) -> bool:
    if any(number.is_met_by(other) for other in given.quantities):
        return True
    years = [float(date.year_only) for date in given.dates if date.year_only is not None]
    return not number.dimension and any(year in number.values for year in years)


def _is_denied(fact: Fact, own: Facts, rival: Facts) -> bool:
    """Whether `rival` has another value for the same thing, one that `own` does not state as well."""
    if isinstance(fact, Quantity):
        return _number_is_denied(fact, own, rival)
    if isinstance(fact, TimeMention):
        others = [other for other in rival.times if other.kind == fact.kind]
        return any(not any(_is_same_time(stated, other) for stated in own.times) for other in others)
    return any(
        fact.differs_from(other) and not any(stated.is_met_by(other) for stated in own.dates)
        for other in rival.dates
    )


def _is_same_time(time: TimeMention, other: TimeMention) -> bool:
    return time.kind == other.kind and not set(time.values).isdisjoint(other.values)


def _number_is_denied(number: Quantity, own: Facts, rival: Facts) -> bool:
    """A number is denied by a comparable one, or by the same figure in another unit of measure.

    A source number that merely says less exactly the same is no denial.
    """
    for other in rival.quantities:
        is_stated = any(stated.is_met_by(other) for stated in own.quantities if stated is not number)
        if is_stated or number.is_met_by(other) or other.is_met_by(number):
            continue
        has_same_figure = number.dimension and other.dimension and number.figure == other.figure
        if has_same_figure or number.is_comparable_to(other):
            return True
    return False
