"""Words: every code, verdict, stage and engine state has its sentence, and no sentence is without use."""

import re
from pathlib import Path

import pytest

from tabwise.protocol import schema
from tabwise.protocol.codes import ERROR_CODES
from tabwise.protocol.rules import CATEGORIES
from tabwise.ui import words
from tabwise.ui.view.answer import VERDICT_ICONS
from tabwise.ui.view.settings import SECTIONS

UI = Path(words.__file__).parent
BUILT_KEYS = {
    *(f"engine_{state}" for state in schema.NOTICES["engine"]["state"][1:]),
    *(f"stage_{stage}" for stage in schema.STAGES),
    *(f"count_{verdict}" for verdict in schema.VERDICTS),
    "engine_extractive",
    *(f"never_{rule}" for rule in ("own", *CATEGORIES)),
    *(f"category_{name}{more}" for name in CATEGORIES for more in ("", "_more")),
    *(f"rule_{fault}" for fault in ("empty", "long", "ascii", "wildcard", "host")),
    *(f"section_{name}" for name, _ in SECTIONS),
    *(f"{part}_more" for part in ("categories", "own_rules", "granted_sites")),
    *(f"rule_is_{effect}" for effect in ("allow", "deny")),
}
ACTIONS = {
    "dismiss", "retry", "edit", "add", "refresh", "pages", "reset", "open", "allow", "reload",
    "read_once", "confirm", "wake", "selection", "settings",
}  # fmt: skip


def test_every_error_code_has_a_sentence_and_an_action() -> None:
    assert set(words.ERRORS) == set(ERROR_CODES)


@pytest.mark.parametrize("code", sorted(ERROR_CODES))
def test_an_error_is_one_sentence_and_one_short_action(code: str) -> None:
    sentence, label, action = words.ERRORS[code]
    assert re.fullmatch(r"[A-Z][^.!?]+\.", sentence)
    assert len(label.split()) <= 8
    assert action in ACTIONS


def test_every_verdict_has_words_and_an_icon_of_its_own() -> None:
    assert all(verdict in words.WORDS for verdict in schema.VERDICTS)
    assert set(VERDICT_ICONS) == set(schema.VERDICTS)
    assert len(set(VERDICT_ICONS.values())) == len(schema.VERDICTS)


def test_every_built_key_exists() -> None:
    assert set(words.WORDS) >= BUILT_KEYS


def test_every_sentence_is_used() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8") for path in UI.rglob("*.py") if path.name != "words.py"
    )
    used = set(re.findall(r'"([a-z_]+)"', sources))
    assert set(words.WORDS) - BUILT_KEYS - used == set()


def test_numbers_choose_singular_and_plural() -> None:
    assert words.say("n_words", n=1) == "1 word"
    assert words.say("n_words", n=1234) == "1,234 words"
    assert words.say("n_words", n=0) == "0 words"


def test_braces_in_a_title_stay_as_they_are() -> None:
    assert words.say("removed", title="a {n} {title}") == "Removed “a {n} {title}”."


def test_a_verdict_tells_its_reasons() -> None:
    assert words.verdict_text("contradicted", ["number:60"]) == (
        "Contradicted by its source: it does not say 60"
    )
    assert words.verdict_text("supported", ["verbatim"]) == "Supported by its source"
    assert words.verdict_text("partly", ["missing:turbin", "missing:sea"]) == (
        "Partly supported by its source: part of this is not in it"
    )
    assert words.verdict_text("partly", ["unheard_of:x"]) == "Partly supported by its source"
