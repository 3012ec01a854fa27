"""JSON from elsewhere neither ends the engine nor reads otherwise than json does."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.text.bounded_json import MAX_DEPTH, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_what_is_sound_reads_as_json_reads_it(value: Any) -> None:
    assert read_json(json.dumps(value)) == value
    assert read_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 201 + "]" * 201, "[{}," * 300])
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        read_json(text)


def test_the_deepest_level_allowed_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert json.dumps(read_json(text)) == text


@pytest.mark.parametrize("inside", ["[" * 1000, "{" * 1000 + '\\"' + "[" * 1000, "\\\\"])
def test_brackets_inside_of_strings_do_not_count(inside: str) -> None:
    text = '["' + inside + '", [], ' * 1 + "1]"
    assert read_json(text)[2] == 1


def test_many_values_side_by_side_are_read() -> None:
    assert len(read_json("[" + "[]," * 10_000 + "[]]")) == 10_001


def test_a_string_that_does_not_end_is_refused() -> None:
    with pytest.raises(json.JSONDecodeError):
        read_json("[" * 150 + '"' + "[" * 1000)
