"""A service named on the command line."""

import pytest

from tabwise.adapters.native.writer import open_writer
from tabwise.errors import ProviderError

pytestmark = pytest.mark.native


def test_a_service_on_this_machine_needs_no_key() -> None:
    descriptor = open_writer("ollama:llama3.2").descriptor
    assert (descriptor.label, descriptor.destination) == ("ollama:llama3.2", "http://localhost:11434")
    at_address = open_writer("compatible:m@http://127.0.0.1:8080/v1").descriptor
    assert at_address.destination == "http://127.0.0.1:8080"


def test_a_vendor_needs_the_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABWISE_PROVIDER_KEY", raising=False)
    with pytest.raises(ProviderError) as failed:
        open_writer("openai:gpt-5.4-mini")
    assert failed.value.code == "key_missing"
    monkeypatch.setenv("TABWISE_PROVIDER_KEY", "k-123")
    assert open_writer("openai:").descriptor.destination == "https://api.openai.com"


@pytest.mark.parametrize("spec", ["", "nothing:model", "ollama:", "compatible"])
def test_what_names_no_service_is_refused(spec: str) -> None:
    with pytest.raises(ProviderError) as failed:
        open_writer(spec)
    assert failed.value.code == "provider_unknown"
