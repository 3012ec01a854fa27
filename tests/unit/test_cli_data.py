"""`tabwise export` and `tabwise import` carry a library from one machine to another."""

import json
from pathlib import Path

import pytest

from tabwise.cli import main
from tabwise.cli_session import FAILED, OK

pytestmark = pytest.mark.native

QUESTION = "How large is the tidal range in the Bay of Fundy?"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tides.txt").write_text(
        "Tides\n\nThe largest tidal range on Earth is in the Bay of Fundy, where it reaches 16.3 metres.\n"
    )
    (tmp_path / "bread.txt").write_text(
        "Sourdough\n\nBake the loaf at 240 degrees Celsius for 35 minutes. Let it cool on a rack.\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> object:
    assert main([*arguments, "--json"]) == OK
    return json.loads(capsys.readouterr().out)


def test_a_library_is_the_same_after_the_journey(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["index", "--library", "here.db", "tides.txt"])
    main(["index", "--library", "there.db", "bread.txt"])
    capsys.readouterr()
    written = output(capsys, "export", "--library", "here.db", "out.db")
    assert isinstance(written, dict)
    assert (written["n_pages"], written["n_threads"]) == (1, 0)
    looked = output(capsys, "import", "--library", "there.db", "out.db", "--dry-run")
    assert isinstance(looked, dict)
    assert looked["pages"] == {"added": 1, "newer": 0, "older": 0, "same": 0, "only_here": 1}
    assert output(capsys, "export", "--library", "there.db", "unchanged.db") == {
        "file": "unchanged.db",
        "size_bytes": (folder / "unchanged.db").stat().st_size,
        "n_pages": 1,
        "n_threads": 0,
    }
    main(["import", "--library", "there.db", "out.db", "--replace"])
    capsys.readouterr()
    hits = [output(capsys, "search", "--library", name, QUESTION) for name in ("here.db", "there.db")]
    assert hits[0] == hits[1]
    main(["import", "--library", "there.db", "there.before-import.db", "--replace"])
    assert main(["search", "--library", "there.db", "sourdough loaf bake"]) == OK
    assert "Sourdough" in capsys.readouterr().out


def test_what_is_no_library_is_refused_and_changes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["index", "--library", "here.db", "tides.txt"])
    assert main(["import", "--library", "here.db", "bread.txt", "--replace"]) == FAILED
    assert "import_foreign" in capsys.readouterr().err
    assert main(["search", "--library", "here.db", QUESTION]) == OK


def test_a_file_that_is_not_there_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "--library", "here.db", "nowhere.db"]) == FAILED
    assert "file_missing" in capsys.readouterr().err
