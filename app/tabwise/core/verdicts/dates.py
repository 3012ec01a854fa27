"""Dates and times of day in a text, as far as a claim about them can be checked.

Read are 2024-03-12, 12 March 2024, March 12(th), 2024, 12 Mar, March 2024, 12.03.2024, 3/12/24, 2024,
1620–21, the 1990s, "in March", 10:30, 5 pm, 2024年3月12日. A date is year, month, day with what is missing
left open; an ambiguous one (3/12/24) keeps both readings. Month names in English, German, French, Spanish
and Russian.

A stated date is met by a given one when some reading of each agrees in every part the statement has;
they differ when every pair of readings disagrees in a part both have. "12 March 2024" is neither met by
"March 2024" nor different from it: the day is simply not there.
"""

import re
from dataclasses import dataclass

_MONTH_TEXT = """
january|jan|januar|janvier|janv|enero|январь|января
february|feb|februar|février|févr|febrero|февраль|февраля
march|mar|märz|mars|marzo|март|марта
april|apr|avril|abril|апрель|апреля
may|mai|mayo|май|мая
june|jun|juni|juin|junio|июнь|июня
july|jul|juli|juillet|julio|июль|июля
august|aug|août|agosto|август|августа
september|sept|sep|septembre|septiembre|сентябрь|сентября
october|oct|oktober|okt|octobre|octubre|октябрь|октября
november|nov|novembre|noviembre|ноябрь|ноября
december|dec|dezember|dez|décembre|déc|diciembre|декабрь|декабря
"""
_MONTHS = {name: number for number, names in enumerate(_MONTH_TEXT.split(), 1) for name in names.split("|")}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ENGLISH_MONTH = "|".join(line.split("|")[0] for line in _MONTH_TEXT.split())
_YEAR = r"(?:1\d{3}|20\d\d|21\d\d)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"

_PATTERN = re.compile(
    rf"""(?:(?<!\d)(?P<han_y>\d{{4}})\ ?年(?:\ ?(?P<han_m>1[0-2]|0?[1-9])\ ?月(?:\ ?(?P<han_d>{_DAY})\ ?日)?)?
    | (?<![\w/])(?<!\d[.:,])(?:
      (?P<iso_y>\d{{4}})-(?P<iso_m>0[1-9]|1[0-2])-(?P<iso_d>{_DAY})(?!\d)
    | (?P<dmy_d>{_DAY})(?:st|nd|rd|th|er|\.)?\ (?:(?:of|de)\ )?(?P<dmy_m>{_MONTH})\b\.?
        (?:,?\ (?:del?\ )?(?P<dmy_y>{_YEAR})\b)?
    | (?P<mdy_m>{_MONTH})\b\.?\ (?P<mdy_d>{_DAY})(?:st|nd|rd|th)?\b(?!:)(?:,?\ (?P<mdy_y>{_YEAR})\b)?
    | (?P<my_m>{_MONTH})\b\.?,?\ (?:de\ )?(?P<my_y>{_YEAR})\b
    | (?P<dot_d>{_DAY})\.(?P<dot_m>1[0-2]|0?[1-9])\.(?P<dot_y>\d{{4}})(?!\d)
    | (?P<slash_a>\d{{1,2}})/(?P<slash_b>\d{{1,2}})/(?P<slash_y>\d{{4}}|\d\d)(?!\d)
    | (?P<clock_h>[01]?\d|2[0-3]):(?P<clock_m>[0-5]\d)(?::[0-5]\d)?(?!\d)\ ?(?P<clock_half>[ap]\.?m\b\.?)?
    | (?P<hour>1[0-2]|[1-9])\ ?(?P<hour_half>[ap]\.?m\b\.?)
    | (?:the\ )?(?P<decade>1\d\d0|20\d0)['’]?s\b
    | (?P<span_y>{_YEAR})(?:[–—](?P<span_end>\d\d)|-(?P<span_last>1[3-9]|[2-9]\d))(?!\d)
    | (?P<year>{_YEAR})(?![\w%°]|[.,:/]\d|-\d\d?(?!\d))
    | (?<=\bin\ )(?P<month>{_ENGLISH_MONTH})\b(?!\.?\ \d)
    ))""",
    re.IGNORECASE | re.VERBOSE,
)

DateParts = tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text. `readings` are (year, month, day), None for a part that is not said."""

    start: int
    end: int
    text: str
    readings: tuple[DateParts, ...]

    @property
    def year_only(self) -> int | None:
        """The year when nothing else is said: such a mention may be a plain number after all."""
        year, month, day = self.readings[0]
        return year if month is None and day is None else None

    def is_met_by(self, given: "DateMention") -> bool:
        """Whether some reading of `given` has every part of some reading of this, with the same value."""
        return any(
            all(own is None or own == other for own, other in zip(stated, parts, strict=True))
            for stated in self.readings
            for parts in given.readings
        )

    def differs_from(self, given: "DateMention") -> bool:
        """Whether all pairs of readings disagree in a part that both have."""
        return all(
            any(
                own is not None and other is not None and own != other
                for own, other in zip(stated, parts, strict=True)
            )
            for stated in self.readings
            for parts in given.readings
        )


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time of day or a decade: `values` are the possible meanings, comparable within one `kind`.

    Times are minutes since midnight, both halves of the day when none is said; decades their first year.
    """

    start: int
    end: int
    text: str
    kind: str
    values: tuple[int, ...]


def find_dates(text: str) -> tuple[list[DateMention], list[TimeMention]]:
    """Return the dates, and the times of day and decades, of a text in order."""
    dates: list[DateMention] = []
    times: list[TimeMention] = []
    for match in _PATTERN.finditer(text):
        groups = {name: value for name, value in match.groupdict().items() if value is not None}
        span = (match.start(), match.end(), match.group())
        if "clock_h" in groups:
            half = groups.get("clock_half", "")
            minutes = 60 * int(groups["clock_h"]) + int(groups["clock_m"])
            times.append(TimeMention(*span, "time", _halves(minutes, half)))
        elif "hour" in groups:
            times.append(TimeMention(*span, "time", _halves(60 * int(groups["hour"]), groups["hour_half"])))
        elif "decade" in groups:
            times.append(TimeMention(*span, "decade", (int(groups["decade"]),)))
        elif "span_y" in groups:
            dates += _both_years(match)
        elif readings := _readings(groups):
            dates.append(DateMention(*span, readings))
    return dates, times


def _both_years(match: re.Match[str]) -> list[DateMention]:
    """The two years of 1620–21."""
    first = int(match["span_y"])
    last = first - first % 100 + int(match["span_end"] or match["span_last"])
    cut = match.start() + 4
    found = [DateMention(match.start(), cut, match["span_y"], ((first, None, None),))]
    if last > first:
        found.append(DateMention(cut, match.end(), str(last), ((last, None, None),)))
    return found


def _halves(minutes: int, half: str) -> tuple[int, ...]:
    if half:
        return (minutes % 720 + (720 if half[0] in "pP" else 0),)
    return (minutes, minutes + 720) if 60 <= minutes < 720 else (minutes,)


def _readings(groups: dict[str, str]) -> tuple[DateParts, ...]:
    if "slash_a" in groups:
        a, b, year = int(groups["slash_a"]), int(groups["slash_b"]), _full_year(groups["slash_y"])
        orders = dict.fromkeys([(year, a, b), (year, b, a)])
        return tuple((y, m, d) for y, m, d in orders if 1 <= m <= 12 and 1 <= d <= 31)
    parts: dict[str, int] = {}
    for name, value in groups.items():
        part = "ymd".find(name[-1]) if "_" in name else {"year": 0, "month": 1}[name]
        key = "ymd"[part]
        parts[key] = _MONTHS.get(value.lower()) or int(value)
    return ((parts.get("y"), parts.get("m"), parts.get("d")),)


def _full_year(digits: str) -> int:
    """Two digits mean the years 1970 to 2069, as POSIX has it within a year."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return 2000 + year if year < 70 else 1900 + year
