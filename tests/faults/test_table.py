"""The list of faults, the tests that inject them and the document agree."""

import pytest

pytestmark = pytest.mark.native

import faults_table  # noqa: E402  (not there under Pyodide, where this module is left out)

ROWS = {row.id: row for row in faults_table.rows()}
MARKED = faults_table.injections()


def test_the_document_is_what_list_and_tests_say() -> None:
    assert faults_table.TABLE.read_text("utf-8") == faults_table.table()


def test_every_mark_names_a_row() -> None:
    assert {one.id for one in MARKED} <= set(ROWS)


@pytest.mark.parametrize("row_id", ROWS)
def test_a_row_has_a_test(row_id: str) -> None:
    assert [one for one in MARKED if one.id == row_id]


def test_the_numbered_rows_are_complete() -> None:
    assert [id_ for id_ in ROWS if id_.startswith("F")] == [f"F{number:02}" for number in range(1, 73)]
