"""A library is looked through: what its list, texts, passages, vectors and postings say must agree."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder
from tabwise import cli
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.search.page_part import decode_part, encode_part
from tabwise.engine.check import Findings, look_through
from tabwise.engine.jobs import silent_job
from tabwise.errors import StoreError

pytestmark = pytest.mark.native

DAMAGES = [
    ("UPDATE page SET title = 'Ebb' WHERE title = 'Tides'", "its text is not the one that was stored"),
    ("DELETE FROM chunk WHERE ordinal = 1", "1 passages, the list says 2"),
    (
        "UPDATE chunk SET embedding_text = 'x' WHERE ordinal = 0",
        "a passage is not the one that was stored",
    ),
    ("UPDATE chunk SET ordinal = 70 WHERE ordinal = 0", "passages are missing"),
    ("DELETE FROM page_body WHERE text LIKE '%Fundy%'", "is listed and not there"),
    ('UPDATE chunk SET "end" = 9999', "lies outside its page"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A library of two pages, closed."""

    async def make() -> None:
        desk = Desk(tmp_path / "library.db", {1: TIDES, 2: BREAD}, BagEmbedder())
        await desk.service.start()
        await desk.add(1, 2)
        assert desk.library is not None
        desk.library.store.close()

    asyncio.run(make())
    return tmp_path / "library.db"


def findings(file: Path) -> Findings:
    store = SqliteStore(file)
    try:
        return asyncio.run(look_through(store, silent_job()))
    finally:
        store.close()


def change(file: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(file) as db:
        assert db.execute(statement, values).rowcount >= 1
    db.close()


def test_a_sound_library_has_one_vector_a_passage(file: Path) -> None:
    found = findings(file)
    assert found.faults == ()
    assert (found.n_pages, found.n_waiting) == (2, 0)
    assert found.n_vectors == found.n_chunks > 0


@pytest.mark.fault("F27")
@pytest.mark.parametrize(("statement", "fault"), DAMAGES)
def test_what_does_not_agree_is_named(file: Path, statement: str, fault: str) -> None:
    change(file, statement)
    assert any(fault in one for one in findings(file).faults)


@pytest.mark.fault("F27")
def test_an_index_of_other_words_than_the_text_is_named(file: Path) -> None:
    with sqlite3.connect(file) as db:
        part_id, data = db.execute("SELECT id, data FROM index_part").fetchone()
        part = decode_part(data)
        assert part is not None
        part.codes[0] ^= 1
        db.execute("UPDATE index_part SET data = ? WHERE id = ?", (encode_part(part), part_id))
    db.close()
    (fault,) = findings(file).faults
    assert "the index holds other terms than its text" in fault


@pytest.mark.fault("F43")
def test_a_vector_that_is_no_number_is_named(file: Path) -> None:
    with sqlite3.connect(file) as db:
        hashes = [row[0] for row in db.execute("SELECT content_hash FROM chunk")]
        db.execute("DELETE FROM page_vectors")
        db.executemany(
            "INSERT INTO vector VALUES (?, ?, ?)", [(one, b"\1" * 64, float("inf")) for one in hashes]
        )
    db.close()
    assert all("vectors are no numbers" in fault for fault in findings(file).faults)
    assert len(findings(file).faults) == 2


@pytest.mark.fault("F27")
@pytest.mark.parametrize("statement", ["", *(statement for statement, _ in DAMAGES)])
def test_the_command_and_the_doctor_find_the_same(
    file: Path, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if statement:
        change(file, statement)

    async def doctor() -> dict[str, Any]:
        desk = Desk(file, {}, BagEmbedder())
        await desk.service.start()
        lines = (await desk.ask("doctor", check=True, test=False))["result"]
        return next(line for line in lines if line["topic"] == "library")

    cli.main(["check", "--json", str(file)])
    faults = json.loads(capsys.readouterr().out)["faults"]
    line = asyncio.run(doctor())
    assert (line["reason"] == "sound") is (faults == [])
    assert line["message"] == "; ".join(faults)


def test_vectors_that_are_still_to_come_are_no_fault(file: Path) -> None:
    change(file, "DELETE FROM page_vectors")
    found = findings(file)
    assert found.faults == ()
    assert found.n_waiting == found.n_chunks


def test_the_command_says_it_and_leaves_the_file_as_it_is(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(file, "UPDATE page SET removed = 1 WHERE title = 'Sourdough'")
    before = file.read_bytes()
    assert cli.main(["check", str(file)]) == 0
    assert "sound: 1 pages" in capsys.readouterr().out
    assert file.read_bytes() == before


@pytest.mark.fault("F27")
def test_the_command_names_what_is_wrong(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(file.read_bytes())
    data[4096:8192] = bytes(4096)
    file.write_bytes(data)
    assert cli.main(["check", str(file)]) == 1
    assert "not sound" in capsys.readouterr().out
    assert file.read_bytes() == bytes(data)


@pytest.mark.fault("F21")
def test_damage_that_sqlite_quotes_byte_by_byte_is_named(file: Path) -> None:
    damaged = file.read_bytes().replace(b"CREATE TABLE attempt", b"CRXATE TABLE attempt")
    file.write_bytes(damaged.replace(b"attempt", b"att\xe1mpt"))
    with pytest.raises(StoreError) as refused:
        SqliteStore(file)
    assert refused.value.code == "store_corrupt"


def test_another_kind_of_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("no library\n" * 500)
    assert cli.main(["check", str(other)]) == 1
    assert "This is not a library of Tabwise." in capsys.readouterr().out
    assert cli.main(["check", str(tmp_path)]) == 1


def test_a_file_that_is_not_there_was_not_looked_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", str(tmp_path / "nothing.db")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "nothing.db" in err
