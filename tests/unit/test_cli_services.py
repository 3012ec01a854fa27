"""Services on the command line."""

import argparse
import asyncio
from pathlib import Path
from typing import Any

import pytest

from loopback import Loopback, reply
from tabwise import cli_doctor, cli_models, cli_services
from tabwise.adapters.lexical import NoEmbedder
from tabwise.adapters.native.messages import messages
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.cli_doctor import print_lines
from tabwise.cli_services import KEY_VARIABLE, EnvironmentKeys, opened_service, provider_row
from tabwise.core.chat import Message, Prompt, Role
from tabwise.core.search.index import SearchIndex
from tabwise.engine.library import Library
from tabwise.errors import AppError, ProviderError, StoreError
from tabwise.protocol.providers import PRESETS, is_sound_provider
from tabwise.ui import words
from tiny_llama import write_model

pytestmark = pytest.mark.native


def options(*arguments: str) -> argparse.Namespace:
    return cli_services.service_options().parse_args(arguments)


@pytest.mark.parametrize(
    ("service", "model", "kind", "address", "chosen"),
    [
        ("groq", "", "groq", "https://api.groq.com/openai/v1", PRESETS["groq"]["model"]),
        ("openai", "gpt-x", "openai", "https://api.openai.com/v1", "gpt-x"),
        ("localhost:11434/v1", "q", "ollama", "http://localhost:11434", "q"),
        ("http://127.0.0.1:1234", "q", "compatible", "http://127.0.0.1:1234/v1", "q"),
    ],
)
def test_a_service_is_a_name_or_an_address(
    service: str, model: str, kind: str, address: str, chosen: str
) -> None:
    row = provider_row(service, model, 0)
    assert (row["kind"], row["address"], row["model"]) == (kind, address, chosen)
    assert is_sound_provider(row)


def test_what_is_no_address_is_said() -> None:
    with pytest.raises(ProviderError) as raised:
        provider_row("ftp://host", "", 0)
    assert raised.value.code == "address_invalid"


def test_the_key_comes_from_our_variable_or_the_vendors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    monkeypatch.setenv("GROQ_API_KEY", "theirs")
    assert asyncio.run(EnvironmentKeys("groq").key("any")) == "theirs"
    assert asyncio.run(EnvironmentKeys("compatible").key("any")) == ""
    monkeypatch.setenv(KEY_VARIABLE, " ours \n")
    assert asyncio.run(EnvironmentKeys("groq").key("any")) == "ours"


def test_naming_a_service_is_the_agreement_and_only_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sk-planted-in-the-test")
    prompt = Prompt((Message(Role.USER, "?"),), 9)

    async def main() -> None:
        async with Loopback() as server:
            answer = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
            server.script["/v1/chat/completions"] = reply(200, answer)
            async with opened_service(options("--provider", server.url, "--llm", "m")) as service:
                assert service
                model = await service[0].open(service[1])
                assert (await model.complete(prompt, on_text=lambda text: None)).text == "Hi"
                assert server.seen[0].headers["authorization"] == "Bearer sk-planted-in-the-test"
                elsewhere = provider_row(server.url.replace("127.0.0.1", "localhost"), "m", 0)
                with pytest.raises(AppError) as raised:
                    await service[0].inspect(elsewhere)
                assert raised.value.code == "egress_refused"

    asyncio.run(main())


def test_no_service_opens_nothing() -> None:
    async def main() -> None:
        async with opened_service(options()) as service:
            assert service is None

    asyncio.run(main())


def doctor(tmp_path: Path, chosen: argparse.Namespace, library: Library | StoreError) -> list[dict[str, Any]]:
    return asyncio.run(cli_doctor.findings(chosen, library, NoEmbedder(), tmp_path))


def test_the_doctor_looks_at_library_machine_and_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words.load(messages("en"))
    library = Library(SqliteStore(tmp_path / "library.db"), SearchIndex(384))
    rows = doctor(tmp_path, options("--provider", "http://127.0.0.1:1"), library)
    library.store.close()
    found = {row["topic"]: row for row in rows}
    assert list(found) == ["library", "storage", "embedder", "threads", "provider"]
    assert found["library"]["reason"] == "empty"
    assert found["embedder"]["reason"] == "absent"
    assert found["provider"]["code"] == "network_refused"
    print_lines(rows)
    assert "Nobody answers at this address." in capsys.readouterr().out


def test_a_library_that_cannot_be_opened_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words.load(messages("en"))
    rows = doctor(tmp_path, options(), StoreError("store_newer", "schema 9"))
    assert rows[0]["reason"] == "newer"
    print_lines(rows)
    assert "schema 9" in capsys.readouterr().err


def test_the_doctor_opens_the_bundled_model_and_takes_its_name_for_no_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, closed = options("--provider", "bundled"), StoreError("store_newer", "schema 9")
    folder = write_model(tmp_path / "smollm2", model_id="bundled")
    found = []
    for place in (folder, None):
        monkeypatch.setattr(cli_models, "find_bundled", lambda place=place: place)
        (row,) = [row for row in doctor(tmp_path, chosen, closed) if row["topic"] == "provider"]
        found.append((row["reason"], row["code"]))
    assert found == [("ready", ""), ("failed", "model_unavailable")]
