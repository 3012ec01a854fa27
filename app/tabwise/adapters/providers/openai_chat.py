"""Chat completions, the interface of OpenAI that Groq, Azure, LM Studio and most others speak as well.

    POST {address}/chat/completions   {"model", "messages", "stream": true, …}
    data: {"choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": null}]}
    data: [DONE]

Source: OpenAI's API reference as its Python library 3.57 types it, Groq's 1.7; what others do differently is
taken in stride: no index at tool calls, no [DONE], usage in `x_groq`, the whole answer in one piece.
"""

from collections.abc import Mapping
from typing import Any

from tabwise.adapters.providers.wire import (
    Call,
    CallDraft,
    Draft,
    Json,
    OfferedModel,
    Payloads,
    Provider,
    ServiceSaid,
    SsePayloads,
    function_tools,
    record,
    records,
    text_of,
    whole,
)
from tabwise.core.chat import Finish, Message, Prompt, Role

REASONING_TOKENS = 2_048
"""Room for what a reasoning model thinks before it writes, which counts as output."""
MAX_STOPS = 4

_FINISH = {
    "length": Finish.LENGTH,
    "tool_calls": Finish.TOOL_CALLS,
    "function_call": Finish.TOOL_CALLS,
    "content_filter": Finish.FILTERED,
}
_LIMITS_NEWEST_FIRST = ("max_completion_tokens", "max_tokens")
_CONTEXT_FIELDS = ("context_window", "context_length", "max_model_len", "max_context_length")


class OpenAiChat:
    """Implements Wire."""

    is_event_stream = True
    optional: Mapping[str, tuple[str, ...]] = {
        "max_completion_tokens": ("max_completion_tokens",),
        "max_tokens": ("max_tokens",),
        "stream_options": ("stream_options",),
        "reasoning_effort": ("reasoning_effort",),
        "temperature": ("temperature",),
        "stop": ("'stop'", '"stop"', "`stop`"),
    }

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._base, mark, query = provider.address.partition("?")
        self._query = mark + query

    def call(self, prompt: Prompt, without: frozenset[str]) -> Call:
        """The request of a completion, leaving the named parameters out."""
        body: dict[str, Any] = {
            "model": self._provider.model,
            "messages": [_message(message) for message in prompt.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": prompt.temperature,
        }
        n_tokens = prompt.max_output_tokens
        effort = self._effort()
        if effort:
            body["reasoning_effort"] = effort
        if effort == "low" or "reasoning_effort" in without:
            n_tokens += REASONING_TOKENS
        body[self._limit(without)] = n_tokens
        if prompt.stops:
            body["stop"] = list(prompt.stops[:MAX_STOPS])
        if prompt.tools:
            body["tools"] = function_tools(prompt)
        body = {name: value for name, value in body.items() if name not in without}
        return Call(f"{self._base}/chat/completions{self._query}", self._headers(), body)

    def payloads(self) -> Payloads:
        """A new reader of the stream."""
        return SsePayloads()

    def read(self, value: Json, draft: Draft) -> str:
        """Take one piece of an answer into the draft; return its text. Raises ServiceSaid."""
        if value.get("error"):
            raise ServiceSaid(value)
        usage = record(value.get("usage")) or record(record(value.get("x_groq")).get("usage"))
        if usage:
            draft.n_prompt_tokens = whole(usage.get("prompt_tokens"))
            draft.n_output_tokens = whole(usage.get("completion_tokens"))
        for choice in records(value.get("choices"))[:1]:
            # One that was not streamed has a whole message in the place of a piece.
            delta = record(choice.get("delta")) or record(choice.get("message"))
            for call in records(delta.get("tool_calls")):
                _add_call(draft, call)
            reason = text_of(choice.get("finish_reason"))
            if reason:
                draft.finish = _FINISH.get(reason, Finish.STOP)
            if delta.get("refusal"):
                draft.finish = Finish.FILTERED
            return text_of(delta.get("content"))
        return ""

    def models_call(self) -> Call:
        """The request that lists models; it costs no tokens and needs the key."""
        base = self._base.partition("/deployments/")[0]
        return Call(f"{base}/models{self._query}", self._headers())

    def read_models(self, value: Json) -> list[OfferedModel]:
        """The models of that list that write text, in its order."""
        offered = []
        for row in records(value.get("data")):
            name = text_of(row.get("id"))
            told = [n for key in _CONTEXT_FIELDS if (n := whole(row.get(key)))]
            if name and row.get("active", True):
                offered.append(OfferedModel(name, told[0] if told else 0))
        return offered

    def _limit(self, without: frozenset[str]) -> str:
        is_new = self._provider.kind in ("openai", "azure", "groq")
        names = _LIMITS_NEWEST_FIRST if is_new else _LIMITS_NEWEST_FIRST[::-1]
        return next((name for name in names if name not in without), names[0])

    def _effort(self) -> str:
        """How much a reasoning model should think: as little as its vendor lets it; "" where nobody asks."""
        kind, model = self._provider.kind, self._provider.model
        if kind == "openai":
            return "none"
        if kind == "groq" and "gpt-oss" in model:
            return "low"
        if kind == "groq" and model.startswith("qwen/"):
            return "none"
        return ""

    def _headers(self) -> tuple[tuple[str, str], ...]:
        key, content = self._provider.key, ("content-type", "application/json")
        if not key:
            return (content,)
        if self._provider.kind == "azure":
            return content, ("api-key", key)
        return content, ("authorization", f"Bearer {key}")


def _message(message: Message) -> Json:
    if message.role is Role.TOOL:
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.text}
    spoken: dict[str, Any] = {"role": str(message.role), "content": message.text}
    if message.tool_calls:
        spoken["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return spoken


def _add_call(draft: Draft, piece: Json) -> None:
    """Join a fragment to its call: by index, else a new one when it has an id, else to the last."""
    index, call_id = whole(piece.get("index")), text_of(piece.get("id"))
    known = draft.calls.get(index) if index is not None else None
    # Some number every call 0: another id under the same number is another call.
    if known and call_id and known.id and known.id != call_id:
        index = None
    key: object = index
    if index is None:
        key = call_id or (next(reversed(draft.calls)) if draft.calls else 0)
    call = draft.calls.setdefault(key, CallDraft())
    function = record(piece.get("function"))
    call.id = call.id or call_id
    call.name = call.name or text_of(function.get("name"))
    call.arguments += text_of(function.get("arguments"))
