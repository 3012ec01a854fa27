"""The client of services against llama.cpp's own server with a real model: nobody's code of ours."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from buildlib.fetch import cached_path, fetch
from buildlib.lock import read_lock
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.providers.directory import Providers
from tabwise.core.chat import Finish, Message, Prompt, Role
from tabwise.core.network.http import HttpRequest, Purpose
from tabwise.errors import AppError
from tabwise.protocol.providers import provider_key_name

pytest.importorskip("xllamacpp", reason="comes ready-made for Linux on x86-64 alone")
pytestmark = [pytest.mark.native, pytest.mark.slow]

KEY = "sk-of-the-local-server"
MODEL = "smollm2"
SERVER = Path(__file__).parents[1] / "llama_server.py"
QUESTION = Message(Role.USER, "Count from one to ten in words.")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    file = read_lock().file("SmolLM2-135M-Instruct.Q4_1.gguf")
    fetch([file])
    command = [sys.executable, str(SERVER), str(cached_path(file)), KEY]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin
    assert process.stdout
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(30)


class OneService:
    """`Keys` and `SettingsSource` of one provider."""

    def __init__(self, address: str, key: str, model: str) -> None:
        self.row: dict[str, Any] = {
            "id": "p",
            "kind": "compatible",
            "label": "",
            "address": f"{address}/v1",
            "model": model,
            "context_tokens": 1024,
            "calls_tools": False,
        }
        self._key = key

    async def key(self, name: str) -> str:
        assert name == provider_key_name("p")
        return self._key

    async def places(self) -> dict[str, Any]:
        return {}

    async def settings(self) -> object:
        return {"providers": [self.row]}


def use(
    address: str,
    scenario: Callable[[Providers, OneService, NativeHttp], Awaitable[Any]],
    *,
    key: str = KEY,
    model: str = MODEL,
) -> Any:
    async def main() -> Any:
        http, service = NativeHttp(), OneService(address, key, model)
        try:
            return await scenario(Providers(http, service, service), service, http)
        finally:
            await http.close()

    return asyncio.run(main())


def error_code(
    address: str, scenario: Callable[[Providers, OneService, NativeHttp], Awaitable[Any]], **changes: str
) -> str:
    with pytest.raises(AppError) as raised:
        use(address, scenario, **changes)
    return raised.value.code


async def inspect(providers: Providers, service: OneService, http: NativeHttp) -> Any:
    return await providers.inspect(service.row)


def test_it_is_tested_without_a_token(address: str) -> None:
    found = use(address, inspect)
    assert found.kind == "compatible"
    assert [name for name, _ in found.models] == [MODEL]


def test_a_wrong_key_and_a_missing_one_are_named(address: str) -> None:
    assert error_code(address, inspect, key="sk-of-somebody-else") == "key_refused"
    assert error_code(address, inspect, key="") == "key_missing"


def test_a_model_it_does_not_have_is_named(address: str) -> None:
    assert error_code(address, inspect, model="gpt-9") == "model_unknown"


def test_text_comes_in_pieces_and_tokens_are_never_undercounted(address: str) -> None:
    async def scenario(providers: Providers, service: OneService, http: NativeHttp) -> None:
        model = await providers.open("provider:p")
        said: list[str] = []
        prompt = Prompt((Message(Role.SYSTEM, "Answer in words."), QUESTION), 12)
        done = await model.complete(prompt, on_text=said.append)
        assert "".join(said) == done.text
        assert len(said) > 5
        assert done.n_output_tokens is not None
        assert done.n_output_tokens <= 12
        assert done.n_prompt_tokens is not None
        # Marks of the chat template are the service's own: a few for each message.
        counted = sum(model.count(message.text) + 8 for message in prompt.messages)
        assert done.n_prompt_tokens <= counted + 8

    use(address, scenario)


def test_a_limit_of_the_output_is_kept_and_told(address: str) -> None:
    async def scenario(providers: Providers, service: OneService, http: NativeHttp) -> None:
        model = await providers.open("provider:p")
        done = await model.complete(Prompt((QUESTION,), 3), on_text=lambda text: None)
        assert (done.finish, done.n_output_tokens) == (Finish.LENGTH, 3)

    use(address, scenario)


def test_a_stop_ends_the_text_unshown(address: str) -> None:
    async def scenario(providers: Providers, service: OneService, http: NativeHttp) -> None:
        model = await providers.open("provider:p")
        free = await model.complete(Prompt((QUESTION,), 12), on_text=lambda text: None)
        stop = free.text.split()[3]
        done = await model.complete(Prompt((QUESTION,), 12, stops=(stop,)), on_text=lambda text: None)
        assert done.text == free.text.partition(stop)[0]
        assert done.finish is Finish.STOP

    use(address, scenario)


def test_what_is_longer_than_its_context_is_too_long(address: str) -> None:
    async def scenario(providers: Providers, service: OneService, http: NativeHttp) -> None:
        model = await providers.open("provider:p")
        long = Prompt((Message(Role.USER, "tide " * 3000),), 10)
        await model.complete(long, on_text=lambda text: None)

    assert error_code(address, scenario) == "prompt_too_long"


def test_stopping_stops_the_server(address: str) -> None:
    async def scenario(providers: Providers, service: OneService, http: NativeHttp) -> None:
        model = await providers.open("provider:p")
        began = asyncio.Event()
        prompt = Prompt((Message(Role.USER, "Tell a very long story about the sea."),), 800)
        asking = asyncio.ensure_future(model.complete(prompt, on_text=lambda text: began.set()))
        await asyncio.wait_for(began.wait(), 60)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        while await _is_busy(http, address):
            await asyncio.sleep(0.05)

    use(address, scenario)


async def _is_busy(http: NativeHttp, address: str) -> bool:
    headers = (("authorization", f"Bearer {KEY}"),)
    async with http.send(HttpRequest("GET", f"{address}/slots", Purpose.CHECK, headers)) as response:
        body = b"".join([chunk async for chunk in response.chunks()])
    return any(slot["is_processing"] for slot in json.loads(body))


def test_an_address_that_leads_past_it_is_named(address: str) -> None:
    async def scenario(providers: Providers, service: OneService, http: NativeHttp) -> None:
        await providers.inspect({**service.row, "address": f"{address}/elsewhere"})

    assert error_code(address, scenario) == "service_foreign"
