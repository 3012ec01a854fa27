"""A process that is killed between any two statements leaves a sound library with all that was acknowledged.

What a kill leaves is what the file and its journal hold at that moment; both are copied before each statement
that SQLite runs, and every copy is opened as the next start would open it.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder, capture_of
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.engine.check import Findings, look_through
from tabwise.engine.jobs import silent_job

pytestmark = pytest.mark.native

TIDES_NEXT_YEAR = capture_of(
    TIDES.url, "Tides", "The tidal range in the Bay of Fundy reached 16.8 metres today."
)


def findings_of(file: Path) -> Findings:
    store = SqliteStore(file)
    try:
        return asyncio.run(look_through(store, silent_job()))
    finally:
        store.close()


def titles_of(file: Path) -> set[str]:
    store = SqliteStore(file)
    try:
        return {head.title for head in store.load_heads()}
    finally:
        store.close()


class Witness:
    """Keeps what a kill before each statement would have left, and what was acknowledged by then."""

    def __init__(self, file: Path, acknowledged: Callable[[], set[str]]) -> None:
        self._file, self._acknowledged = file, acknowledged
        self.moments: list[tuple[bytes, bytes, set[str]]] = []

    def __call__(self, statement: str) -> None:
        journal = self._file.with_name(self._file.name + "-journal")
        left = journal.read_bytes() if journal.exists() else b""
        moment = (self._file.read_bytes(), left, self._acknowledged())
        if not self.moments or self.moments[-1] != moment:
            self.moments.append(moment)


@pytest.mark.fault("F26")
def test_killed_between_any_two_statements_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    acknowledged: set[str] = set()

    async def work() -> Witness:
        desk = Desk(file, {1: TIDES, 2: BREAD, 3: TIDES_NEXT_YEAR}, BagEmbedder())
        await desk.service.start()
        assert desk.library is not None
        witness = Witness(file, lambda: set(acknowledged))
        desk.library.store._db.set_trace_callback(witness)  # type: ignore[attr-defined]
        for tab_id, title in ((1, "Tides"), (2, "Sourdough"), (3, "Tides")):
            (row,) = (await desk.add(tab_id))["result"]
            assert row["state"] in ("added", "updated")
            acknowledged.add(title)
        return witness

    witness = asyncio.run(work())
    assert len(witness.moments) > 20
    for number, (data, journal, there) in enumerate(witness.moments):
        left = tmp_path / f"left-{number}.db"
        left.write_bytes(data)
        left.with_name(left.name + "-journal").write_bytes(journal)
        assert findings_of(left).faults == (), number
        assert titles_of(left) >= there, number


@pytest.mark.fault("F22")
def test_a_full_disk_ends_adding_and_loses_nothing(tmp_path: Path) -> None:
    long = capture_of(
        "https://long.example/",
        "Long",
        *(f"Paragraph {n} is about harbour number {n}." for n in range(2_000)),
    )

    async def work() -> None:
        desk = Desk(tmp_path / "library.db", {1: TIDES, 2: long}, BagEmbedder())
        await desk.service.start()
        await desk.add(1)
        assert desk.library is not None
        database = desk.library.store._db  # type: ignore[attr-defined]
        (n_pages,) = database.execute("PRAGMA page_count").fetchone()
        codes, room = [], n_pages
        while (end := await add_with_room(desk, database, room))["failure"]["code"]:
            codes.append(end["failure"]["code"])
            found = await look_through(desk.library.store, silent_job())
            assert found.faults == ()
            answer = (await desk.ask("ask", question="How large is the tidal range?", sources=[]))["result"]
            assert "16.3 metres" in answer["sentences"][0]["text"]
            room += 20
        assert set(codes) == {"store_full"}
        assert {page["title"] for page in (await desk.ask("library"))["result"]} == {"Tides", "Long"}

    asyncio.run(work())


async def add_with_room(desk: Desk, database: object, n_pages: int) -> dict[str, dict[str, str]]:
    """Add the long page into a file that may not grow beyond so many pages; return what became of it."""
    database.execute(f"PRAGMA max_page_count = {n_pages}")  # type: ignore[attr-defined]
    end = await desk.add(2)
    if end["type"] == "error":
        return {"failure": {"code": end["code"]}}
    (row,) = end["result"]
    return {"failure": row["failure"] or {"code": ""}}
