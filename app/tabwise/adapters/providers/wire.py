"""What the interfaces of services have in common: a prompt becomes a call, pieces of an answer a completion.

A wire is pure: it knows addresses, field names and stream formats, and sends nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabwise.core.chat import Completion, Finish, Prompt, ToolCall
from tabwise.core.network.sse import LineDecoder, SseDecoder
from tabwise.core.text.bounded_json import read_json

DONE = "[DONE]"

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Provider:
    """A service as the reader set it up (protocol/providers.py); `key` is "" for one without."""

    id: str
    kind: str
    label: str
    address: str
    model: str
    context_tokens: int
    calls_tools: bool
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A request of an interface; `body` None is a GET."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: Json | None = None


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that a service lists; 0 context tokens where it does not tell."""

    id: str
    context_tokens: int = 0


class ServiceSaid(Exception):
    """An error object where a piece of the answer was due; `value` is what came."""

    def __init__(self, value: Json) -> None:
        super().__init__("an error object in the stream")
        self.value = value


@dataclass(slots=True)
class CallDraft:
    """A tool call being put together."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Draft:
    """A completion being put together; `finish` stays None until the service says why it ended."""

    calls: dict[object, CallDraft] = field(default_factory=dict)
    finish: Finish | None = None
    n_prompt_tokens: int | None = None
    n_output_tokens: int | None = None

    def completion(self, text: str) -> Completion:
        """The completion of `text` and what was drafted. Calls without an id get one by their place."""
        calls = tuple(
            ToolCall(call.id or f"call_{i}", call.name, call.arguments or "{}")
            for i, call in enumerate(self.calls.values())
        )
        finish = Finish.TOOL_CALLS if calls else self.finish or Finish.STOP
        return Completion(text, finish, calls, self.n_prompt_tokens, self.n_output_tokens)


class Payloads(Protocol):
    """A stream's bytes to the texts of its pieces."""

    def feed(self, piece: bytes) -> list[str]:
        """Return the payloads that end in this piece; raises sse.LineTooLong."""
        ...

    def close(self) -> list[str]:
        """Return what the stream ended in the middle of."""
        ...


class SsePayloads:
    """The data of server-sent events."""

    def __init__(self) -> None:
        self._decoder = SseDecoder()

    def feed(self, piece: bytes) -> list[str]:
        """Return the payloads that end in this piece; raises sse.LineTooLong."""
        return [event.data for event in self._decoder.feed(piece)]

    def close(self) -> list[str]:
        """Return what the stream ended in the middle of."""
        return [event.data for event in self._decoder.close()]


class LinePayloads:
    """One payload a line; blank lines are none."""

    def __init__(self) -> None:
        self._decoder = LineDecoder()

    def feed(self, piece: bytes) -> list[str]:
        """Return the payloads that end in this piece; raises sse.LineTooLong."""
        return [line for line in self._decoder.feed(piece) if line.strip()]

    def close(self) -> list[str]:
        """Return what the stream ended in the middle of."""
        return [line for line in self._decoder.close() if line.strip()]


class Wire(Protocol):
    """One interface, for one provider."""

    is_event_stream: bool
    """Whether a JSON body, not a stream, is an answer in one piece or an error."""

    optional: Mapping[str, tuple[str, ...]]
    """Parameters that an answer can do without: the words by which a refusal names each."""

    def call(self, prompt: Prompt, without: frozenset[str]) -> Call:
        """The request of a completion, leaving the named parameters out."""
        ...

    def payloads(self) -> Payloads:
        """A new reader of the stream."""
        ...

    def read(self, value: Json, draft: Draft) -> str:
        """Take one piece of an answer into the draft; return its text. Raises ServiceSaid."""
        ...

    def models_call(self) -> Call:
        """The request that lists models; it costs no tokens and needs the key."""
        ...

    def read_models(self, value: Json) -> list[OfferedModel]:
        """The models of that list that write text, in its order."""
        ...


def whole(value: object) -> int | None:
    """A count, or None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def record(value: object) -> Json:
    """An object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def records(value: object) -> list[Json]:
    """The objects of a list, or none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: object) -> str:
    """A text, or "" for anything else."""
    return value if isinstance(value, str) else ""


def function_tools(prompt: Prompt) -> list[Json]:
    """The tools of a prompt in the form that OpenAI's interface and those like it take."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in prompt.tools
    ]


def json_arguments(text: str) -> Json:
    """The arguments of a call as an object, for interfaces that want one; {} for what is none."""
    try:
        return record(read_json(text))
    except (ValueError, RecursionError):
        return {}
