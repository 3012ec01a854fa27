"""The nouns of talking to a language model: what it is asked, what came back.

A prompt is a list of messages and the tools the model may call. What a model wrote is data until it was
checked: the arguments of a tool call are the text it wrote, not yet JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tabwise.core.grammar import Grammar
from tabwise.core.network.http import Purpose


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool the model may call; `parameters` is the JSON Schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model wrote; `arguments` is its text, which may be no JSON at all."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn; `tool_calls` of an assistant, `tool_call_id` of the tool result that answers one."""

    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything one completion is made from. Temperature 0 is greedy; `stops` end the text, unshown.

    `grammar` is all that the text may be: a model whose tokens are picked here keeps to it, others may not,
    so what comes back is checked all the same. `sources` are the canonical URLs of the pages whose text is in
    the messages: what must not leave this machine is decided by them. `purpose` is what the reader agrees to
    before a service is asked.
    """

    messages: tuple[Message, ...]
    max_output_tokens: int
    tools: tuple[ToolSpec, ...] = ()
    temperature: float = 0.0
    stops: tuple[str, ...] = ()
    grammar: Grammar | None = None
    sources: frozenset[str] = frozenset()
    purpose: Purpose = Purpose.ANSWER


class Finish(StrEnum):
    """Why a completion ended."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a model of this machine was in one run.

    n_prefilled: prompt tokens that were computed; those that the cache still held are not among them.
    first_text_ms: from the call to the first text. memory_bytes: of all models in use then, 0 if unknown.
    """

    device: str
    n_prefilled: int
    prefill_ms: float
    n_decoded: int
    decode_ms: float
    first_text_ms: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote. Token counts are the model's own, None where it does not tell."""

    text: str
    finish: Finish
    tool_calls: tuple[ToolCall, ...] = ()
    n_prompt_tokens: int | None = None
    n_output_tokens: int | None = None
    speed: Speed | None = None


@dataclass(frozen=True, slots=True)
class ModelDescriptor:
    """What the engine must know about a language model.

    id: "bundled", "catalogue:<id>", "prompt_api" or "provider:<id>", as the settings name it.
    destination: the origin that prompts are sent to, "" for a model on this machine.
    context_tokens: prompt and output together. counts_exactly: `count` is the model's own tokenizer.
    """

    id: str
    label: str
    context_tokens: int
    destination: str = ""
    calls_tools: bool = False
    counts_exactly: bool = False
