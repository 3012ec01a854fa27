"""Summaries on the command line: in a page's own words, by a service, kept in the library."""

import json
from pathlib import Path
from typing import Any

import pytest

from loopback import in_a_thread, reply
from tabwise.cli import main
from tabwise.cli_session import FAILED, NOTHING, OK

pytestmark = pytest.mark.native

TIDES = """<!doctype html><html lang="en"><head><title>Tides</title></head><body><main><h1>Tides</h1>
<p>The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 16.3 metres.</p>
<p>Spring tides occur around the new moon and the full moon, when sun and moon pull in one line.</p>
</main></body></html>"""
BREAD = "Sourdough\n\nBake the loaf at 240 degrees Celsius for 35 minutes. Let it cool on a rack.\n"
WRITTEN = "In the Bay of Fundy the tidal range reaches 16.3 metres. Everybody there has a boat of gold."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tides.html").write_text(TIDES, "utf-8")
    (tmp_path / "bread.txt").write_text(BREAD, "utf-8")
    monkeypatch.setenv("TABWISE_LIBRARY", str(tmp_path / "library.db"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def summaries(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    status = main(["summarise", *arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_files_are_told_in_their_own_words_and_only_they(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["index", "bread.txt"])
    capsys.readouterr()
    status, (row,) = summaries(capsys, "tides.html")
    assert (status, row["title"], row["engine"]) == (OK, "Tides", "extractive")
    assert all(sentence["text"] in TIDES for sentence in row["sentences"])
    status, rows = summaries(capsys)
    assert (status, {row["title"] for row in rows}) == (OK, {"Tides", "bread.txt"})


def test_text_output_names_the_page_and_its_sentences(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["summarise", "tides.html"]) == OK
    out = capsys.readouterr().out
    assert out.startswith(f"Tides — {(folder / 'tides.html').as_uri()}\n")
    assert "  The largest tidal range on Earth" in out


def test_a_service_writes_and_what_the_page_does_not_say_is_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with in_a_thread() as server:
        answer = {"choices": [{"message": {"content": WRITTEN}, "finish_reason": "stop"}]}
        server.script["/v1/chat/completions"] = reply(200, answer)
        service = ["--provider", server.url, "--llm", "m"]
        status, (row,) = summaries(capsys, "tides.html", *service)
        assert status == OK
        assert row["engine"].startswith("provider:")
        assert [one["text"] for one in row["sentences"]] == [WRITTEN.partition(". ")[0] + "."]
        n_asked = len(server.seen)
        assert summaries(capsys, "tides.html", *service) == (OK, [row])
        assert len(server.seen) == n_asked


@pytest.mark.parametrize(
    ("service", "why"), [("http://127.0.0.1:1", "Nobody answers"), ("bundled", "too small")]
)
def test_without_its_writer_a_page_is_told_in_its_own_words(
    service: str, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["summarise", "tides.html", "--provider", service, "--llm", "m"]) == OK
    out, err = capsys.readouterr()
    assert "tidal range" in out
    assert why in err


def test_what_cannot_be_read_is_named_and_the_rest_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, rows = summaries(capsys, "missing.html", "tides.html")
    assert (status, len(rows)) == (NOTHING, 1)
    assert main(["summarise", "missing.html"]) == FAILED


def test_an_empty_library_has_nothing_to_tell(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summarise"]) == FAILED
    assert capsys.readouterr().err.endswith("tabwise: There are no pages to ask yet.\n")
