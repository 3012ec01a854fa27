"""Flags of open pages follow from nearness, age and whether they are saved."""

import pytest

from tabwise.core.summaries.interest import MIN_SIMILARITY, UNUSED_DAYS, Because, Flag, hint_of
from tabwise.protocol.settings import MAX_INTEREST_CHARS, MAX_INTERESTS, sound_settings

NEAR, FAR = {"tides": MIN_SIMILARITY, "bread": 0.1}, {"tides": 0.1, "bread": 0.2}


@pytest.mark.parametrize(
    ("similarities", "days_unused", "is_saved", "flag"),
    [
        (NEAR, 0.0, True, Flag.INTERESTING),
        (NEAR, 100.0, True, Flag.INTERESTING),
        (NEAR, 100.0, False, Flag.INTERESTING),
        (FAR, UNUSED_DAYS, True, Flag.CLOSABLE),
        (FAR, UNUSED_DAYS - 0.1, True, Flag.NEITHER),
        (FAR, UNUSED_DAYS, False, Flag.NEITHER),
        ({}, UNUSED_DAYS, True, Flag.CLOSABLE),
        ({}, 0.0, True, Flag.NEITHER),
    ],
)
def test_flags(similarities: dict[str, float], days_unused: float, is_saved: bool, flag: Flag) -> None:
    assert hint_of(similarities, days_unused=days_unused, is_saved=is_saved).flag is flag


def test_a_flag_has_its_reasons() -> None:
    near = hint_of(NEAR, days_unused=9.0, is_saved=True)
    assert (near.interest, near.because) == ("tides", (Because.NEAR_INTEREST,))
    far = hint_of(FAR, days_unused=9.0, is_saved=False)
    assert (far.interest, far.similarity) == ("bread", 0.2)
    assert far.because == (Because.NO_INTEREST_NEAR, Because.UNUSED, Because.NOT_SAVED)


def test_damaged_interests_keep_what_can_be_read() -> None:
    stored = {"interests": ["  tidal\n power ", 7, "", None, "x" * 999]}
    assert sound_settings(stored)["interests"] == ["tidal power", "x" * MAX_INTEREST_CHARS]
    assert sound_settings({"interests": ["a"] * 99})["interests"] == ["a"] * MAX_INTERESTS
    assert sound_settings({"interests": "tides"})["interests"] == []
