"""A model behind a service, against a server that says exactly what a test wants."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from loopback import Loopback, Script, breaks_off, one_after_another, reply, stalls, stream
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.providers.directory import wire_of
from tabwise.adapters.providers.remote_model import MAX_TRIES, RemoteModel
from tabwise.adapters.providers.wire import Provider
from tabwise.core.answers.token_bound import token_bound
from tabwise.core.chat import Completion, Finish, Message, Prompt, Role
from tabwise.errors import AppError

pytestmark = pytest.mark.native

CHAT = "/v1/chat/completions"
KEY = "sk-planted-in-the-test"


def sse(*values: object, done: bool = True) -> list[bytes]:
    lines = [f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n" for value in values]
    return [line.encode() for line in [*lines, *(["data: [DONE]\n\n"] if done else [])]]


def says(text: str, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


HELLO = sse(says("16.3 "), says("metres 🌊"), says("", "stop"))


class Talk:
    """One model over one server, with what it said and how long it waited."""

    def __init__(self, server: Loopback, http: NativeHttp, kind: str) -> None:
        self.server = server
        self.said: list[str] = []
        self.waits: list[float] = []
        root = "" if kind == "ollama" else "/v1"
        provider = Provider("p", kind, "", server.url + root, "m-1", 8192, True, KEY)
        self.model = RemoteModel(provider, wire_of(provider), http, sleep=self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def complete(self, *stops: str) -> Completion:
        prompt = Prompt((Message(Role.USER, "How high?"),), 100, stops=stops)
        return await self.model.complete(prompt, on_text=self.said.append)

    async def error(self) -> AppError:
        with pytest.raises(AppError) as raised:
            await self.complete()
        return raised.value


def talk(
    script: Script, scenario: Callable[[Talk], Awaitable[Any]], *, kind: str = "compatible", path: str = CHAT
) -> Any:
    async def main() -> Any:
        async with Loopback() as server:
            server.script[path] = script
            http = NativeHttp()
            try:
                return await scenario(Talk(server, http, kind))
            finally:
                await http.close()

    return asyncio.run(main())


def completion_of(pieces: Sequence[bytes]) -> Completion:
    found: Completion = talk(stream(pieces), lambda talk: talk.complete())
    return found


def error_of(script: Script) -> tuple[AppError, Talk]:
    async def scenario(talk: Talk) -> tuple[AppError, Talk]:
        return await talk.error(), talk

    found: tuple[AppError, Talk] = talk(script, scenario)
    return found


# streams


def test_text_is_handed_out_as_it_comes() -> None:
    async def scenario(talk: Talk) -> None:
        assert await talk.complete() == Completion("16.3 metres 🌊", Finish.STOP)
        assert talk.said == ["16.3 ", "metres 🌊"]

    talk(stream(HELLO), scenario)


@pytest.mark.fault("F49")
def test_a_stream_cut_in_the_middle_of_characters_reads_the_same() -> None:
    whole = b"".join(HELLO)
    pieces = [whole[i : i + 3] for i in range(0, len(whole), 3)]
    assert completion_of(pieces) == completion_of([whole]) == Completion("16.3 metres 🌊", Finish.STOP)


@pytest.mark.fault("F50")
def test_comments_crlf_and_empty_choices_are_read_past() -> None:
    pieces = [b": waiting\r\n\r\n", *sse({"choices": []}, says("Hi"), says("", "stop"))]
    assert completion_of([piece.replace(b"\n", b"\r\n") for piece in pieces]).text == "Hi"


@pytest.mark.fault("F50")
def test_the_last_mark_may_be_missing() -> None:
    assert completion_of(sse(says("Hi"), says("", "stop"), done=False)).text == "Hi"


def test_a_stream_that_ends_without_saying_why_is_lost_and_its_text_stays() -> None:
    error, heard = error_of(stream(sse(says("Half an ans"), done=False)))
    assert (error.code, heard.said) == ("network_lost", ["Half an ans"])


@pytest.mark.fault("F50")
def test_a_connection_that_breaks_off_is_lost_and_its_text_stays() -> None:
    error, heard = error_of(breaks_off(sse(says("Half an ans"), done=False)))
    assert (error.code, heard.said) == ("network_lost", ["Half an ans"])


@pytest.mark.fault("F50")
def test_an_error_in_the_middle_ends_it_and_is_not_tried_again() -> None:
    error, heard = error_of(stream(sse(says("Half"), {"error": {"message": "The engine is overloaded"}})))
    assert error.code == "service_failed"
    assert "The engine is overloaded" in error.message
    assert heard.said == ["Half"]
    assert len(heard.server.seen) == 1


def test_a_limit_reached_in_the_middle_is_not_tried_again() -> None:
    late = {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}
    error, heard = error_of(stream(sse(says("Half"), late)))
    assert (error.code, heard.waits) == ("rate_limited", [])


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        ([b"<!doctype html><title>Log in</title>"], "service_foreign"),
        ([b"hello, I am a web server"], "service_foreign"),
        ([b"data: not json\n\n"], "service_foreign"),
        ([], "service_foreign"),
        ([b'{"error": {"message": "no"}}'], "service_failed"),
        ([b'{"hello": "world"}'], "service_failed"),
        ([b"[1, 2]"], "service_foreign"),
    ],
)
@pytest.mark.fault("F50", "F60")
def test_what_is_no_answer_is_named(pieces: list[bytes], code: str) -> None:
    assert error_of(stream(pieces))[0].code == code


def test_an_answer_in_one_piece_is_read_from_a_server_that_does_not_stream() -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    done = talk(reply(200, body), lambda talk: talk.complete())
    assert done == Completion("Hi", Finish.STOP)


def test_a_stop_ends_the_text_and_the_stream() -> None:
    async def scenario(talk: Talk) -> None:
        done = await asyncio.wait_for(talk.complete("###"), 5)
        assert (done.text, done.finish) == ("One", Finish.STOP)
        assert "".join(talk.said) == "One"
        await asyncio.wait_for(talk.server.exchanges[0].closed.wait(), 5)

    talk(stalls(sse(says("One#"), says("##Two"), done=False)), scenario)


def test_the_last_mark_ends_it_though_the_server_hangs_on() -> None:
    done = talk(stalls(HELLO), lambda talk: asyncio.wait_for(talk.complete(), 5))
    assert done == Completion("16.3 metres 🌊", Finish.STOP)


def test_ollama_speaks_in_lines() -> None:
    lines = [
        b'{"message":{"role":"assistant","content":"16.3 "},"done":false}\n{"message":{"content":"me',
        b'tres"},"done":false}\n',
        b'{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":4}',
    ]
    done = talk(stream(lines), lambda talk: talk.complete(), kind="ollama", path="/api/chat")
    assert done == Completion("16.3 metres", Finish.STOP, (), 9, 4)


# stopping


@pytest.mark.parametrize("pieces", [[], sse(says("Once upon"), done=False)], ids=["waiting", "reading"])
@pytest.mark.fault("F52")
def test_cancelling_closes_the_socket(pieces: list[bytes]) -> None:
    async def scenario(talk: Talk) -> None:
        asking = asyncio.ensure_future(talk.complete())
        while not talk.server.exchanges or len(talk.said) < len(pieces):
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.wait_for(talk.server.exchanges[0].closed.wait(), 5)

    talk(stalls(pieces), scenario)


# asking again


@pytest.mark.fault("F51")
def test_too_fast_is_waited_for_and_asked_again() -> None:
    async def scenario(talk: Talk) -> None:
        assert (await talk.complete()).text == "16.3 metres 🌊"
        assert talk.waits == [3.0]
        first, second = talk.server.bodies(CHAT)
        assert first == second

    talk(one_after_another(reply(429, {}, {"retry-after": "3"}), stream(HELLO)), scenario)


@pytest.mark.fault("F51")
def test_it_is_not_asked_for_ever() -> None:
    error, heard = error_of(reply(503, {}))
    assert error.code == "service_failed"
    assert len(heard.server.seen) == MAX_TRIES


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (reply(429, {"error": {"message": "tokens per day (TPD)"}}, {"retry-after": "1"}), "quota_used"),
        (reply(429, {}, {"retry-after": "31"}), "rate_limited"),
        (reply(413, {}), "prompt_too_long"),
        (reply(401, {}), "key_refused"),
        (reply(307, "", {"location": "/elsewhere"}), "service_foreign"),
    ],
)
@pytest.mark.fault("F51")
def test_what_asking_again_cannot_help_is_asked_once(script: Script, code: str) -> None:
    error, heard = error_of(script)
    assert error.code == code
    assert len(heard.server.seen) == 1
    assert heard.waits == []


def refusing(*names: str) -> Script:
    """A server that takes a body only without the named parameters."""

    async def script(exchange: Any) -> None:
        sent = [name for name in names if name in exchange.seen.json()]
        refusal = {"error": {"message": f"Unsupported parameter: '{sent[0]}'"}} if sent else {}
        await (reply(400, refusal) if sent else stream(HELLO))(exchange)

    return script


def test_refused_parameters_are_left_out_one_by_one_and_remembered() -> None:
    async def scenario(talk: Talk) -> None:
        assert (await talk.complete()).text == "16.3 metres 🌊"
        assert len(talk.server.seen) == 4
        assert (await talk.complete()).text == "16.3 metres 🌊"
        assert len(talk.server.seen) == 5
        last = talk.server.bodies(CHAT)[-1]
        assert last["max_completion_tokens"] == 100
        assert talk.waits == []

    talk(refusing("temperature", "max_tokens", "stream_options"), scenario)


def test_a_server_that_refuses_everything_is_given_up() -> None:
    names = ("temperature", "max_tokens", "max_completion_tokens", "stream_options", "model")
    error, heard = error_of(refusing(*names))
    assert error.code == "request_refused"
    assert len(heard.server.seen) == 5


# the key


@pytest.mark.fault("F58")
def test_the_key_is_in_no_error() -> None:
    for script in (reply(401, {}), reply(500, {}), stream([b"x"]), breaks_off([b"data: {"])):
        error, heard = error_of(script)
        assert heard.server.seen[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in error.message + error.subject + repr(error)


def test_the_descriptor_names_the_origin_prompts_go_to() -> None:
    async def scenario(talk: Talk) -> None:
        descriptor = talk.model.descriptor
        assert descriptor.id == "provider:p"
        assert descriptor.destination == talk.server.url
        assert not descriptor.counts_exactly
        assert talk.model.count("Bay of Fundy") == token_bound("Bay of Fundy")

    talk(stream(HELLO), scenario)
