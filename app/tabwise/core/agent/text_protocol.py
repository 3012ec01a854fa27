"""Tool calls as text, for models that know no tools: one JSON line is a call, anything else is the answer.

    {"tool": "search_pages", "arguments": {"query": "tidal range"}}
    Answer: The range is 16.3 metres [1].

Small models wander from the form, so the reader also takes what others are known to write: calls in code
fences or <tool_call> marks, other key names, ReAct's `Action:` and `Action Input:` lines (Yao et al., 2022),
calls in the way of Python, broken JSON (`lenient_json`). It never raises. The first call counts; what a model
writes behind it are results it made up. What was read is still only text: names and arguments are checked
after.

A runtime that picks tokens itself is given the same form as a grammar (`reply_grammar`).
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabwise.core import grammar as g
from tabwise.core.agent.lenient_json import Unreadable, read
from tabwise.core.answers.model_text import visible
from tabwise.core.chat import ToolCall, ToolSpec

MAX_STRING_CHARS = 120
"""Of an argument that a grammar lets a small model write."""
MAX_LIST_ITEMS = 4
ANSWER = "Answer: "

_NAME_KEYS = ("tool", "name", "tool_name", "action", "function", "function_name", "command")
_ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input", "action_input", "tool_input")
_ANSWER_KEYS = ("answer", "final_answer", "response")
_ANSWER_MARK = re.compile(
    r"^[ \t*#]*(?:final[ _]+)?answer[*]*[ \t]*:[*]*[ \t]*", re.IGNORECASE | re.MULTILINE
)
_ACTION = re.compile(r"^[ \t*]*action[*]*[ \t]*:[*]*[ \t]*(?P<rest>.+)$", re.IGNORECASE | re.MULTILINE)
_ACTION_INPUT = re.compile(
    r"\s*[*]*action[ _]input[*]*[ \t]*:[*]*[ \t]*|\s*(?:```\w*\s*)?(?=\{)", re.IGNORECASE
)
_CALLED = re.compile(
    r"(?P<lead>^[ \t*]*(?:action[*]*[ \t]*:[*]*[ \t]*)?)?\b(?P<name>[A-Za-z_][\w-]{0,40})`*"
    r"(?P<open>[(\[]|\s*\{)",
    re.IGNORECASE | re.MULTILINE,
)
_KEYWORD = re.compile(r"\s*[A-Za-z_]\w*\s*=")
_NARRATION = re.compile(r"^[ \t*]*(?:thought|observation)[*]*[ \t]*:.*$", re.IGNORECASE | re.MULTILINE)
_FIRST_DIGIT = g.CharacterClass(g.DIGITS.members - {"0"})
_MADE_UP = re.compile(r"^[ \t*]*(?:observation|result of)\b", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TextReply:
    """What a model's text says: a call, or else an answer, "" for neither."""

    call: ToolCall | None
    answer: str


def parse(text: str, tools: Sequence[ToolSpec]) -> TextReply:
    """Read a reply; a call may name a tool that is not there. Never raises."""
    text = visible(text, is_whole=True)
    by_name = {_plain(spec.name): spec for spec in tools}
    mark = _ANSWER_MARK.search(text)
    found = min(_calls(text, by_name), key=lambda found: found[0], default=None)
    if found is not None and (mark is None or found[0] < mark.start()):
        return TextReply(found[1], "")
    if mark is not None:
        return TextReply(None, _without_made_up(text[mark.end() :]))
    return TextReply(None, _json_answer(text) or _without_made_up(_NARRATION.sub("", text)))


def render_call(name: str, arguments: Mapping[str, Any]) -> str:
    """The line that stands for a call."""
    return json.dumps({"tool": name, "arguments": arguments}, ensure_ascii=False)


def describe(tools: Sequence[ToolSpec]) -> str:
    """The tools and the form of a reply, as a model is told them."""
    lines = ["To use a tool, write one line of JSON and nothing else:"]
    for spec in tools:
        properties = spec.parameters["properties"]
        example = {name: f"<{properties[name]['description']}>" for name in spec.parameters["required"]}
        options = [name for name in properties if name not in spec.parameters["required"]]
        also = f" Also: {', '.join(options)}." if options else ""
        lines.append(f"{render_call(spec.name, example)}\n  {spec.description}{also}")
    lines.append(f"To answer, write: {ANSWER.strip()} and the answer.")
    return "\n".join(lines)


def _calls(text: str, by_name: Mapping[str, ToolSpec]) -> Iterator[tuple[int, ToolCall]]:
    """The first call of each form, with where it stands."""
    for form in (_json_calls, _react_calls, _python_calls):
        yield from _first(form(text, by_name))


def _first(found: Iterator[tuple[int, ToolCall]]) -> Iterator[tuple[int, ToolCall]]:
    for one in found:
        yield one
        return


def _json_calls(text: str, by_name: Mapping[str, ToolSpec]) -> Iterator[tuple[int, ToolCall]]:
    """Objects that name a tool: `{"tool": …, "arguments": …}` and its kin, also wrapped in another."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = read(text, at)
        except Unreadable:
            value, end = None, at + 1
        call = _call_of(value, by_name)
        if call is not None:
            yield at, call
        at = text.find("{", max(end, at + 1))


def _call_of(value: Any, by_name: Mapping[str, ToolSpec]) -> ToolCall | None:
    if not isinstance(value, dict):
        return None
    for key in ("function", "tool_call", "tool_calls"):
        inner = value.get(key)
        inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, dict):
            return _call_of(inner, by_name)
    named = [value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)]
    given = [value[key] for key in _ARGUMENT_KEYS if key in value]
    if not named:
        return None
    spec = by_name.get(_plain(named[0]))
    if spec is None:
        return _call(named[0], _json_text(given[0])) if given else None
    own = {key: item for key, item in value.items() if key not in _NAME_KEYS}
    return _call(spec.name, _input_of(spec, given[0] if given else own))


def _react_calls(text: str, by_name: Mapping[str, ToolSpec]) -> Iterator[tuple[int, ToolCall]]:
    """`Action: search_pages` with `Action Input: …` behind it."""
    for action in _ACTION.finditer(text):
        name = action["rest"].strip(" \t`*\"'.")
        behind = _ACTION_INPUT.match(text, action.end())
        spec = by_name.get(_plain(name))
        if behind is not None:
            given = text[behind.end() :]
            yield action.start(), _call(spec.name if spec else name, _written_input(spec, given))
        elif spec is not None:
            yield action.start(), _call(spec.name, "{}")


def _python_calls(text: str, by_name: Mapping[str, ToolSpec]) -> Iterator[tuple[int, ToolCall]]:
    """`search_pages(query="tides")`, `search_pages["tides"]`, `search_pages {"query": "tides"}`."""
    for called in _CALLED.finditer(text):
        spec = by_name.get(_plain(called["name"]))
        is_citation = called["open"] == "[" and called["lead"] is None
        if spec is None or is_citation:
            continue
        at = called.end("open") - 1
        if text[at] == "{":
            given, _ = _read_or_none(text, at)
        elif _KEYWORD.match(text, at + 1):
            closing = _closing(text, at)
            given, _ = _read_or_none("{" + text[at + 1 : closing] + "}", 0)
        else:
            given = text[at + 1 : _closing(text, at)].strip().strip("\"'“”`")
        yield called.start(), _call(spec.name, _input_of(spec, given))


def _closing(text: str, at: int) -> int:
    """The bracket that closes the one at `at`, or the end of the line."""
    opening = text[at]
    closing = {"(": ")", "[": "]"}[opening]
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0 or text[i] == "\n":
            return i
    return len(text)


def _written_input(spec: ToolSpec | None, text: str) -> str:
    """What stands behind `Action Input:`: an object, or a line for the first argument."""
    text = text.lstrip(" \t\r\n`")
    if text.startswith("json"):
        text = text[4:].lstrip()
    if text.startswith("{"):
        given, _ = _read_or_none(text, 0)
        return _json_text(given)
    line = text.partition("\n")[0].strip().strip("\"'“”`")
    return _input_of(spec, line) if spec else _json_text(line)


def _input_of(spec: ToolSpec, given: Any) -> str:
    """Arguments as JSON text; a bare value is the first argument that the tool needs."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        given, _ = _read_or_none(given.strip(), 0)
    if isinstance(given, str | int | float) and spec.parameters["required"] and given != "":
        given = {spec.parameters["required"][0]: given}
    return _json_text(given if isinstance(given, dict) else {})


def _read_or_none(text: str, at: int) -> tuple[Any, int]:
    try:
        return read(text, at)
    except Unreadable:
        return None, at + 1


def _json_text(value: Any) -> str:
    return json.dumps({} if value is None else value, ensure_ascii=False, default=str)


def _call(name: str, arguments: str) -> ToolCall:
    return ToolCall("", name.strip(), arguments)


def _json_answer(text: str) -> str:
    value, _ = _read_or_none(text, at) if (at := text.find("{")) >= 0 else (None, 0)
    given = [value[key] for key in _ANSWER_KEYS if key in value] if isinstance(value, dict) else []
    return given[0].strip() if given and isinstance(given[0], str) else ""


def _without_made_up(text: str) -> str:
    """An answer up to where a model begins to play the tools."""
    end = _MADE_UP.search(text)
    return text[: end.start() if end else len(text)].strip()


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def reply_grammar(tools: Collection[ToolSpec], *, max_answer_chars: int) -> g.Grammar:
    """Everything a reply may be: a call of one of the tools, or an answer when `max_answer_chars` > 0."""
    options: list[g.Grammar] = [_call_grammar(spec) for spec in tools]
    if max_answer_chars:
        options.append(g.Sequence((g.Text(ANSWER), g.Run(g.ANYTHING, 1, max_answer_chars))))
    return g.Choice(tuple(options))


def _call_grammar(spec: ToolSpec) -> g.Grammar:
    required = spec.parameters["required"]
    properties = spec.parameters["properties"]
    parts: list[g.Grammar] = [g.Text(f'{{"tool": "{spec.name}", "arguments": {{')]
    for i, name in enumerate(required):
        parts.append(g.Text(f'{", " if i else ""}"{name}": '))
        parts.append(_value_grammar(properties[name]))
    for name in [name for name in properties if name not in required and required]:
        value = g.Sequence((g.Text(f', "{name}": '), _value_grammar(properties[name])))
        parts.append(g.optional(value))
    return g.Sequence((*parts, g.Text("}}")))


def _value_grammar(schema: Mapping[str, Any]) -> g.Grammar:
    if "enum" in schema:
        return g.Choice(tuple(g.Text(json.dumps(word)) for word in schema["enum"]))
    if schema["type"] == "integer":
        return g.Sequence((g.Run(_FIRST_DIGIT, 1, 1), g.Run(g.DIGITS, 0, len(str(schema["maximum"])) - 1)))
    if schema["type"] == "array":
        item = _value_grammar(schema["items"])
        more = g.optional(g.Sequence((g.Text(", "), item)))
        return g.Sequence((g.Text("["), item, *([more] * (MAX_LIST_ITEMS - 1)), g.Text("]")))
    return g.json_string(min(MAX_STRING_CHARS, schema.get("maxLength", MAX_STRING_CHARS)))
