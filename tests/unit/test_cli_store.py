"""`tabwise --qdrant`: files are mirrored, questions answered from there, and here when it is away."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qdrant_server import FakeQdrant, served
from tabwise import cli, cli_session
from tabwise.adapters.lexical import NoEmbedder

pytestmark = pytest.mark.native

KEY = "a-planted-key"


@pytest.fixture
def fake() -> FakeQdrant:
    return FakeQdrant()


@pytest.fixture
def url(fake: FakeQdrant) -> Iterator[str]:
    with served(fake) as address:
        yield address


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of one note, searched by words."""
    monkeypatch.setenv(cli_session.LIBRARY_VARIABLE, str(tmp_path / "library.db"))
    monkeypatch.setattr(cli_session, "embedder_of", lambda options: NoEmbedder())
    note = tmp_path / "tides.txt"
    note.write_text("The largest tidal range is found in the Bay of Fundy, where it reaches 16.3 metres.")
    return note


def test_files_are_mirrored_and_found_there(
    fake: FakeQdrant, url: str, library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["index", str(library), "--qdrant", url]) == 0
    assert fake.n_points("tabwise-1-none") == 1
    assert cli.main(["search", "tidal range", "--qdrant", url]) == 0
    said = capsys.readouterr()
    assert "Bay of Fundy" in said.out
    assert said.err == ""
    assert any(path.endswith("/query/groups") for _, path in fake.requests)


def test_away_the_library_answers_and_says_why(
    fake: FakeQdrant, url: str, library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["index", str(library), "--qdrant", url])
    fake.is_dead = True
    for command in (["search", "tidal range"], ["ask", "Where is the largest tidal range?"]):
        assert cli.main([*command, "--qdrant", url]) == 0
        said = capsys.readouterr()
        assert "Bay of Fundy" in said.out
        assert "not in Qdrant: The connection broke off." in said.err
    assert cli.main(["index", str(library), "--qdrant", url]) == 1


def test_the_key_comes_from_the_environment_and_is_shown_nowhere(
    fake: FakeQdrant,
    url: str,
    library: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake.key = KEY
    assert cli.main(["index", str(library), "--qdrant", url]) == 1
    assert "This service needs a key." in capsys.readouterr().err
    monkeypatch.setenv("QDRANT_API_KEY", KEY)
    assert cli.main(["index", str(library), "--qdrant", url]) == 0
    monkeypatch.setenv("QDRANT_API_KEY", KEY + "-wrong")
    library.write_text("Another text about the tide and its range in the bay.")
    assert cli.main(["index", str(library), "--qdrant", url]) == 1
    said = capsys.readouterr()
    assert KEY not in said.out + said.err


def test_no_address_is_an_error_before_anything_is_done(library: Path) -> None:
    assert cli.main(["index", str(library), "--qdrant", "ftp://a.example"]) == 2


def test_without_the_option_nothing_is_sent(fake: FakeQdrant, url: str, library: Path) -> None:
    cli.main(["index", str(library)])
    cli.main(["search", "tidal range"])
    assert fake.requests == []
