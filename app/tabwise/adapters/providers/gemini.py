"""Gemini's own interface: the key in a header, roles of its own, calls with a signature that must come back.

    POST {address}/models/{model}:streamGenerateContent?alt=sse     x-goog-api-key: …
    data: {"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP"}]}

Source: the Gemini API as google-genai 3.6 types it. Models from version 3 on refuse a call in the history
without the signature it came with; of a call from elsewhere the documented stand-in is sent.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

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
    json_arguments,
    record,
    records,
    text_of,
    whole,
)
from tabwise.core.chat import Finish, Message, Prompt, Role

THINKING_TOKENS = 2_048
"""Room for what the model thinks before it writes, which counts as output."""
MAX_STOPS = 5
STAND_IN_SIGNATURE = "skip_thought_signature_validator"

_FINISH = {"MAX_TOKENS": Finish.LENGTH, "STOP": Finish.STOP, "FINISH_REASON_UNSPECIFIED": Finish.STOP}


class Gemini:
    """Implements Wire; remembers the signature of each call it read."""

    is_event_stream = True
    optional: Mapping[str, tuple[str, ...]] = {
        "thinkingConfig": ("thinking",),
        "temperature": ("temperature",),
        "stopSequences": ("stopsequences", "stop_sequences", "stop sequences"),
        "maxOutputTokens": ("maxoutputtokens", "max_output_tokens"),
    }

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._signatures: dict[str, str] = {}
        self._n_calls = 0

    def call(self, prompt: Prompt, without: frozenset[str]) -> Call:
        """The request of a completion, leaving the named parameters out."""
        config: dict[str, Any] = {
            "maxOutputTokens": prompt.max_output_tokens + THINKING_TOKENS,
            "temperature": prompt.temperature,
        }
        if prompt.stops:
            config["stopSequences"] = list(prompt.stops[:MAX_STOPS])
        if self._model.startswith("gemini-3"):
            config["thinkingConfig"] = {"thinkingLevel": "LOW"}
        body: dict[str, Any] = {
            "contents": self._contents(prompt.messages),
            "generationConfig": {name: value for name, value in config.items() if name not in without},
        }
        rules = "\n\n".join(message.text for message in prompt.messages if message.role is Role.SYSTEM)
        if rules:
            body["systemInstruction"] = {"parts": [{"text": rules}]}
        if prompt.tools:
            declared = [
                {
                    "name": tool.name,
                    "description": tool.description,
                    "parametersJsonSchema": tool.parameters,
                }
                for tool in prompt.tools
            ]
            body["tools"] = [{"functionDeclarations": declared}]
        path = f"models/{quote(self._model, safe='')}:streamGenerateContent?alt=sse"
        return Call(f"{self._provider.address}/{path}", self._headers(), body)

    def payloads(self) -> Payloads:
        """A new reader of the stream."""
        return SsePayloads()

    def read(self, value: Json, draft: Draft) -> str:
        """Take one piece of an answer into the draft; return its text. Raises ServiceSaid."""
        if value.get("error"):
            raise ServiceSaid(value)
        usage = record(value.get("usageMetadata"))
        if usage:
            draft.n_prompt_tokens = whole(usage.get("promptTokenCount"))
            thought = whole(usage.get("thoughtsTokenCount")) or 0
            draft.n_output_tokens = (whole(usage.get("candidatesTokenCount")) or 0) + thought
        if record(value.get("promptFeedback")).get("blockReason"):
            draft.finish = Finish.FILTERED
        text = ""
        for candidate in records(value.get("candidates"))[:1]:
            for part in records(record(candidate.get("content")).get("parts")):
                if part.get("thought"):
                    continue
                text += text_of(part.get("text"))
                if "functionCall" in part:
                    self._add_call(draft, part)
            reason = text_of(candidate.get("finishReason"))
            if reason:
                draft.finish = _FINISH.get(reason, Finish.FILTERED)
        return text

    def models_call(self) -> Call:
        """The request that lists models; it costs no tokens and needs the key."""
        return Call(f"{self._provider.address}/models?pageSize=1000", self._headers())

    def read_models(self, value: Json) -> list[OfferedModel]:
        """The models of that list that write text, in its order."""
        return [
            OfferedModel(
                text_of(row.get("name")).removeprefix("models/"), whole(row.get("inputTokenLimit")) or 0
            )
            for row in records(value.get("models"))
            if "generateContent" in (row.get("supportedGenerationMethods") or ())
        ]

    @property
    def _model(self) -> str:
        return self._provider.model.removeprefix("models/")

    def _headers(self) -> tuple[tuple[str, str], ...]:
        return ("content-type", "application/json"), ("x-goog-api-key", self._provider.key)

    def _add_call(self, draft: Draft, part: Json) -> None:
        function = record(part.get("functionCall"))
        self._n_calls += 1
        call_id = text_of(function.get("id")) or f"gemini_{self._n_calls}"
        self._signatures[call_id] = text_of(part.get("thoughtSignature"))
        arguments = json.dumps(record(function.get("args")), ensure_ascii=False)
        draft.calls[call_id] = CallDraft(call_id, text_of(function.get("name")), arguments)

    def _contents(self, messages: tuple[Message, ...]) -> list[dict[str, Any]]:
        """The turns; neighbours of one role are one turn, as results of several calls must be."""
        names = {call.id: call.name for message in messages for call in message.tool_calls}
        turns: list[dict[str, Any]] = []
        for message in messages:
            if message.role is Role.SYSTEM:
                continue
            role = "model" if message.role is Role.ASSISTANT else "user"
            parts = self._parts(message, names)
            if turns and turns[-1]["role"] == role:
                turns[-1]["parts"] += parts
            else:
                turns.append({"role": role, "parts": parts})
        return turns

    def _parts(self, message: Message, names: Mapping[str, str]) -> list[Json]:
        if message.role is Role.TOOL:
            name = names.get(message.tool_call_id, message.tool_call_id)
            return [{"functionResponse": {"name": name, "response": {"result": message.text}}}]
        parts: list[Json] = [{"text": message.text}] if message.text or not message.tool_calls else []
        for i, call in enumerate(message.tool_calls):
            part: dict[str, Any] = {
                "functionCall": {"name": call.name, "args": json_arguments(call.arguments)}
            }
            # Of calls made side by side only the first bears a signature.
            signature = self._signatures.get(call.id, "" if i else STAND_IN_SIGNATURE)
            if signature:
                part["thoughtSignature"] = signature
            parts.append(part)
        return parts
