"""Requests about the library as files."""

from datetime import UTC, datetime
from typing import Any

from tabwise.core.text.bounded_json import read_json
from tabwise.engine import wire
from tabwise.engine.backup import EXPORT, GIVEN, UNDO, Keeper, backups, write_copy
from tabwise.engine.copying import PROGRAM, SETTINGS
from tabwise.engine.importing import Comparison, ImportMode, about_a_file, bring_in, compare
from tabwise.engine.jobs import Job
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import InputError, StoreError
from tabwise.ports import LibraryCopies, Store
from tabwise.protocol.settings import sound_settings

MAX_NAMED = 20
"""Damaged pages and threads that a report names."""


class DataRequests:
    """Exports, looks, imports, undoes, backs up, wipes."""

    def __init__(self, room: Workroom) -> None:
        self._room = room
        self._looked_at = ""

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "data_state": self._state,
            "data_seen": self._seen,
            "export_library": self._export,
            "look_at_import": self._look,
            "take_import": self._take,
            "drop_import": self._drop,
            "undo_import": self._undo,
            "back_up": self._back_up,
            "wipe": self._wipe,
        }

    @property
    def _copies(self) -> LibraryCopies:
        return self._room.ports.copies

    @property
    def _keeper(self) -> Keeper:
        return self._room.keeper

    async def _state(self, request: Request, reply: Reply) -> Any:
        kept = [
            {"name": backup.name, "made_at": backup.made_at, "size_bytes": backup.size_bytes}
            for backup in await backups(self._copies)
        ]
        can_undo = UNDO in await self._copies.sizes()
        return {
            "backups": kept,
            "n_lost": self._keeper.n_lost,
            "can_undo": can_undo,
            "stats": self._stats(),
        }

    def _stats(self) -> wire.Record | None:
        """Backups can be looked at while the library itself cannot be opened."""
        try:
            return wire.stats(self._room.library.stats())
        except StoreError:
            return None

    async def _seen(self, request: Request, reply: Reply) -> Any:
        await self._keeper.seen(self._room.library)
        return await self._state(request, reply)

    async def _export(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        async with self._room.copy_turn:
            await self._write(EXPORT, reply.job())
            size_bytes = (await self._copies.sizes())[EXPORT]
        day = datetime.fromtimestamp(self._room.ports.clock.now_ms() / 1_000, UTC).strftime("%Y-%m-%d")
        return {
            "name": EXPORT,
            "file_name": f"tabwise-{day}.db",
            "size_bytes": size_bytes,
            "n_pages": len(library.heads()),
            "n_threads": len(library.store.threads.load_threads()),
        }

    async def _look(self, request: Request, reply: Reply) -> Any:
        name = request["backup"]
        if name and name not in [backup.name for backup in await backups(self._copies)]:
            raise InputError("import_unknown", subject=name)
        async with self._room.copy_turn:
            if not name:
                name = GIVEN
                await self._copies.take_in(name, request["url"])
            try:
                report = await self._report(name, reply.job())
            except BaseException:
                await self._copies.remove(GIVEN)
                raise
        self._looked_at = name
        return report

    async def _report(self, name: str, job: Job) -> wire.Record:
        with about_a_file():
            async with self._copies.opened(name) as copy:
                found = await self._compare(copy, job)
                return _report(found, program=copy.note(PROGRAM), has_settings=bool(copy.note(SETTINGS)))

    async def _take(self, request: Request, reply: Reply) -> Any:
        if self._looked_at not in await self._copies.sizes():
            raise InputError("import_unknown", subject=self._looked_at)
        job = reply.job()
        async with self._room.copy_turn:
            await self._write(UNDO, job)
            imported = await self._bring_in(self._looked_at, request["mode"], request["settings"], job)
        await self._drop(request, reply)
        return imported

    async def _drop(self, request: Request, reply: Reply) -> Any:
        self._looked_at = ""
        await self._copies.remove(GIVEN)
        return {}

    async def _undo(self, request: Request, reply: Reply) -> Any:
        if UNDO not in await self._copies.sizes():
            raise InputError("import_unknown", subject=UNDO)
        async with self._room.copy_turn:
            imported = await self._bring_in(UNDO, "replace", True, reply.job())
            await self._copies.remove(UNDO)
        return imported

    async def _back_up(self, request: Request, reply: Reply) -> Any:
        await self._keeper.make(self._room.library, reply.job())
        return await self._state(request, reply)

    async def _wipe(self, request: Request, reply: Reply) -> Any:
        await self._room.close()
        eraser = self._room.ports.eraser
        left = await eraser.erase()
        eraser.restart()
        return {"left": list(left)}

    async def _write(self, name: str, job: Job) -> None:
        room = self._room
        await write_copy(
            room.library,
            self._copies,
            name,
            settings=await room.settings(),
            now_ms=room.ports.clock.now_ms(),
            job=job,
        )

    async def _bring_in(self, name: str, mode: ImportMode, with_settings: bool, job: Job) -> wire.Record:
        room = self._room
        async with self._copies.opened(name) as copy:
            async with room.index_turn:
                found = await self._compare(copy, job)
                n_written = await bring_in(copy, room.library, found, mode, job)
            told = copy.note(SETTINGS) if with_settings else ""
        await room.embed_missing(room.library, job)
        return {
            "n_written": n_written,
            "settings": _settings(told),
            "stats": wire.stats(room.library.stats()),
        }

    async def _compare(self, copy: Store, job: Job) -> Comparison:
        return await compare(copy, self._room.library, self._room.ports.embedder.descriptor.key, job)


def _settings(text: str) -> wire.Record | None:
    """The sound parts of the settings in a file."""
    try:
        return sound_settings(read_json(text)) if text else None
    except ValueError:
        return None


def _report(found: Comparison, *, program: str, has_settings: bool) -> wire.Record:
    return {
        "pages": dict(found.page_counts),
        "threads": dict(found.thread_counts),
        "damaged": list(found.damaged[:MAX_NAMED]),
        "n_damaged": len(found.damaged),
        "written_at": found.written_at,
        "program": program,
        "schema_version": found.schema_version,
        "vectors": found.has_vectors_of_ours,
        "settings": has_settings,
    }
