"""Every promise of the threat model names rows of the fault list, and every row it names is injected."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.native

import faults_table  # noqa: E402  (not there under Pyodide, where this module is left out)

TEXT = (Path(__file__).parents[2] / "docs" / "threat-model.md").read_text("utf-8")
ROW = re.compile(r"\b(?:F\d\d|[IS]\d)\b")
MARKED = {one.id for one in faults_table.injections()}


def section(heading: str) -> str:
    """The text between a heading and the next one."""
    (found,) = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


PROMISES = [
    " ".join(one.split()) for one in re.split(r"^- ", section("What is promised"), flags=re.MULTILINE)[1:]
]
SINKS = [
    line for line in section("Where harm could come in, and what stands there").splitlines() if "|" in line
][2:]


def test_every_row_it_names_is_injected() -> None:
    assert set(ROW.findall(TEXT)) <= MARKED


@pytest.mark.parametrize("text", [*PROMISES, *SINKS])
def test_a_promise_and_a_sink_name_what_holds_them(text: str) -> None:
    assert ROW.findall(text), text


def test_promises_and_sinks_were_found() -> None:
    assert (len(PROMISES) >= 6, len(SINKS) >= 10) == (True, True)
