"""The wheel `pip install .` makes: with the embedder when its files can be had, else without."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.native

ROOT = Path(__file__).parents[2]


class App:
    """Stands for hatchling's own output."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def display_warning(self, message: str) -> None:
        self.warnings.append(message)


def run_hook(version: str) -> tuple[dict[str, str], list[str]]:
    from hatch_build import EmbedderHook

    app = App()
    hook = EmbedderHook(str(ROOT), {}, None, None, "", "wheel", app)  # type: ignore[arg-type]
    build_data: dict[str, Any] = {"force_include": {}}
    hook.initialize(version, build_data)
    return build_data["force_include"], app.warnings


@pytest.fixture(autouse=True)
def hook_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


def test_wheel_carries_the_embedder() -> None:
    included, warnings = run_hook("standard")
    assert sorted(Path(target).name for target in included.values()) == [
        "model.json",
        "model.onnx",
        "tokenizer.json",
    ]
    assert {str(Path(target).parent) for target in included.values()} == {"tabwise/models/minilm"}
    assert warnings == []


def test_editable_install_carries_nothing() -> None:
    assert run_hook("editable") == ({}, [])


def test_wheel_is_built_without_the_embedder_when_it_cannot_be_fetched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from buildlib import fetch
    from buildlib.console import BuildError

    def out_of_reach(files: object) -> None:
        raise BuildError("model.safetensors could not be fetched")

    monkeypatch.setattr(fetch, "fetch", out_of_reach)
    included, warnings = run_hook("standard")
    assert included == {}
    assert "search will be lexical" in warnings[0]
    assert "model.safetensors" in warnings[0]
