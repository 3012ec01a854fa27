"""Services through the engine's own requests: testing, agreeing to a send, what left, the doctor."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder
from loopback import Loopback, reply, stream
from tabwise.adapters.native.http import NativeHttp
from tabwise.core.chat import Message, Prompt, Role
from tabwise.core.host_facts import Gpu, HostFacts
from tabwise.core.network.redaction import MARK
from tabwise.engine.egress import metered
from tabwise.errors import AppError, ProviderError
from tabwise.protocol.tables.doctor import DOCTOR

pytestmark = pytest.mark.native

KEY = "sk-planted-in-the-test"
HELLO = [b'data: {"choices":[{"delta":{"content":"16.3 metres"},"finish_reason":"stop"}]}\n\n']
PROMPT = Prompt(
    (Message(Role.USER, "Tides reach 16.3 metres.\nHow high?"),),
    100,
    sources=frozenset(["https://sea.example/tides"]),
)


def provider_row(server: Loopback, **changes: Any) -> dict[str, Any]:
    row = {
        "id": "p",
        "kind": "compatible",
        "label": "Mine",
        "address": f"{server.url}/v1",
        "model": "m-1",
        "context_tokens": 0,
        "calls_tools": False,
    }
    return {**row, **changes}


def with_server(tmp_path: Path, scenario: Callable[[Desk, Loopback], Awaitable[Any]]) -> None:
    async def main() -> None:
        async with Loopback() as server:
            http = NativeHttp()
            desk = Desk(tmp_path / "library.db", {1: TIDES, 2: BREAD}, BagEmbedder(), http=http)
            desk.keys.keys["provider:p"] = KEY
            await desk.service.start()
            await desk.add(1, 2)
            try:
                await scenario(desk, server)
            finally:
                await desk.service.settle()
                await http.close()
                assert desk.library
                desk.library.store.close()

    asyncio.run(main())


# testing a service


def test_a_service_is_tested_without_spending_tokens(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/v1/models"] = reply(
            200, {"data": [{"id": "m-1", "context_length": 4096}, {"id": "m-2"}]}
        )
        end = await desk.ask("provider_test", provider=provider_row(server))
        assert end["result"] == {
            "kind": "compatible",
            "address": f"{server.url}/v1",
            "models": [{"id": "m-1", "context_tokens": 4096}, {"id": "m-2", "context_tokens": 0}],
            "context_tokens": 4096,
            "calls_tools": False,
        }
        assert {seen.method for seen in server.seen} == {"GET"}
        assert server.seen[-1].headers["authorization"] == f"Bearer {KEY}"

    with_server(tmp_path, scenario)


def test_an_ollama_is_known_by_what_it_says_and_tells_what_its_model_reads(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/api/version"] = reply(200, {"version": "0.12.0"})
        server.script["/api/tags"] = reply(200, {"models": [{"name": "m-1:latest"}]})
        about = {"model_info": {"qwen3.context_length": 40960}, "capabilities": ["completion", "tools"]}
        server.script["/api/show"] = reply(200, about)
        result = (await desk.ask("provider_test", provider=provider_row(server)))["result"]
        assert (result["kind"], result["address"]) == ("ollama", server.url)
        assert (result["context_tokens"], result["calls_tools"]) == (40960, True)

    with_server(tmp_path, scenario)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (reply(401, {}), "key_refused"),
        (reply(200, "<html>Sign in</html>"), "service_foreign"),
        (reply(302, "", {"location": "/login"}), "service_foreign"),
        (reply(404, {"detail": "Not Found"}), "service_foreign"),
        (reply(200, {"data": [{"id": "other"}]}), "model_unknown"),
        (reply(429, {}), "rate_limited"),
        (reply(500, {}), "service_failed"),
    ],
)
@pytest.mark.fault("F60")
def test_a_test_names_the_cause(tmp_path: Path, script: Any, code: str) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/v1/models"] = script
        assert (await desk.ask("provider_test", provider=provider_row(server)))["code"] == code

    with_server(tmp_path, scenario)


@pytest.mark.fault("F54")
def test_an_ollama_that_refuses_us_is_told_our_origin(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/api/tags"] = reply(403, "")
        row = provider_row(server, kind="ollama", address=server.url)
        end = await desk.ask("provider_test", provider=row)
        assert (end["code"], end["subject"]) == ("origin_refused", "chrome-extension://tabwise")

    with_server(tmp_path, scenario)


def test_nobody_there_and_no_address_are_two_things(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        nobody = provider_row(server, address="http://127.0.0.1:1/v1")
        assert (await desk.ask("provider_test", provider=nobody))["code"] == "network_refused"
        nothing = provider_row(server, address="ftp://x")
        assert (await desk.ask("provider_test", provider=nothing))["code"] == "address_invalid"

    with_server(tmp_path, scenario)


def test_a_missing_key_is_found_before_anything_is_sent(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        desk.keys.keys.clear()
        row = provider_row(server, kind="azure")
        assert (await desk.ask("provider_test", provider=row))["code"] == "key_missing"
        assert server.seen == []

    with_server(tmp_path, scenario)


# opening one


def test_a_model_is_opened_from_the_settings_and_stays_the_same(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        desk.settings.stored = {"providers": [provider_row(server)]}
        model = await desk.providers.open("provider:p")
        assert model.descriptor.context_tokens == 8192
        assert await desk.providers.open("provider:p") is model
        desk.settings.stored = {"providers": [provider_row(server, model="m-2", context_tokens=999)]}
        assert (await desk.providers.open("provider:p")).descriptor.context_tokens == 999
        assert server.seen == []

    with_server(tmp_path, scenario)


@pytest.mark.parametrize(
    ("changes", "model_id", "code"),
    [
        ({}, "provider:gone", "provider_unknown"),
        ({"model": ""}, "provider:p", "model_unknown"),
        ({"id": "q", "kind": "openai"}, "provider:q", "key_missing"),
    ],
)
def test_a_model_that_cannot_be_opened_says_why(
    tmp_path: Path, changes: dict[str, Any], model_id: str, code: str
) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        desk.settings.stored = {"providers": [provider_row(server, **changes)]}
        with pytest.raises(ProviderError) as raised:
            await desk.providers.open(model_id)
        assert raised.value.code == code

    with_server(tmp_path, scenario)


# agreeing


async def complete(desk: Desk) -> str:
    model = await desk.providers.open("provider:p")
    with metered():
        return (await model.complete(PROMPT, on_text=lambda text: None)).text


def test_the_first_send_is_shown_word_for_word_and_goes_after_it_was_agreed_to(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/v1/chat/completions"] = stream(HELLO)
        desk.settings.stored = {"providers": [provider_row(server)]}
        with pytest.raises(AppError) as raised:
            await complete(desk)
        assert (raised.value.code, raised.value.subject) == ("egress_refused", server.url)
        assert server.seen == []

        preview = (await desk.ask("egress_preview", origin=server.url))["result"]
        assert preview["destination"] == {"origin": server.url, "purpose": "answer"}
        assert preview["pages"] == [{"url": "https://sea.example/tides", "title": "Tides"}]
        assert "Tides reach 16.3 metres.\n  How high?" in preview["text"]
        assert preview["n_chars"] == len(preview["text"])

        account = (await desk.ask("egress_agree", destination=preview["destination"], once=False))["result"]
        assert account["agreed"] == [preview["destination"]]
        assert await complete(desk) == "16.3 metres"
        assert (await desk.ask("egress_preview", origin=server.url))["result"] is None

        total = (await desk.ask("egress_list"))["result"]["totals"][0]
        assert (total["origin"], total["remote"], total["n_requests"]) == (server.url, False, 1)
        assert total["sent_bytes"] >= len(server.seen[0].body)
        assert total["received_bytes"] == len(HELLO[0])

        await desk.ask("egress_revoke", destination=preview["destination"])
        with pytest.raises(AppError):
            await complete(desk)

    with_server(tmp_path, scenario)


def test_a_test_agrees_to_no_answer(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/v1/models"] = reply(200, {"data": []})
        desk.settings.stored = {"providers": [provider_row(server)]}
        await desk.ask("provider_test", provider=provider_row(server))
        with pytest.raises(AppError):
            await complete(desk)
        assert (await desk.ask("egress_list"))["result"]["agreed"] == []

    with_server(tmp_path, scenario)


def test_a_request_that_sent_something_says_so_before_it_ends(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/v1/models"] = reply(401, {})
        end = await desk.ask("provider_test", provider=provider_row(server))
        events = [event for event in desk.events if event["re"] == end["re"]]
        assert [event["type"] for event in events] == ["egress", "error"]
        assert events[0]["totals"][0]["n_requests"] == len(server.seen)
        quiet = await desk.ask("library")
        assert [event["type"] for event in desk.events if event["re"] == quiet["re"]] == ["done"]

    with_server(tmp_path, scenario)


@pytest.mark.fault("F58")
def test_a_key_that_a_service_quotes_reaches_no_panel(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        quoted = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
        server.script["/v1/models"] = reply(401, quoted)
        end = await desk.ask("provider_test", provider=provider_row(server))
        assert MARK in end["message"]
        assert KEY not in json.dumps(desk.events)

    with_server(tmp_path, scenario)


def test_summaries_are_agreed_to_apart_from_answers_and_shown_first(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        said = b"The largest tidal range on Earth is found in the Bay of Fundy."
        server.script["/v1/chat/completions"] = stream([HELLO[0].replace(b"16.3 metres", said)])
        preferences = {"summary_engine": "provider:p"}
        desk.settings.stored = {"providers": [provider_row(server)], "preferences": preferences}
        desk.models.models["provider:p"] = await desk.providers.open("provider:p")
        for_answers = {"origin": server.url, "purpose": "answer"}
        await desk.ask("egress_agree", destination=for_answers, once=False)

        async def engines() -> set[str]:
            await desk.ask("summarise", sources=["https://sea.example/tides"])
            summaries = (await desk.ask("summaries", sources=["https://sea.example/tides"]))["result"]
            return {summary["engine"] for summary in summaries}

        assert (await engines(), server.seen) == ({"extractive"}, [])
        assert (await desk.ask("egress_preview", origin=server.url))["result"] is None
        asked = {"origin": f"{server.url}/v1", "purpose": "summary"}
        preview = (await desk.ask("egress_preview", **asked))["result"]
        assert preview["destination"] == {"origin": server.url, "purpose": "summary"}
        assert [page["title"] for page in preview["pages"]] == ["Tides"]
        assert "16.3 metres" in preview["text"]

        account = (await desk.ask("egress_agree", destination=preview["destination"], once=False))["result"]
        assert account["agreed"] == [for_answers, preview["destination"]]
        assert await engines() == {"provider:p"}
        assert len(server.seen) == 1
        (sent,) = [event["totals"] for event in desk.events if event["type"] == "egress"]
        assert sent[0]["sent_bytes"] >= len(server.seen[0].body)

    with_server(tmp_path, scenario)


@pytest.mark.fault("F58")
def test_a_preview_shows_no_key(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        desk.settings.stored = {"providers": [provider_row(server)]}
        model = await desk.providers.open("provider:p")
        leaky = Prompt((Message(Role.USER, f"My key is {KEY}"),), 10)
        with pytest.raises(AppError):
            await model.complete(leaky, on_text=lambda text: None)
        preview = (await desk.ask("egress_preview", origin=server.url))["result"]
        assert f"My key is {MARK}" in preview["text"]

    with_server(tmp_path, scenario)


# the doctor


def lines_of(end: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {line["topic"]: line for line in end["result"]}


GOOD = HostFacts(
    n_threads=8,
    heap_bytes=100_000_000,
    storage_used_bytes=10_000_000,
    storage_quota_bytes=10_000_000_000,
    storage_is_kept=True,
    is_isolated=True,
    gpu=Gpu("apple metal-3", False, True),
    prompt_api="available",
    summarizer="available",
    reads_local_files=True,
    reads_all_sites=True,
    n_sites=1,
)
BAD = HostFacts(
    n_threads=2,
    heap_bytes=2_000_000_000,
    storage_used_bytes=95_000_000,
    storage_quota_bytes=100_000_000,
    storage_is_kept=False,
    is_isolated=False,
    gpu=Gpu("", False, False),
    prompt_api="downloadable",
    summarizer="unavailable",
    reads_local_files=False,
    reads_all_sites=False,
    n_sites=0,
)


def test_the_doctor_says_what_works_and_why_not(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        desk.host.known = GOOD
        lines = lines_of(await desk.ask("doctor", check=True, test=False))
        assert {line["state"] for line in lines.values()} == {"good"}
        assert list(lines) == [topic for topic in DOCTOR if topic in lines]
        desk.host.known = BAD
        found = lines_of(await desk.ask("doctor", check=False, test=False))
        reasons = {topic: line["reason"] for topic, line in found.items()}
        assert reasons == {
            "library": "sound",
            "storage": "nearly_full",
            "memory": "large",
            "embedder": "ready",
            "isolation": "off",
            "threads": "few",
            "gpu": "absent",
            "prompt_api": "downloadable",
            "summarizer": "unavailable",
            "files": "off",
            "sites": "none",
        }
        assert found["prompt_api"]["action"] == "download"

    with_server(tmp_path, scenario)


def test_what_nobody_can_tell_has_no_line(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        lines = lines_of(await desk.ask("doctor", check=False, test=False))
        assert set(lines) == {"library", "embedder", "threads"}

    with_server(tmp_path, scenario)


def test_services_are_asked_only_when_the_reader_says_so(tmp_path: Path) -> None:
    async def scenario(desk: Desk, server: Loopback) -> None:
        server.script["/v1/models"] = reply(200, {"data": [{"id": "m-1"}]})
        gone = provider_row(server, id="gone", address="http://127.0.0.1:1/v1")
        desk.settings.stored = {"providers": [provider_row(server), gone]}
        quiet = (await desk.ask("doctor", check=False, test=False))["result"]
        assert [line["reason"] for line in quiet if line["topic"] == "provider"] == ["untested"] * 2
        assert server.seen == []
        asked = (await desk.ask("doctor", check=False, test=True))["result"]
        rows = [line for line in asked if line["topic"] == "provider"]
        assert [(row["subject"], row["state"], row["code"]) for row in rows] == [
            ("p", "good", ""),
            ("gone", "broken", "network_refused"),
        ]

    with_server(tmp_path, scenario)


def test_a_library_that_cannot_be_opened_is_the_first_line(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"no database at all" * 100)

    async def main() -> None:
        desk = Desk(tmp_path / "library.db", {}, BagEmbedder())
        await desk.service.start()
        first = (await desk.ask("doctor", check=True, test=False))["result"][0]
        assert (first["topic"], first["state"], first["action"]) == ("library", "broken", "reset")

    asyncio.run(main())
