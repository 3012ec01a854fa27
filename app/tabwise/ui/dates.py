"""Days of the reader's calendar, without a time zone database: MicroPython has none.

A day is a number of days since 1970-01-01 of the proleptic Gregorian calendar. The offset is the browser's
own (`getTimezoneOffset`: minutes from local time to UTC, negative east of Greenwich). Dates become days as in
Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (days_from_civil).
"""

DAY_MS = 86400000
SPANS = (0, 1, 7, 30)  # what a question can be kept to: days back, today included; 0 is any time
OWN_SPAN = -1  # from one date to another


def start_of_day(now_ms: float, offset_min: int, days_ago: int = 0) -> int:
    """Return when the reader's day began that is `days_ago` before today, in ms since the epoch."""
    local = now_ms - offset_min * 60000
    return int((local // DAY_MS - days_ago) * DAY_MS + offset_min * 60000)


def start_of_date(date: str, offset_min: int) -> int:
    """Return when a date (2026-03-01) begins for the reader, in ms since the epoch; 0 for what is no date."""
    parts = read_date(date)
    return _days_of(*parts) * DAY_MS + offset_min * 60000 if parts else 0


def read_date(date: str) -> tuple:
    """Return (year, month, day) of a date as a date field gives it, () for what is none."""
    parts = date.split("-")
    for part in parts:
        if not part.isdigit():
            return ()
    if len(parts) != 3:
        return ()
    year, month, day = [int(part) for part in parts]
    return (year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 and 1 <= year <= 9999 else ()


def _days_of(year: int, month: int, day: int) -> int:
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719468
