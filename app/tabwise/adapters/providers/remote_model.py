"""A language model behind a service: streamed, cancelled to the socket, asked again only when that can help.

A request is repeated without a parameter that was refused by name, once each and remembered, and after the
wait that a service asks for, within bounds. Nothing is repeated once text came. What breaks off in the
middle raises its error; the text that `on_text` was given until then stays the caller's, incomplete.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from tabwise.adapters.providers.failures import (
    MAX_WAIT_S,
    Answer,
    Asked,
    Wait,
    Without,
    judge,
    said_by,
    status_of,
)
from tabwise.adapters.providers.wire import DONE, Call, Draft, Json, Provider, ServiceSaid, Wire
from tabwise.core.answers.token_bound import token_bound
from tabwise.core.chat import Completion, Finish, ModelDescriptor, Prompt
from tabwise.core.network.http import HttpRequest, origin_of
from tabwise.core.network.sse import LineTooLong
from tabwise.core.text.bounded_json import read_json
from tabwise.core.text.characters import repair_surrogates
from tabwise.core.text.stops import StopWatch
from tabwise.errors import AppError, ProviderError
from tabwise.ports import Http, HttpResponse
from tabwise.protocol.providers import PRESETS, provider_model_id

MAX_TRIES = 3
"""Requests for one completion that differ in nothing."""
MAX_ANSWER_BYTES = 8_000_000
"""Of an answer that is not a stream."""
MAX_REFUSAL_BYTES = 64_000

Sleep = Callable[[float], Awaitable[None]]


class RemoteModel:
    """Implements ports.LanguageModel. `own_origin` is what the browser tells services that we are."""

    def __init__(
        self,
        provider: Provider,
        wire: Wire,
        http: Http,
        *,
        own_origin: str = "",
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._provider = provider
        self._wire = wire
        self._http = http
        self._own_origin = own_origin
        self._sleep = sleep
        self._without: frozenset[str] = frozenset()

    @property
    def descriptor(self) -> ModelDescriptor:
        """The model's identity and limits."""
        provider = self._provider
        return ModelDescriptor(
            provider_model_id(provider.id),
            provider.label or provider.model,
            provider.context_tokens,
            origin_of(provider.address),
            provider.calls_tools,
            counts_exactly=False,
        )

    def count(self, text: str) -> int:
        """A number of tokens that `text` does not exceed; see core/answers/token_bound.py."""
        return token_bound(text)

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        """Complete a prompt; `on_text` is given each new piece of the text as it comes.

        Raises ModelError: prompt_too_long; ProviderError: what ports.Http and failures.judge say.
        """
        waited_s, n_tries = 0.0, 0
        while True:
            call = self._wire.call(prompt, self._without)
            refused = await self._ask(call, prompt, on_text)
            if isinstance(refused, Completion):
                return refused
            if isinstance(refused, AppError):
                raise refused
            if isinstance(refused, Without):
                self._without |= {refused.parameter}
                continue
            n_tries += 1
            waited_s += refused.seconds
            if n_tries >= MAX_TRIES or waited_s > MAX_WAIT_S:
                raise refused.error
            await self._sleep(refused.seconds)

    async def _ask(
        self, call: Call, prompt: Prompt, on_text: Callable[[str], None]
    ) -> Completion | AppError | Wait | Without:
        asked = self._asked(call)
        async with self._http.send(self._request(call, prompt)) as response:
            if response.status != 200:
                return judge(await refusal_of(response), asked)
            return await _Reading(self._wire, response, asked, prompt, on_text).run()

    def _request(self, call: Call, prompt: Prompt) -> HttpRequest:
        return HttpRequest(
            "POST",
            call.url,
            prompt.purpose,
            call.headers,
            json_bytes(call.body),
            secrets=(self._provider.key,) if self._provider.key else (),
            sources=prompt.sources,
        )

    def _asked(self, call: Call) -> Asked:
        sent = _names(call.body)
        optional = {name: words for name, words in self._wire.optional.items() if name in sent}
        return asked_of(self._provider, call, optional, self._own_origin)


class _Reading:
    """One answer being read."""

    def __init__(
        self,
        wire: Wire,
        response: HttpResponse,
        asked: Asked,
        prompt: Prompt,
        on_text: Callable[[str], None],
    ) -> None:
        self._wire = wire
        self._response = response
        self._asked = asked
        self._on_text = on_text
        self._stops = StopWatch(prompt.stops)
        self._draft = Draft()
        self._text: list[str] = []
        self._n_read = 0
        self._is_done = False

    async def run(self) -> Completion | AppError | Wait | Without:
        """Read to the end; what is no answer is judged, unless text came before."""
        try:
            head, rest = await self._beginning()
            if self._is_no_stream(head):
                return await self._in_one_piece(head, rest)
            await self._stream(head, rest)
        except ServiceSaid as said:
            return self._judged(status_of(said.value), json.dumps(said.value))
        except LineTooLong as error:
            raise self._foreign(str(error)) from error
        if not self._n_read:
            raise self._foreign("no piece of an answer in it")
        if self._draft.finish is None and not self._is_over:
            raise ProviderError("network_lost", "the stream ended early", subject=origin_of(self._asked.url))
        return self._completion()

    async def _beginning(self) -> tuple[bytes, Any]:
        """The body up to its first character that is no white space, and the rest of it."""
        chunks, head = self._response.chunks(), b""
        async for chunk in chunks:
            head += chunk
            if head.removeprefix(b"\xef\xbb\xbf").strip():
                break
        return head, chunks

    def _is_no_stream(self, head: bytes) -> bool:
        first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        return first == b"<" or (self._wire.is_event_stream and first in (b"{", b"["))

    async def _in_one_piece(self, head: bytes, rest: Any) -> Completion | AppError | Wait | Without:
        body = head
        async for chunk in rest:
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                raise self._foreign(f"over {MAX_ANSWER_BYTES} bytes in one piece")
        text = body.decode("utf-8", "replace")
        try:
            value = read_json(text)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or "error" in value:
            return self._judged(status_of(value) if isinstance(value, dict) else 200, text)
        self._take(value)
        if self._draft.finish is None and not self._text and not self._draft.calls:
            return self._judged(200, text)
        return self._completion()

    async def _stream(self, head: bytes, rest: Any) -> None:
        payloads = self._wire.payloads()
        self._take_all(payloads.feed(head))
        while not self._is_over:
            # Not `async for`: after the last piece nothing more may come, and nobody has to hang up.
            chunk = await anext(rest, None)
            self._take_all(payloads.close() if chunk is None else payloads.feed(chunk))
            if chunk is None:
                return

    @property
    def _is_over(self) -> bool:
        return self._is_done or self._stops.stopped

    def _take_all(self, payloads: list[str]) -> None:
        for payload in payloads:
            if self._is_over:
                return
            if payload.strip() == DONE:
                self._is_done = True
                return
            try:
                value = read_json(payload)
            except (ValueError, RecursionError) as error:
                raise self._foreign(f"no JSON: {payload[:80]}") from error
            if isinstance(value, dict):
                self._take(value)

    def _take(self, value: Json) -> None:
        self._n_read += 1
        self._show(self._stops.feed(self._wire.read(value, self._draft)))

    def _show(self, text: str) -> None:
        if text:
            self._text.append(text)
            self._on_text(text)

    def _completion(self) -> Completion:
        self._show(self._stops.close())
        if self._stops.stopped:
            self._draft.finish = Finish.STOP
        return self._draft.completion("".join(self._text))

    def _judged(self, status: int, text: str) -> AppError | Wait | Without:
        verdict = judge(Answer(status, self._response.headers, text), self._asked)
        if not self._text:
            return verdict
        # Text was shown: another try would show it twice.
        if isinstance(verdict, AppError):
            return verdict
        return verdict.error if isinstance(verdict, Wait) else self._foreign(said_by(text))

    def _foreign(self, message: str) -> ProviderError:
        return ProviderError("service_foreign", message, subject=origin_of(self._asked.url))


def asked_of(
    provider: Provider, call: Call, optional: dict[str, tuple[str, ...]], own_origin: str = ""
) -> Asked:
    """What a judgement must know of a call."""
    is_fixed = bool(PRESETS[provider.kind]["fixed"])
    return Asked(call.url, provider.kind, provider.model, bool(provider.key), is_fixed, optional, own_origin)


async def refusal_of(response: HttpResponse) -> Answer:
    """The beginning of an answer that is not what was asked for."""
    body = b""
    async for chunk in response.chunks():
        body += chunk
        if len(body) > MAX_REFUSAL_BYTES:
            break
    return Answer(response.status, response.headers, body[:MAX_REFUSAL_BYTES].decode("utf-8", "replace"))


def json_bytes(body: Json | None) -> bytes:
    """The body of a call; lone surrogates, which no service takes, become U+FFFD."""
    return b"" if body is None else repair_surrogates(json.dumps(body, ensure_ascii=False)).encode()


def _names(body: Json | None) -> set[str]:
    """The parameters of a body, those of a group inside it as well."""
    found = set(body or ())
    for value in (body or {}).values():
        if isinstance(value, dict):
            found.update(value)
    return found
