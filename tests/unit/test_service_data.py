"""The library as files: a copy holds everything and no more, a look changes nothing."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder, capture_of
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.model import Capture
from tabwise.engine import backup, jobs
from tabwise.protocol.settings import default_settings

QUESTION = "How large is the tidal range in the Bay of Fundy?"
DAY_MS = 24 * 3_600_000.0


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Run a scenario with two desks: one with a library of two pages and a thread, one that is empty."""

    def go(scenario: Any) -> None:
        async def whole() -> None:
            full = Desk(tmp_path / "full.db", {1: TIDES, 2: BREAD}, BagEmbedder())
            empty = Desk(tmp_path / "empty.db", {1: TIDES, 2: BREAD}, BagEmbedder())
            await full.service.start()
            await empty.service.start()
            await full.add(1, 2)
            await result(full, "ask", question=QUESTION, sources=[], thread="sea", parent="")
            await scenario(full, empty)

        asyncio.run(whole())

    return go


async def result(desk: Desk, kind: str, **fields: Any) -> Any:
    end = await desk.ask(kind, **fields)
    assert end["type"] == "done", end
    return end["result"]


async def error(desk: Desk, kind: str, **fields: Any) -> str:
    end = await desk.ask(kind, **fields)
    assert end["type"] == "error", end
    return str(end["code"])


async def exported(desk: Desk) -> Path:
    """The file of an export, as the panel hands it over."""
    made = await result(desk, "export_library")
    return desk.path.parent / f"{desk.path.stem}-copies" / made["name"]


async def answer_to(desk: Desk) -> list[str]:
    answer = await result(desk, "ask", question=QUESTION, sources=[])
    return [sentence["text"] for sentence in answer["sentences"]]


async def titles(desk: Desk) -> list[str]:
    return sorted(page["title"] for page in await result(desk, "library"))


async def look(desk: Desk, file: Path) -> Any:
    return await result(desk, "look_at_import", url=file.as_uri())


def counts(**more: int) -> dict[str, int]:
    return {"added": 0, "newer": 0, "older": 0, "same": 0, "only_here": 0} | more


def changed(capture: Capture, paragraph: str) -> Capture:
    """A page as it reads later."""
    return capture_of(capture.url, capture.title, paragraph, headings=("Range",))


def test_what_was_exported_answers_the_same_where_it_is_brought_in(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        report = await look(empty, await exported(full))
        assert (report["pages"], report["threads"]) == (counts(added=2), counts(added=1))
        assert (report["vectors"], report["settings"], report["n_damaged"]) == (True, True, 0)
        assert await titles(empty) == []
        taken = await result(empty, "take_import", mode="merge", settings=False)
        assert (taken["n_written"], taken["settings"]) == (3, None)
        assert taken["stats"]["n_vectors"] == (await result(full, "hello"))["stats"]["n_vectors"] > 0
        assert await answer_to(empty) == await answer_to(full)
        assert await result(empty, "threads") == await result(full, "threads")
        opened = [await result(desk, "thread", thread="sea") for desk in (full, empty)]
        assert opened[0] == opened[1]

    run(scenario)


def test_an_export_is_gone_after_the_next_start(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        file = await exported(full)
        assert file.exists()
        assert full.library is not None
        full.library.store.close()
        await full.service.start()
        assert not file.exists()
        assert await titles(full) == ["Sourdough", "Tides"]

    run(scenario)


def test_an_export_is_a_library_of_its_own(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        store = SqliteStore(await exported(full))
        assert store.check() == []
        assert [head.title for head in store.load_heads()] == ["Tides", "Sourdough"]
        store.close()

    run(scenario)


def test_an_export_holds_nothing_that_was_removed_and_no_key(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        empty.keys.keys["groq"] = "gsk_very_secret_key"
        await empty.add(1, 2)
        (page,) = [page for page in await result(empty, "library") if page["title"] == "Sourdough"]
        await result(empty, "remove", source=page["source"])
        file = (await exported(empty)).read_bytes()
        assert b"Fundy" in file
        assert b"sourdough starter" not in file
        assert b"gsk_very_secret_key" not in file

    run(scenario)


def test_a_second_import_changes_nothing(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        report = await look(full, await exported(full))
        assert (report["pages"], report["threads"]) == (counts(same=2), counts(same=1))
        assert (await result(full, "take_import", mode="merge", settings=False))["n_written"] == 0

    run(scenario)


def test_merging_takes_the_newer_snapshot_and_keeps_what_only_the_library_has(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        early = await exported(full)
        full.tabs[1] = changed(TIDES, "The tidal range in the Bay of Fundy is 17 metres, measured anew.")
        await full.add(1)
        assert (await look(full, early))["pages"] == counts(older=1, same=1)
        await result(full, "take_import", mode="merge", settings=False)
        assert "17 metres" in " ".join(await answer_to(full))
        empty.tabs[2] = BREAD
        await empty.add(2)
        assert (await look(empty, await exported(full)))["pages"] == counts(added=1, same=1)

    run(scenario)


def test_replacing_leaves_what_the_file_has_and_can_be_undone(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        await empty.add(2)
        assert (await look(full, await exported(empty)))["pages"] == counts(same=1, only_here=1)
        await result(full, "take_import", mode="replace", settings=False)
        assert (await titles(full), await result(full, "threads")) == (["Sourdough"], [])
        assert (await result(full, "data_state"))["can_undo"]
        await result(full, "undo_import")
        assert await titles(full) == ["Sourdough", "Tides"]
        assert [row["title"] for row in await result(full, "threads")] == [QUESTION]
        assert not (await result(full, "data_state"))["can_undo"]

    run(scenario)


def test_settings_come_along_when_they_are_asked_for(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        full.settings.stored = default_settings() | {"never_leaves": ["bank.example"]}
        file = await exported(full)
        await look(empty, file)
        taken = await result(empty, "take_import", mode="merge", settings=True)
        assert taken["settings"]["never_leaves"] == ["bank.example"]

    run(scenario)


def test_a_file_that_is_no_library_is_refused(run: Any, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    database = sqlite3.connect(foreign)
    database.execute("CREATE TABLE page (seq INTEGER)")
    database.commit()
    database.close()
    (tmp_path / "text.db").write_text("Dear diary, " * 100)
    (tmp_path / "nothing.db").touch()

    async def scenario(full: Desk, empty: Desk) -> None:
        for name in ("foreign.db", "text.db", "nothing.db"):
            code = await error(full, "look_at_import", url=(tmp_path / name).as_uri())
            assert code == "import_foreign", name
        assert await error(full, "take_import", mode="merge", settings=False) == "import_unknown"
        assert await titles(full) == ["Sourdough", "Tides"]

    run(scenario)


def test_a_library_with_a_trigger_is_refused(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        file = await exported(full)
        database = sqlite3.connect(file)
        database.execute("CREATE TRIGGER t AFTER INSERT ON page BEGIN DELETE FROM thread; END")
        database.commit()
        database.close()
        assert await error(empty, "look_at_import", url=file.as_uri()) == "import_foreign"

    run(scenario)


def test_a_newer_file_is_refused(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        file = await exported(full)
        database = sqlite3.connect(file)
        database.execute("PRAGMA user_version = 99")
        database.close()
        assert await error(empty, "look_at_import", url=file.as_uri()) == "import_newer"

    run(scenario)


def test_a_file_with_broken_pages_of_the_database_is_refused(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        file = await exported(full)
        whole = bytearray(file.read_bytes())
        whole[4096 : len(whole) : 4096] = b"\xff" * len(whole[4096 : len(whole) : 4096])
        file.write_bytes(whole)
        assert await error(empty, "look_at_import", url=file.as_uri()) == "import_damaged"

    run(scenario)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE page_body SET text = replace(text, '16.3', '99.9') WHERE text LIKE '%16.3%'",
        "UPDATE page SET url = 'javascript:alert(1)' WHERE title = 'Tides'",
        "UPDATE page_body SET blocks = 'nonsense' WHERE text LIKE '%16.3%'",
        "UPDATE page_body SET blocks = '[[\"paragraph\", 0, 9999999, 0]]' WHERE text LIKE '%16.3%'",
        "UPDATE chunk SET embedding_text = 'else' WHERE seq = (SELECT seq FROM page WHERE title = 'Tides')",
    ],
)
def test_a_damaged_page_is_named_and_left_out(run: Any, damage: str) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        file = await exported(full)
        database = sqlite3.connect(file)
        assert database.execute(damage).rowcount > 0
        database.commit()
        database.close()
        report = await look(empty, file)
        assert (report["damaged"], report["n_damaged"], report["pages"]) == (["Tides"], 1, counts(added=1))
        await result(empty, "take_import", mode="merge", settings=False)
        assert await titles(empty) == ["Sourdough"]

    run(scenario)


def test_a_damaged_thread_is_named_and_left_out(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        file = await exported(full)
        database = sqlite3.connect(file)
        database.execute("UPDATE turn SET answer = ?", (json.dumps({"sentences": 7}),))
        database.commit()
        database.close()
        assert (await look(empty, file))["damaged"] == [QUESTION]
        assert (await result(empty, "take_import", mode="merge", settings=False))["n_written"] == 2
        assert await result(empty, "threads") == []

    run(scenario)


def test_an_import_that_is_stopped_anywhere_can_be_undone(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_YIELD_EVERY_S", 0.0)

    async def scenario(full: Desk, empty: Desk) -> None:
        await empty.add(2)
        ends = []
        for n_steps in range(200):
            await look(full, await exported(empty))
            request_id = full.send("take_import", mode="replace", settings=False)
            for _ in range(n_steps):
                await asyncio.sleep(0)
            full.send("cancel", target=request_id)
            await full.service.settle()
            ends.append(full.end_of(request_id)["type"])
            if ends[-1] == "done":
                break
            if await titles(full) != ["Sourdough", "Tides"]:
                await result(full, "undo_import")
            assert await titles(full) == ["Sourdough", "Tides"]
        assert ends[-1] == "done"
        assert len(ends) > 5
        assert await titles(full) == ["Sourdough"]

    run(scenario)


def test_a_backup_is_made_once_a_day_and_the_last_ones_are_kept(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        kept = (await result(full, "data_state"))["backups"]
        assert len(kept) == 1
        await full.add(1)
        assert (await result(full, "data_state"))["backups"] == kept
        for day in range(1, 6):
            full.clock.ms += DAY_MS
            full.tabs[2] = changed(BREAD, f"On day {day} the starter is fed with flour and water as always.")
            await full.add(2)
        made = (await result(full, "data_state"))["backups"]
        assert len(made) == backup.N_KEPT
        assert kept[0] not in made
        assert made == sorted(made, key=lambda item: -item["made_at"])

    run(scenario)


def test_no_backup_is_made_when_the_reader_wants_none(tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = Desk(tmp_path / "library.db", {1: TIDES}, BagEmbedder())
        settings = default_settings()
        settings["preferences"]["daily_backup"] = False
        desk.settings.stored = settings
        await desk.service.start()
        await desk.add(1)
        assert (await result(desk, "data_state"))["backups"] == []
        assert len((await result(desk, "back_up"))["backups"]) == 1

    asyncio.run(scenario())


def test_a_backup_brings_back_what_was_removed_since(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        await result(full, "back_up")
        await result(full, "remove_all")
        await result(full, "remove_threads", threads=["sea"])
        newest = (await result(full, "data_state"))["backups"][0]["name"]
        report = await result(full, "look_at_import", backup=newest)
        assert report["pages"] == counts(added=2)
        await result(full, "take_import", mode="merge", settings=False)
        assert await titles(full) == ["Sourdough", "Tides"]
        assert newest in [item["name"] for item in (await result(full, "data_state"))["backups"]]
        assert await error(full, "look_at_import", backup="library.db") == "import_unknown"

    run(scenario)


@pytest.mark.fault("F23")
def test_a_library_that_the_browser_cleared_is_told_from_an_empty_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = tmp_path / "library.db"
        first = Desk(path, {1: TIDES}, BagEmbedder())
        await first.service.start()
        assert (await result(first, "data_state"))["n_lost"] == 0
        await first.add(1)
        assert first.library is not None
        first.library.store.close()
        path.unlink()
        second = Desk(path, {1: TIDES}, BagEmbedder())
        second.marker.value = first.marker.value
        await second.service.start()
        assert (await result(second, "data_state"))["n_lost"] == 1
        assert (await result(second, "data_seen"))["n_lost"] == 0
        assert second.marker.value == {"n_pages": 0}

    asyncio.run(scenario())


def test_wiping_closes_the_library_and_starts_anew(run: Any) -> None:
    async def scenario(full: Desk, empty: Desk) -> None:
        assert await result(full, "wipe") == {"left": []}
        assert not full.path.exists()
        assert full.eraser.n_restarts == 1
        assert await error(full, "library") == "store_locked"

    run(scenario)
