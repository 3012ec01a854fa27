"""The client of services against aimock, written by others from the vendors' documents: each interface."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.providers.directory import wire_of
from tabwise.adapters.providers.remote_model import RemoteModel
from tabwise.adapters.providers.wire import Provider
from tabwise.core.chat import Completion, Finish, Message, Prompt, Role, ToolSpec
from tabwise.errors import AppError

pytestmark = pytest.mark.native

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "node_modules/@copilotkit/aimock/dist/cli.js"
FIXTURES = Path(__file__).parent / "fixtures/services.json"
PATHS = {
    "openai": ("/v1", "gpt-5.4-mini"),
    "groq": ("/openai/v1", "openai/gpt-oss-20b"),
    "gemini": ("/v1beta", "gemini-3.8-flash"),
    "azure": ("/openai/deployments/mine?api-version=2024-10-21", "mine"),
    "ollama": ("", "qwen3:4b"),
    "compatible": ("/v1", "local"),
}
TOOLS = tuple(
    ToolSpec(name, "A tool.", {"type": "object", "properties": {"query": {"type": "string"}}})
    for name in ("search_pages", "list_sources")
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    node = shutil.which("node")
    assert node
    command = [node, str(PROGRAM), "-p", "0", "-f", str(FIXTURES), "--strict", "--chunk-size", "3"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout
    try:
        found = next(match[0] for line in process.stdout if (match := re.search(r"http://[\d.]+:\d+", line)))
        yield found
    finally:
        process.terminate()
        process.wait(10)


class Talk:
    """A model of one kind at the mock, what it said and how long it waited."""

    def __init__(self, kind: str, address: str) -> None:
        path, name = PATHS[kind]
        self.said: list[str] = []
        self.waits: list[float] = []
        self.http = NativeHttp()
        provider = Provider("p", kind, "", address + path, name, 8192, True, "sk-mock-key")
        self.model = RemoteModel(provider, wire_of(provider), self.http, sleep=self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def ask(self, *messages: Message) -> Completion:
        return await self.model.complete(Prompt(messages, 100, TOOLS), on_text=self.said.append)


def user(text: str) -> Message:
    return Message(Role.USER, text)


@pytest.mark.parametrize("kind", PATHS)
def test_text_comes_in_pieces(kind: str, address: str) -> None:
    async def scenario() -> None:
        talk = Talk(kind, address)
        done = await talk.ask(Message(Role.SYSTEM, "Be brief."), user("How high is it?"))
        assert (done.text, done.finish) == ("The tide reaches 16.3 metres. 🌊", Finish.STOP)
        assert "".join(talk.said) == done.text
        assert len(talk.said) > 3
        await talk.http.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", PATHS)
def test_calls_of_tools_go_both_ways(kind: str, address: str) -> None:
    async def scenario() -> None:
        talk = Talk(kind, address)
        question = user("Search the pages.")
        asked = await talk.ask(question)
        assert asked.finish is Finish.TOOL_CALLS
        assert [call.name for call in asked.tool_calls] == ["search_pages", "list_sources"]
        assert json.loads(asked.tool_calls[0].arguments) == {"query": "größte Gezeiten"}
        assert len({call.id for call in asked.tool_calls}) == 2
        results = [Message(Role.TOOL, "16.3 m", tool_call_id=call.id) for call in asked.tool_calls]
        done = await talk.ask(question, Message(Role.ASSISTANT, "", asked.tool_calls), *results)
        assert (done.text, done.finish) == ("Found it.", Finish.STOP)
        await talk.http.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", PATHS)
@pytest.mark.parametrize(("question", "code"), [("Too fast", "rate_limited"), ("Broken", "service_failed")])
@pytest.mark.fault("F51")
def test_a_refusal_is_named_and_asked_again_within_bounds(
    kind: str, address: str, question: str, code: str
) -> None:
    async def scenario() -> None:
        talk = Talk(kind, address)
        with pytest.raises(AppError) as raised:
            await talk.ask(user(question))
        assert raised.value.code == code
        assert len(talk.waits) == 2
        await talk.http.close()

    asyncio.run(scenario())
