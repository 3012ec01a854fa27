"""The wire is strict: what the schema describes passes unchanged, everything else is refused."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.protocol import codec, schema
from ui_driver import page

TEXT = st.text(max_size=30)
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "str": TEXT,
    "int": st.integers(-(2**53), 2**53),
    "float": st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53),
    "bool": st.booleans(),
    "json": st.recursive(
        st.none() | st.booleans() | TEXT, lambda s: st.lists(s) | st.dictionaries(TEXT, s), max_leaves=5
    ),
}


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    if isinstance(kind, dict):
        return st.fixed_dictionaries({name: values_of(field) for name, field in kind.items()})
    if isinstance(kind, tuple):
        head, *rest = kind
        if head == "optional":
            return st.none() | values_of(rest[0])
        if head == "list":
            return st.lists(values_of(rest[0]), max_size=3)
        return st.sampled_from(rest)
    if kind in schema.RECORDS:
        return values_of(schema.RECORDS[kind])
    return SCALARS[kind]


IDS = st.text(min_size=1, max_size=12)
REQUESTS = st.sampled_from(sorted(schema.REQUESTS)).flatmap(
    lambda kind: st.tuples(st.just(kind), IDS, values_of(schema.REQUESTS[kind]))
)
EVENTS = st.sampled_from(sorted(schema.EVENTS)).flatmap(
    lambda kind: st.tuples(st.just(kind), IDS, values_of(schema.EVENTS[kind]))
)


@given(REQUESTS)
def test_a_request_survives_the_round_trip(request_: tuple[str, str, dict[str, Any]]) -> None:
    kind, request_id, fields = request_
    decoded = codec.decode_request(codec.encode_request(request_id, kind, **fields))
    assert decoded == {"v": 1, "id": request_id, "type": kind, **fields}


@given(EVENTS)
def test_an_event_survives_the_round_trip(event: tuple[str, str, dict[str, Any]]) -> None:
    kind, request_id, fields = event
    decoded = codec.decode_event(codec.encode_event(request_id, kind, **fields))
    assert decoded == {"v": 1, "re": request_id, "type": kind, **fields}


@given(REQUESTS, st.data())
@pytest.mark.fault("F08")
def test_a_missing_field_is_refused(request_: tuple[str, str, dict[str, Any]], data: st.DataObject) -> None:
    kind, request_id, fields = request_
    message = {"v": 1, "id": request_id, "type": kind, **fields}
    del message[data.draw(st.sampled_from(sorted(message)))]
    with pytest.raises(codec.Malformed):
        codec.decode_request(json.dumps(message))


@given(REQUESTS)
def test_an_extra_field_is_refused(request_: tuple[str, str, dict[str, Any]]) -> None:
    kind, request_id, fields = request_
    with pytest.raises(codec.Malformed, match="unknown field"):
        codec.decode_request(json.dumps({"v": 1, "id": request_id, "type": kind, **fields, "extra": 1}))


@given(st.text(max_size=200) | st.binary(max_size=50).map(lambda b: b.decode("latin-1")))
@pytest.mark.fault("F08")
def test_any_text_is_decoded_or_refused(text: str) -> None:
    try:
        request = codec.decode_request(text)
    except codec.Malformed:
        return
    assert request["type"] in schema.REQUESTS


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("int", True),
        ("int", 1.0),
        ("float", float("nan")),
        ("float", float("inf")),
        ("float", True),
        ("str", None),
        ("bool", 1),
        (("list", "str"), "abc"),
        (("enum", "a", "b"), "c"),
        ("Failure", {"code": "x", "subject": "y"}),
        ("Failure", []),
    ],
)
@pytest.mark.fault("F08")
def test_a_value_of_another_type_is_refused(kind: Any, value: Any) -> None:
    with pytest.raises(codec.Malformed):
        codec.check(value, kind)


@pytest.mark.native  # in a browser's worker the stack ends before Python notices
@pytest.mark.fault("F08")
def test_a_deeply_nested_message_is_refused() -> None:
    with pytest.raises(codec.Malformed):
        codec.decode_request("[" * 100_000)


def test_the_fault_is_named_by_its_path() -> None:
    tab = {"tab_id": "one"}
    with pytest.raises(codec.Malformed, match=r"message\.tabs\[0\]\.tab_id: expected int"):
        codec.encode_request("1", "index", tabs=[tab])


def test_an_older_panel_is_refused() -> None:
    with pytest.raises(codec.Malformed, match=r"message\.v"):
        codec.decode_request('{"v": 0, "id": "1", "type": "hello"}')


def test_every_request_has_a_result_and_every_stage_a_name() -> None:
    assert set(schema.RESULTS) == set(schema.REQUESTS)
    assert set(schema.TERMINAL) <= set(schema.EVENTS)


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("n_words", "7", "result[2].n_words: expected int"),
        ("n_words", True, "result[2].n_words: expected int"),
        ("no_captions", 1, "result[2].no_captions: expected bool"),
        ("captured_at", float("nan"), "result[2].captured_at: expected float"),
        ("captured_at", float("inf"), "result[2].captured_at: expected float"),
        ("more", 1, "result[2].more: unknown field"),
    ],
)
def test_a_fault_deep_in_a_long_list_is_named(field: str, value: Any, fault: str) -> None:
    rows = [page(f"https://{number}.example/") for number in range(4)]
    codec.check_result("library", rows)
    codec.check_result("library", [row | {"captured_at": 5} for row in rows])
    rows[2] = rows[2] | {field: value}
    with pytest.raises(codec.Malformed, match=re.escape(fault)):
        codec.check_result("library", rows)


def test_a_missing_field_deep_in_a_long_list_is_named() -> None:
    rows = [page(f"https://{number}.example/") for number in range(4)]
    del rows[3]["title"]
    with pytest.raises(codec.Malformed, match=re.escape("result[3].title: missing")):
        codec.check_result("library", rows)
