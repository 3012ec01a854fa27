"""Arguments of a tool call, checked against the tool's JSON Schema before anything is done with them.

Of JSON Schema (draft 2020-12) what tools of ours use: an object of strings, whole numbers and lists of
strings, with `required`, `enum`, `minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`,
`default`. Harmless slips are forgiven: a number in quotes, a single string for a list of one, arguments the
tool does not know.
"""

from collections.abc import Mapping
from typing import Any

from tabwise.core.agent.lenient_json import Unreadable, read
from tabwise.core.chat import ToolSpec
from tabwise.core.text.characters import repair_surrogates

Arguments = Mapping[str, Any]
"""Values by name, as the schema wants them; those with a default are always there."""


class BadArguments(ValueError):
    """The arguments cannot be used; the message tells the model why."""


def read_arguments(spec: ToolSpec, text: str) -> Arguments:
    """Return the arguments that a model wrote for a tool; raises BadArguments."""
    value = _object_of(text)
    properties: Mapping[str, Any] = spec.parameters["properties"]
    checked: dict[str, Any] = {}
    for name, schema in properties.items():
        given = value.get(name)
        if given is not None:
            checked[name] = _checked(name, given, schema)
        elif name in spec.parameters["required"]:
            raise BadArguments(f"`{name}` is missing: {schema['description']}")
        elif "default" in schema:
            checked[name] = schema["default"]
    return checked


def _object_of(text: str) -> Mapping[str, Any]:
    if not text.strip():
        return {}
    try:
        value, _ = read(text.strip(), 0)
    except Unreadable as error:
        raise BadArguments("the arguments are no JSON object") from error
    if not isinstance(value, dict):
        raise BadArguments("the arguments are no JSON object")
    return value


def _checked(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    kind = schema["type"]
    if kind == "array":
        items = value if isinstance(value, list) else [value]
        _require_size(name, len(items), schema, "minItems", "maxItems", "items")
        return [_checked(name, item, schema["items"]) for item in items]
    if kind == "integer":
        return _integer(name, value, schema)
    return _string(name, value, schema)


def _integer(name: str, value: Any, schema: Mapping[str, Any]) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    try:
        number = float(value) if is_number or isinstance(value, str) else float("nan")
    except (ValueError, OverflowError):
        number = float("nan")
    low, high = schema["minimum"], schema["maximum"]
    if not low <= number <= high or number != int(number):
        raise BadArguments(f"`{name}` must be a whole number from {low} to {high}")
    return int(number)


def _string(name: str, value: Any, schema: Mapping[str, Any]) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadArguments(f"`{name}` must be a text")
    text = repair_surrogates(str(value)).strip()
    if "enum" in schema and text not in schema["enum"]:
        raise BadArguments(f"`{name}` must be one of {', '.join(schema['enum'])}")
    _require_size(name, len(text), schema, "minLength", "maxLength", "characters")
    return text


def _require_size(name: str, n: int, schema: Mapping[str, Any], low: str, high: str, unit: str) -> None:
    if n < schema.get(low, 0):
        raise BadArguments(f"`{name}` is empty")
    if n > schema.get(high, n):
        raise BadArguments(f"`{name}` is longer than {schema[high]} {unit}")
