"""Values of command line options, each checked before anything is done; argparse says what is wrong."""

import argparse
from collections.abc import Callable
from datetime import datetime
from pathlib import Path


def whole_number(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a type for whole numbers from `low` to `high`, without an upper limit when it is None."""
    limits = f"{low} or more" if high is None else f"from {low} to {high}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if value < low or (high is not None and value > high):
            raise argparse.ArgumentTypeError(f"must be a whole number, {limits}")
        return value

    return read


def day_ms(text: str) -> float:
    """Return the beginning of a local day, ms since the epoch."""
    try:
        return datetime.fromisoformat(text).timestamp() * 1_000
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(f"must be a day like 2026-01-31, not {text!r}") from error


def new_file(text: str) -> Path:
    """Return a path at which a file can be written: no folder, in a folder that is there."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"is a folder: {text}")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {path.parent}")
    return path
