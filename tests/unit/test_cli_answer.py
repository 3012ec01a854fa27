"""Answers by a model on the command line: the bundled one, and an agent that looks for itself."""

import json
from pathlib import Path

import pytest

from loopback import Script, in_a_thread, one_after_another, reply
from tabwise import cli_models
from tabwise.cli import main
from tabwise.cli_session import FAILED, OK
from tiny_llama import write_model

pytestmark = pytest.mark.native

TIDES = """<!doctype html><html lang="en"><head><title>Tides</title></head><body><main><h1>Tides</h1>
<p>The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 16.3 metres.</p>
<p>Spring tides occur around the new moon and the full moon, when sun and moon pull in one line.</p>
</main></body></html>"""
QUESTION = "How large is the tidal range in the Bay of Fundy?"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "tides.html").write_text(TIDES, "utf-8")
    monkeypatch.setenv("TABWISE_LIBRARY", str(tmp_path / "library.db"))
    monkeypatch.chdir(tmp_path)
    return "tides.html"


def test_the_bundled_model_chooses_among_sentences(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_model(tmp_path / "smollm2", model_id="bundled")
    monkeypatch.setattr(cli_models, "find_bundled", lambda: folder)
    assert main(["ask", QUESTION, page, "--provider", "bundled", "--json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    assert answer["engine"] == "bundled"
    assert all(sentence["verdict"] == "supported" for sentence in answer["sentences"])


def test_a_bundled_model_that_is_not_built_is_said_to_be_missing(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_models, "find_bundled", lambda: None)
    assert main(["ask", QUESTION, page, "--provider", "bundled"]) == FAILED
    assert "scripts/build.py dist" in capsys.readouterr().err


def said(text: str) -> Script:
    return reply(200, {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})


def test_a_model_looks_for_itself_and_tells_its_steps(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    call = '{"tool": "search_pages", "arguments": {"query": "tidal range"}}'
    with in_a_thread() as server:
        script = one_after_another(said(call), said("Answer: It reaches 16.3 metres [1]."))
        server.script["/v1/chat/completions"] = script
        arguments = ["research", QUESTION, page, "--provider", server.url, "--llm", "m", "--steps", "4"]
        assert main([*arguments, "--json"]) == OK
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert [sentence["text"] for sentence in answer["sentences"]] == ["It reaches 16.3 metres."]
    assert [sentence["verdict"] for sentence in answer["sentences"]] == ["supported"]
    assert '1 search_pages {"query": "tidal range"' in err


def test_without_a_model_research_is_answered_by_sentences_and_says_so(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["research", QUESTION, page]) == OK
    out, err = capsys.readouterr()
    assert "16.3 metres" in out
    assert "research needs a language model" in err


@pytest.mark.parametrize("steps", ["0", "100000", "x"])
def test_steps_stay_within_limits(page: str, steps: str) -> None:
    with pytest.raises(SystemExit):
        main(["research", QUESTION, page, "--steps", steps])
