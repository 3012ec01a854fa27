"""Frozen dataclasses as JSON values and back, strictly: what does not fit is named by its path.

Fields are str, int, float, bool, None, enums of strings, other dataclasses, tuples of one type and optional
forms of these. A field that is missing takes its default, so that a newer program reads older records; an
unknown field is an error, since it may hold what an older program would lose.
"""

from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


class NotARecord(ValueError):
    """A value is not what the dataclass says; the text is the path and what was expected."""


def to_json(value: Any) -> Any:
    """Return a dataclass, or a value of one of its fields, as JSON values."""
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value


def from_json(kind: type[Record], value: Any) -> Record:
    """Return the dataclass `kind` of a JSON value; raises NotARecord."""
    record: Record = _read(kind, value, kind.__name__)
    return record


def _read(kind: Any, value: Any, where: str) -> Any:
    if isinstance(kind, NewType):
        return _read(kind.__supertype__, value, where)
    origin = get_origin(kind)
    if origin in (UnionType, Union):
        if value is None:
            return None
        (inner,) = (option for option in get_args(kind) if option is not NoneType)
        return _read(inner, value, where)
    if origin is tuple:
        return _read_tuple(get_args(kind), value, where)
    if is_dataclass(kind):
        return _read_fields(kind, value, where)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value not in list(kind):
            raise NotARecord(f"{where}: expected one of {', '.join(kind)}")
        return kind(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise NotARecord(f"{where}: expected {kind.__name__}")
    return value


def _read_tuple(kinds: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise NotARecord(f"{where}: expected a list")
    each = [kinds[0]] * len(value) if kinds[-1] is Ellipsis else kinds
    if len(each) != len(value):
        raise NotARecord(f"{where}: expected {len(each)} items")
    return tuple(
        _read(one, item, f"{where}[{i}]") for i, (one, item) in enumerate(zip(each, value, strict=True))
    )


def _read_fields(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise NotARecord(f"{where}: expected an object")
    hints = _hints(kind)
    if unknown := sorted(set(value) - set(hints)):
        raise NotARecord(f"{where}.{unknown[0]}: unknown field")
    read: dict[str, Any] = {}
    for field in fields(kind):
        if field.name in value:
            read[field.name] = _read(hints[field.name], value[field.name], f"{where}.{field.name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise NotARecord(f"{where}.{field.name}: missing")
    return kind(**read)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
