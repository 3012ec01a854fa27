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


def date_of(at_ms: float, offset_min: int) -> tuple:
    """Return (year, month, day) of a moment for the reader (Hinnant, civil_from_days)."""
    days = int((at_ms - offset_min * 60000) // DAY_MS) + 719468
    era = days // 146097
    day_of_era = days - era * 146097
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year_of_era + era * 400 + (month <= 2), month, day


def time_of(at_ms: float, offset_min: int) -> str:
    """Return the reader's time of day of a moment: 9:05, 14:30."""
    minutes = int((at_ms - offset_min * 60000) % DAY_MS) // 60000
    return "%d:%02d" % (minutes // 60, minutes % 60)


def _days_of(year: int, month: int, day: int) -> int:
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719468
