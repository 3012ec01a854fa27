"""Transcripts: lines that each begin with the time at which they are said.

A printed time is m:ss, mm:ss or h:mm:ss, bare or in brackets, as players and podcast pages print it. At
least `MIN_LINES` neighbouring elements that begin with times which never go back make a transcript, headings
of chapters in between allowed; a list of kick-off times or of track lengths goes up and down.
"""

import re
from collections.abc import Sequence

MIN_LINES = 5
MIN_LINE_SHARE = 0.66
_TIME = re.compile(
    r"\s*[\[(]?(?:(\d{1,2}):)?(\d{1,2}):([0-5]\d)(?:[.,]\d{1,3})?[\])]?(?![\d:])\s*[-–—:|]?\s*"
)


def seconds_of(text: str) -> int | None:
    """The time that `text` begins with, in whole seconds; None when it begins with something else."""
    match = _TIME.match(text)
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return 3600 * hours + 60 * minutes + seconds


def without_time(text: str) -> str:
    """`text` behind the time it begins with."""
    match = _TIME.match(text)
    return text if match is None else text[match.end() :]


def are_lines(times: Sequence[int | None]) -> bool:
    """Whether neighbours with these times, in order, are the lines of a transcript."""
    known = [time for time in times if time is not None]
    is_enough = len(known) >= max(MIN_LINES, MIN_LINE_SHARE * len(times))
    return is_enough and known == sorted(known) and known[0] < known[-1]
