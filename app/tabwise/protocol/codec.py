"""Strict encode and decode of protocol messages.

A message with a missing, extra or mistyped field is refused with the path of the fault;
nothing is coerced or dropped. Runs on CPython, Pyodide and MicroPython.
"""

import json

from tabwise.protocol import schema

INFINITY = float("inf")


class Malformed(ValueError):
    """A message breaks the schema; the text says where."""


def check(value: object, kind, where: str = "message") -> None:
    """Raise Malformed unless `value` has the schema type `kind`; `where` is its path."""
    if _is_sound(value, kind):
        return
    if isinstance(kind, dict):
        _check_fields(value, kind, where)
    elif isinstance(kind, tuple):
        _check_compound(value, kind, where)
    elif kind in schema.RECORDS:
        _check_fields(value, schema.RECORDS[kind], where)
    else:
        _check_scalar(value, kind, where)


def _check_scalar(value: object, kind: str, where: str) -> None:
    if kind == "json":
        return
    if kind == "str":
        ok = isinstance(value, str)
    elif kind == "bool":
        ok = isinstance(value, bool)
    elif kind == "int":
        ok = isinstance(value, int) and not isinstance(value, bool)
    elif kind == "float":
        ok = isinstance(value, (int, float)) and not isinstance(value, bool)
        ok = ok and value == value and value not in (INFINITY, -INFINITY)
    else:
        raise KeyError(kind)
    if not ok:
        raise Malformed("%s: expected %s" % (where, kind))


def _check_compound(value: object, kind: tuple, where: str) -> None:
    head = kind[0]
    if head == "optional":
        if value is not None:
            check(value, kind[1], where)
    elif head == "list":
        if not isinstance(value, list):
            raise Malformed("%s: expected a list" % where)
        for i, item in enumerate(value):
            check(item, kind[1], "%s[%d]" % (where, i))
    elif head == "enum":
        if value not in kind[1:]:
            raise Malformed("%s: expected one of %s" % (where, ", ".join(kind[1:])))
    else:
        raise KeyError(head)


_SCALARS = {"str": str, "bool": bool, "int": int, "float": float}
_known_records: dict = {}


def _is_sound(value: object, kind) -> bool:
    """Whether a value is seen to be sound at a glance; what is not is looked at by `check`, which says where.

    A library of thousands of pages is one list, and MicroPython takes a third of a millisecond to check a
    page with the path of each of its fields in hand.
    """
    if isinstance(kind, tuple):
        head = kind[0]
        if head == "optional":
            return value is None or _is_sound(value, kind[1])
        if head == "enum":
            return value in kind[1:]
        if head != "list" or not isinstance(value, list):
            return False
        for item in value:
            if not _is_sound(item, kind[1]):
                return False
        return True
    if not isinstance(kind, str):
        return False
    if kind not in schema.RECORDS:
        return kind == "json" or _is_scalar(value, _SCALARS[kind])
    if not isinstance(value, dict):
        return False
    fields = _fields_of(kind)
    if len(value) != len(fields):
        return False
    for name, wanted, field in fields:
        if name not in value:
            return False
        item = value[name]
        if wanted is None:
            if not _is_sound(item, field):
                return False
        elif type(item) is not wanted and not (wanted is float and type(item) is int):
            return False
        elif wanted is float and item - item != 0:  # neither a number nor finite
            return False
    return True


def _is_scalar(value: object, wanted: type) -> bool:
    kind = type(value)
    if wanted is float:
        return kind is int or (kind is float and value - value == 0)  # type: ignore[operator]
    return kind is wanted


def _fields_of(kind: str) -> list:
    """The fields of a record as (name, type of a scalar or None, kind)."""
    if kind not in _known_records:
        fields = schema.RECORDS[kind]
        known = [(name, fields[name]) for name in fields]
        _known_records[kind] = [
            (name, _SCALARS.get(field) if isinstance(field, str) else None, field) for name, field in known
        ]
    return _known_records[kind]


def _check_fields(value: object, fields: dict, where: str) -> None:
    if not isinstance(value, dict):
        raise Malformed("%s: expected an object" % where)
    for name in fields:
        if name not in value:
            raise Malformed("%s.%s: missing" % (where, name))
        check(value[name], fields[name], where + "." + name)
    for name in value:
        if name not in fields:
            raise Malformed("%s.%s: unknown field" % (where, name))


def _body(message: object, tables: dict, id_field: str) -> dict:
    """Check the envelope and the fields of a parsed message; return it."""
    if not isinstance(message, dict):
        raise Malformed("message: expected an object")
    if message.get("v") != schema.PROTOCOL_VERSION:
        raise Malformed("message.v: expected %d" % schema.PROTOCOL_VERSION)
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in tables:
        raise Malformed("message.type: unknown")
    fields = {"v": "int", "type": "str"}
    if id_field:
        fields[id_field] = "str"
        if message.get(id_field) == "":
            raise Malformed("message.%s: empty" % id_field)
    fields.update(tables[kind])
    _check_fields(message, fields, "message")
    return message


def _parse(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("message: not JSON") from error


def decode_request(text: str) -> dict:
    """Parse and check a request from the panel; raises Malformed."""
    return _body(_parse(text), schema.REQUESTS, "id")


def decode_event(text: str) -> dict:
    """Parse and check an event for the panel; raises Malformed. Notices are decoded too (no `re`)."""
    message = _parse(text)
    kind = message.get("type") if isinstance(message, dict) else None
    if isinstance(kind, str) and kind in schema.NOTICES:
        return _body(message, schema.NOTICES, "")
    return _body(message, schema.EVENTS, "re")


def encode_request(request_id: str, kind: str, **fields: object) -> str:
    """Build the text of a request; raises Malformed when a field breaks the schema.

    Fields of schema.DEFAULTS may be left out.
    """
    message = {"v": schema.PROTOCOL_VERSION, "id": request_id, "type": kind}
    message.update(schema.DEFAULTS.get(kind, {}))
    message.update(fields)
    return json.dumps(_body(message, schema.REQUESTS, "id"))


def encode_event(request_id: str, kind: str, **fields: object) -> str:
    """Build the text of an event for the request `request_id`; raises Malformed."""
    message = {"v": schema.PROTOCOL_VERSION, "re": request_id, "type": kind}
    message.update(fields)
    return json.dumps(_body(message, schema.EVENTS, "re"))


def check_result(request_type: str, result: object) -> None:
    """Raise Malformed unless `result` is what `done` of that request carries."""
    check(result, schema.RESULTS[request_type], "result")


def request_id_of(text: str) -> str:
    """Return the id of a request that may be malformed otherwise, or "" when it has none."""
    try:
        message = _parse(text)
    except Malformed:
        return ""
    request_id = message.get("id", "") if isinstance(message, dict) else ""
    return request_id if isinstance(request_id, str) else ""
