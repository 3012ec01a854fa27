"""Providers among the settings: how an address is typed, and what of a damaged record is kept."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabwise.protocol import codec
from tabwise.protocol.providers import PRESETS, is_sound_provider, read_address
from tabwise.protocol.rules import stays_here
from tabwise.protocol.settings import default_settings, sound_settings
from tabwise.protocol.tables.settings import PROVIDER_KINDS

OLLAMA = {
    "id": "o",
    "kind": "ollama",
    "label": "Mine",
    "address": "http://localhost:11434",
    "model": "qwen3:4b",
    "context_tokens": 0,
    "calls_tools": False,
}


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("localhost:1234", "compatible", "http://localhost:1234/v1"),
        ("http://192.168.1.4:8080/v1/", "compatible", "http://192.168.1.4:8080/v1"),
        ("llm.example.com/openai", "compatible", "https://llm.example.com/openai"),
        ("http://localhost:11434/v1", "ollama", "http://localhost:11434"),
        ("localhost:11434", "compatible", "http://localhost:11434"),
        (
            "https://me.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
            "azure",
            "https://me.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
        ),
        ("https://me.openai.azure.com/openai/v1/", "azure", "https://me.openai.azure.com/openai/v1"),
        ("  http://[::1]:8080/v1#top ", "compatible", "http://[::1]:8080/v1"),
    ],
)
def test_an_address_is_completed(text: str, kind: str, address: str) -> None:
    assert read_address(text, kind) == (address, "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"),
        ("ftp://host/v1", "scheme"),
        ("https://", "host"),
        ("my server", "host"),
        ("https://me:sk-123@host.example/v1", "secret"),
        ("x" * 501, "long"),
    ],
)
def test_what_is_no_address_is_named(text: str, fault: str) -> None:
    assert read_address(text, "compatible") == ("", fault)


@given(st.text(max_size=60), st.sampled_from(PROVIDER_KINDS))
@example("0\x1f#", "openai")
@example("0\x1f/", "openai")
def test_reading_an_address_again_changes_nothing(text: str, kind: str) -> None:
    address, fault = read_address(text, kind)
    assert fault or read_address(address, kind) == (address, "")


def test_every_kind_has_a_preset_that_can_be_kept() -> None:
    assert set(PRESETS) == set(PROVIDER_KINDS)
    for kind, preset in PRESETS.items():
        address = preset["address"] or "https://host.example/v1"
        provider = {**OLLAMA, "kind": kind, "address": address}
        assert is_sound_provider(provider), kind


def test_one_damaged_provider_costs_the_others_nothing() -> None:
    stored: dict[str, Any] = {"providers": [OLLAMA, {"id": "x"}, None, OLLAMA, {**OLLAMA, "id": ""}]}
    assert sound_settings(stored)["providers"] == [OLLAMA]


def test_a_provider_record_has_no_room_for_a_key() -> None:
    with pytest.raises(codec.Malformed):
        codec.check({**OLLAMA, "key": "sk-1"}, "Provider")


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("https://notes.example/a", True),
        ("https://www.notes.example/a", True),
        ("https://shop.example/account/1", True),
        ("https://shop.example/offers", False),
        ("file:report.pdf", False),
    ],
)
def test_a_page_of_a_site_that_never_leaves_stays_here(url: str, stays: bool) -> None:
    settings = sound_settings({"never_leaves": ["notes.example", "shop.example/account", "no host", 5]})
    assert settings["never_leaves"] == ["notes.example", "shop.example/account"]
    assert stays_here(url, settings) is stays
    assert not stays_here(url, default_settings())
