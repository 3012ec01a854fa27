"""Ollama's own interface, because the one it borrows from OpenAI cannot set the size of the context.

    POST {address}/api/chat   {"model", "messages", "stream": true, "options": {"num_ctx": 8192}}
    {"message": {"role": "assistant", "content": "Hi"}, "done": false}
    {"message": {"content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 11}

Source: Ollama's API reference as its Python library 0.6 types it. Without `num_ctx` a long prompt loses its
beginning in silence; how many tokens were read comes back as `prompt_eval_count`.
"""

import json
from collections.abc import Mapping
from typing import Any

from tabwise.adapters.providers.wire import (
    Call,
    CallDraft,
    Draft,
    Json,
    LinePayloads,
    OfferedModel,
    Payloads,
    Provider,
    ServiceSaid,
    function_tools,
    json_arguments,
    record,
    records,
    text_of,
    whole,
)
from tabwise.core.chat import Finish, Message, Prompt, Role


class Ollama:
    """Implements Wire."""

    is_event_stream = False
    optional: Mapping[str, tuple[str, ...]] = {"think": ("think",)}

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def call(self, prompt: Prompt, without: frozenset[str]) -> Call:
        """The request of a completion, leaving the named parameters out."""
        options: dict[str, Any] = {
            "num_ctx": self._provider.context_tokens,
            "num_predict": prompt.max_output_tokens,
            "temperature": prompt.temperature,
        }
        if prompt.stops:
            options["stop"] = list(prompt.stops)
        names = {call.id: call.name for message in prompt.messages for call in message.tool_calls}
        body: dict[str, Any] = {
            "model": self._provider.model,
            "messages": [_message(message, names) for message in prompt.messages],
            "stream": True,
            "think": False,
            "options": options,
        }
        if prompt.tools:
            body["tools"] = function_tools(prompt)
        body = {name: value for name, value in body.items() if name not in without}
        return Call(f"{self._provider.address}/api/chat", self._headers(), body)

    def payloads(self) -> Payloads:
        """A new reader of the stream."""
        return LinePayloads()

    def read(self, value: Json, draft: Draft) -> str:
        """Take one piece of an answer into the draft; return its text. Raises ServiceSaid."""
        if value.get("error"):
            raise ServiceSaid(value)
        message = record(value.get("message"))
        for call in records(message.get("tool_calls")):
            function, place = record(call.get("function")), len(draft.calls)
            arguments = json.dumps(record(function.get("arguments")), ensure_ascii=False)
            draft.calls[place] = CallDraft(text_of(call.get("id")), text_of(function.get("name")), arguments)
        if value.get("done"):
            reason = text_of(value.get("done_reason"))
            draft.finish = Finish.LENGTH if reason == "length" else Finish.STOP
            draft.n_prompt_tokens = whole(value.get("prompt_eval_count"))
            draft.n_output_tokens = whole(value.get("eval_count"))
        return text_of(message.get("content"))

    def models_call(self) -> Call:
        """The request that lists models; it costs no tokens."""
        return Call(f"{self._provider.address}/api/tags", self._headers())

    def read_models(self, value: Json) -> list[OfferedModel]:
        """The models of that list, in its order; how much each reads is told by `show_call` alone."""
        names = (
            text_of(row.get("name")) or text_of(row.get("model")) for row in records(value.get("models"))
        )
        return [OfferedModel(name) for name in names if name]

    def show_call(self, model: str) -> Call:
        """The request that describes a model."""
        return Call(f"{self._provider.address}/api/show", self._headers(), {"model": model})

    def read_show(self, value: Json) -> tuple[int, bool]:
        """Return (the most context tokens of the model, 0 unknown; whether it calls tools)."""
        told = record(value.get("model_info"))
        sizes = [whole(size) or 0 for name, size in told.items() if name.endswith(".context_length")]
        return max(sizes, default=0), "tools" in (value.get("capabilities") or ())

    def _headers(self) -> tuple[tuple[str, str], ...]:
        key, content = self._provider.key, ("content-type", "application/json")
        return (content, ("authorization", f"Bearer {key}")) if key else (content,)


def _message(message: Message, names: Mapping[str, str]) -> Json:
    spoken: dict[str, Any] = {"role": str(message.role), "content": message.text}
    if message.role is Role.TOOL:
        spoken["tool_name"] = names.get(message.tool_call_id, message.tool_call_id)
    if message.tool_calls:
        spoken["tool_calls"] = [
            {"function": {"name": call.name, "arguments": json_arguments(call.arguments)}}
            for call in message.tool_calls
        ]
    return spoken
