"""Keys are recognised by their value."""

import json
import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.network.redaction import MARK, MIN_CHARS, Redactor
from tabwise.engine.secrets import RedactedLog

SECRETS = st.text(min_size=MIN_CHARS, max_size=40).filter(lambda text: text not in MARK)


@given(SECRETS, st.text(max_size=20), st.text(max_size=20))
@pytest.mark.fault("F58")
def test_a_secret_is_gone_in_every_form(secret: str, before: str, after: str) -> None:
    redact = Redactor()
    redact.add(secret)
    for form in (secret, json.dumps(secret)[1:-1], quote(secret.encode("utf-8", "replace"), safe="")):
        assert form not in redact(f"\x00{before}\x01{form}\x01{after}\x00")


def test_a_secret_that_begins_another_hides_neither() -> None:
    redact = Redactor()
    redact.add("sk-12345")
    redact.add("sk-12345678")
    assert redact("a sk-12345678 b sk-12345 c") == f"a {MARK} b {MARK} c"


def test_a_dummy_key_leaves_ordinary_words_alone() -> None:
    redact = Redactor()
    redact.add("ollama")
    assert redact("Ollama says: ollama") == "Ollama says: ollama"


@pytest.mark.fault("F58")
def test_a_log_line_and_its_traceback_lose_the_key() -> None:
    redact = Redactor()
    redact.add("sk-planted-12345")
    formatter = logging.Formatter("%(message)s")
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(formatter.format(record))

    handler = Keep()
    handler.addFilter(RedactedLog(redact))
    log = logging.Logger("test")
    log.addHandler(handler)
    try:
        raise ValueError("bad header sk-planted-12345")
    except ValueError:
        log.exception("sending to %s failed", "https://x.example/?key=sk-planted-12345")
    text = "\n".join(lines)
    assert "sk-planted-12345" not in text
    assert text.count(MARK) == 3
    assert "Traceback" in text


@pytest.mark.parametrize("short", ["", "x", "1234567"])
def test_nothing_is_added_for_a_short_secret(short: str) -> None:
    redact = Redactor()
    redact.add(short)
    assert redact("x 1234567 y") == "x 1234567 y"
