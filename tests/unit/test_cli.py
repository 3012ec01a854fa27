"""The command line does what the extension does, over files, and survives bad ones."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.cli import BROKEN_PIPE, main
from tabwise.cli_session import FAILED, NOTHING, OK

pytestmark = pytest.mark.native

APP = Path(__file__).parents[2] / "app"
# what is told where the extension was not built yet, and its model is not there
WORDS_ONLY = b"tabwise: no embedding model is installed; searching by words only\n"

TIDES = """<!doctype html><html lang="en"><head><title>Tides</title></head><body><main><h1>Tides</h1>
<p>The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 16.3 metres.</p>
<p>Spring tides occur around the new moon and the full moon, when sun and moon pull in one line.</p>
</main></body></html>"""
BREAD = "Sourdough\n\nBake the loaf at 240 degrees Celsius for 35 minutes. Let it cool on a rack.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tides.html").write_text(TIDES, "utf-8")
    (tmp_path / "bread.txt").write_text(BREAD, "utf-8")
    monkeypatch.setenv("TABWISE_LIBRARY", str(tmp_path / "library.db"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status = main([*arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_ask_over_files_gives_a_cited_and_checked_answer(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, answer = run_json(
        capsys, "ask", "How large is the tidal range in the Bay of Fundy?", "tides.html", "bread.txt"
    )
    assert status == OK
    first = answer["sentences"][0]
    assert "16.3 metres" in first["text"]
    assert first["verdict"] == "supported"
    assert answer["citations"][first["citations"][0] - 1]["url"] == (folder / "tides.html").as_uri()


def test_the_library_keeps_pages_between_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, rows = run_json(capsys, "index", "tides.html", "bread.txt")
    assert (status, [row["state"] for row in rows]) == (OK, ["added", "added"])
    status, rows = run_json(capsys, "index", "tides.html")
    assert [row["state"] for row in rows] == ["unchanged"]
    status, hits = run_json(capsys, "search", "loaf temperature", "-k", "1")
    assert (status, hits[0]["url"]) == (OK, (folder / "bread.txt").as_uri())


def test_ask_with_files_asks_only_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["index", "bread.txt"])
    capsys.readouterr()
    _, answer = run_json(capsys, "ask", "At what temperature is the loaf baked?", "tides.html")
    assert all("bread" not in citation["url"] for citation in answer["citations"])


def test_text_output_names_sentences_and_sources(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "When do spring tides occur?", "tides.html"]) == OK
    out = capsys.readouterr().out
    assert "new moon" in out
    assert f"[1] Tides — {(folder / 'tides.html').as_uri()}" in out


def test_bad_files_are_named_and_the_rest_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty.html").write_bytes(b"")
    (folder / "picture.txt").write_bytes(bytes(range(256)) * 40)
    status = main(["index", "empty.html", "picture.txt", "missing.html", "tides.html"])
    said = capsys.readouterr()
    assert status == NOTHING
    assert "added" in said.out
    complaints = [
        line.split(": ")[1] for line in said.err.splitlines() if ".html: " in line or ".txt: " in line
    ]
    assert complaints == ["empty.html", "picture.txt", "missing.html"]


def test_nothing_found_is_said_and_shown_by_the_status(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", "Who composed the opera Carmen?", "tides.html"]) == NOTHING
    assert "Nothing on your pages answers this" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("question", "code"), [("  ", "question_empty"), ("x" * 10_001, "question_too_long")]
)
def test_a_question_that_cannot_be_used(
    folder: Path, capsys: pytest.CaptureFixture[str], question: str, code: str
) -> None:
    main(["index", "tides.html"])
    capsys.readouterr()
    status, said = run_json(capsys, "ask", question)
    assert (status, said["error"]["code"]) == (FAILED, code)


def test_a_damaged_library_is_named_and_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = folder / "library.db"
    library.write_bytes(b"SQLite format 3\x00" + b"\xff" * 4000)
    status, said = run_json(capsys, "ask", "Anything?", "tides.html")
    assert (status, said["error"]["code"]) == (FAILED, "store_corrupt")
    assert library.stat().st_size == 4016


def test_an_empty_library_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run_json(capsys, "search", "tides")
    assert (status, said["error"]["code"]) == (FAILED, "library_empty")


def test_the_file_is_the_extensions_library_file(folder: Path) -> None:
    main(["index", "tides.html"])
    store = SqliteStore(folder / "library.db")
    assert [page.title for page in store.load_pages()] == ["Tides"]
    assert list(store.check()) == []
    store.close()


def test_a_collection_that_is_not_there_is_skipped_by_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["eval", "retrieval", "--data", str(folder), "--set", "med"])
    assert status == NOTHING
    told = capsys.readouterr()
    assert "med skipped" in told.err
    assert "MED.ALL" in told.err
    assert told.out == ""


def test_days_and_sites_limit_what_is_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["index", "tides.html"])
    capsys.readouterr()
    assert run_json(capsys, "search", "spring tides", "--before", "2020-01-01") == (NOTHING, [])
    assert run_json(capsys, "search", "spring tides", "--site", "example.org") == (NOTHING, [])
    status, (hit,) = run_json(
        capsys, "search", "spring tides", "--after", "2020-01-01", "-k", "1", "--recent"
    )
    assert (status, hit["rank_fused"]) == (OK, 1)
    assert hit["recency"] > 0.0


def test_a_library_can_be_asked_about_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["index", "tides.html", "bread.txt"])
    capsys.readouterr()
    status, result = run_json(capsys, "eval", "self", "-n", "5")
    assert status == OK
    assert result["n_questions"] >= 2
    assert {row["recall_at_10"] for row in result["rows"]} == {1.0}
    assert main(["eval", "self", "-n", "5"]) == OK
    told = f"{result['n_at_the_place']} of {result['n_citations']} citations in the paragraph"
    assert told in capsys.readouterr().out


def test_a_receipt_is_written_and_run_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = "How large is the tidal range in the Bay of Fundy?"
    assert main(["ask", question, "tides.html", "bread.txt", "--receipt", "receipt.json"]) == OK
    capsys.readouterr()
    kept = json.loads((folder / "receipt.json").read_text("utf-8"))
    assert kept["question"] == question
    assert run_json(capsys, "replay", "receipt.json") == (
        OK,
        {"same": True, "n_searches": 1, "differences": []},
    )
    (folder / "tides.html").write_text(TIDES.replace("16.3", "17.1"), "utf-8")
    main(["index", "tides.html"])
    capsys.readouterr()
    assert main(["replay", "receipt.json"]) == NOTHING
    assert "tides.html has changed" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["none.json", "bread.txt"])
def test_what_is_no_receipt_is_named(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    main(["index", "tides.html"])
    assert main(["replay", name]) == FAILED
    assert "receipt_unreadable" in capsys.readouterr().err


def test_what_is_missing_is_said_before_the_answer(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "Which is the largest tidal range on Earth, Bristol?", "tides.html"]) == OK
    assert capsys.readouterr().out.startswith("Nothing was found about: Bristol\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "tides", "-k", "x"], "argument -k: must be a whole number, 1 or more"),
        (["search", "tides", "-k", "0"], "argument -k: must be a whole number, 1 or more"),
        (["search", "tides", "--after", "tomorrow"], "argument --after: must be a day like 2026-01-31"),
        (["ask", "Tides?", "--context", "-5"], "argument --context: must be a whole number, 1 or more"),
        (["research", "Tides?", "--steps", "0"], "argument --steps: must be a whole number, from 1 to"),
        (["ask", "Tides?", "--receipt", "nowhere/receipt.json"], "argument --receipt: there is no folder"),
        (["ask", "Tides?", "--receipt", "."], "argument --receipt: is a folder: ."),
        (["export", "nowhere/library.db"], "argument FILE: there is no folder nowhere"),
        (["eval", "self", "-n", "0"], "argument -n: must be a whole number, 1 or more"),
    ],
)
def test_an_option_that_cannot_be_used_is_named_before_anything_is_done(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == FAILED
    assert said in capsys.readouterr().err
    assert not (folder / "library.db").exists()


@pytest.mark.parametrize("place", [".", "tides.html/library.db"])
@pytest.mark.parametrize("command", [["search", "tides"], ["doctor"]])
def test_a_library_that_is_no_file_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], place: str
) -> None:
    assert main([*command, "--library", place]) == FAILED
    said = capsys.readouterr().err
    assert place.partition("/")[0] in said
    assert "damaged" not in said


def test_a_folder_is_no_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "."]) == NOTHING
    assert "tabwise: .: This is a folder; name its files." in capsys.readouterr().err


def test_an_engine_that_is_none_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "answers", "--data", ".", "--engine", "nonsense"]) == FAILED
    assert "provider_unknown: not KIND:MODEL[@ADDRESS]: nonsense" in capsys.readouterr().err


def test_a_terminal_that_lacks_a_character_and_a_name_that_is_no_text_stop_nothing(folder: Path) -> None:
    name = os.fsdecode(b"no\xfftext.txt")
    (folder / name).write_text("The bore of the Severn – a wave – reaches 2.8 metres in October.", "utf-8")
    known = os.environ | {"PYTHONPATH": str(APP), "PYTHONIOENCODING": "ascii"}
    question = os.fsdecode(b"How high \xff does the bore of the Severn reach?")
    command = [sys.executable, "-m", "tabwise.cli", "ask", question, name]
    plain, as_json = (
        subprocess.run([*command, *more], env=known, capture_output=True, check=False)
        for more in ([], ["--json"])
    )
    assert plain.returncode == OK
    assert plain.stderr in (b"", WORDS_ONLY)
    assert b"The bore of the Severn ? a wave ? reaches 2.8 metres" in plain.stdout
    answer = json.loads(as_json.stdout)
    assert answer["sentences"][0]["text"].startswith("The bore of the Severn – a wave – reaches")
    assert answer["question"] == "How high \ufffd does the bore of the Severn reach?"


def test_a_reader_that_ends_early_ends_the_command(folder: Path) -> None:
    main(["index", "tides.html"])
    command = [sys.executable, "-m", "tabwise.cli", "search", "tides", "--json"]
    known = os.environ | {"PYTHONPATH": str(APP)}
    with subprocess.Popen(command, env=known, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() in (b"", WORDS_ONLY)
    assert running.returncode == BROKEN_PIPE
