"""Bringing models of the catalogue to this machine: download, pause, resume, check, delete, import.

A file is written under a name of its own (`.part`), checked against size and hash, then renamed; `model.json`
is written last. So a model is there exactly when its model.json is, and a download that was broken off goes
on where it was, in this run or a later one. Cancelling the request is the pause.

The bytes pass through here, by the gate as all that comes over the network, and are hashed on their way.
"""

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabwise.core.llm.catalogue import (
    CATALOGUE,
    HUB,
    CatalogueEntry,
    RemoteFile,
    file_url,
    listing_url,
    read_commit,
    revision_url,
    wanted_files,
)
from tabwise.core.llm.description import LocalModelDescription, is_file_name
from tabwise.core.llm.export import TEXT_FILES, describe_export
from tabwise.core.network.http import HttpRequest, Purpose
from tabwise.core.text.bounded_json import read_json
from tabwise.engine.jobs import Job, Progress
from tabwise.errors import InputError, ModelError, ProviderError
from tabwise.ports import Http, ModelFolders

log = logging.getLogger(__name__)

PIECE_BYTES = 1 << 20
"""Written and hashed at a time, a few milliseconds each."""
SPARE_BYTES = 50_000_000
"""Left free on the disk besides the model."""
MAX_ANSWER_BYTES = 4_000_000
_MB = 1_000_000
DESCRIPTION = "model.json"
PART = ".part"


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model of the catalogue, or an imported one, and how much of it is here."""

    id: str
    label: str
    licence: str
    device: str
    context_tokens: int
    size_bytes: int
    stored_bytes: int
    is_complete: bool
    is_imported: bool


class Catalogue:
    """The models that can be had, and those that are here."""

    def __init__(
        self,
        folders: ModelFolders,
        http: Http,
        *,
        entries: Sequence[CatalogueEntry] = CATALOGUE,
        hub: str = HUB,
    ) -> None:
        self._folders = folders
        self._http = http
        self._entries = {entry.id: entry for entry in entries}
        self._hub = hub

    @property
    def origin(self) -> str:
        """Where downloads begin."""
        return self._hub

    async def states(self) -> tuple[ModelState, ...]:
        """Every model of the catalogue in its order, then imported ones by name."""
        stored = await self._folders.sizes()
        known = [self._state_of(entry, stored.get(entry.id, {})) for entry in self._entries.values()]
        others = [
            name for name in sorted(stored) if name not in self._entries and DESCRIPTION in stored[name]
        ]
        return (*known, *[await self._imported_state(name, stored[name]) for name in others])

    async def free_bytes(self) -> int:
        """How much more may be stored."""
        return await self._folders.free_bytes()

    async def download(self, model_id: str, job: Job) -> None:
        """Bring a model here, or the rest of it.

        Raises InputError source_unknown, ProviderError (network_…, egress_refused), ModelError
        model_no_room (subject: the megabytes that are missing), model_damaged (subject: the file).
        """
        entry = self._entries.get(model_id)
        if entry is None:
            raise InputError("source_unknown", f"no model {model_id} in the catalogue", subject=model_id)
        commit, files = await self._ask_hub(entry)
        stored = (await self._folders.sizes()).get(entry.id, {})
        have = {file.name: _n_stored(file, stored) for file in files}
        total = sum(file.size_bytes for file in files)
        await self._require_room(total - sum(have.values()))
        for file in files:
            if stored.get(file.name) != file.size_bytes:
                await self._fetch(entry, commit, file, have, total, job)
                have[file.name] = file.size_bytes
        await self._describe(entry, commit, files)

    async def add_folder(
        self, name: str, files: Mapping[str, int], copy: Callable[[str], Awaitable[None]], job: Job
    ) -> str:
        """Take a model from a folder that a person chose; return its id.

        `files` are sizes by name, `copy(name)` stores one. Raises ModelError model_damaged (subject: the
        file or folder), model_no_room.
        """
        model_id = folder_id(name)
        wanted = [one for one in sorted(files) if is_file_name(one) and _belongs(one)]
        await self._require_room(sum(files[one] for one in wanted))
        await self._folders.remove(model_id)
        try:
            for i, one in enumerate(wanted):
                await job.checkpoint(Progress("download", i, len(wanted), "files"))
                await copy(one)
            described = await self._described_folder(model_id, name, {one: files[one] for one in wanted})
            for file, sha256 in described.sha256:
                if (await self._hash(model_id, file, "sha256", job)).hexdigest() != sha256:
                    raise ModelError("model_damaged", f"{file} has another hash", subject=file)
        except BaseException:
            await self._folders.remove(model_id)
            raise
        return model_id

    async def remove(self, model_id: str) -> None:
        """Delete a model, whole or in part; nothing happens when it is not here."""
        await self._folders.remove(folder_id(model_id))

    def _state_of(self, entry: CatalogueEntry, stored: Mapping[str, int]) -> ModelState:
        return ModelState(
            id=entry.id,
            label=entry.label,
            licence=entry.licence,
            device=entry.device,
            context_tokens=entry.context_tokens,
            size_bytes=entry.about_bytes,
            stored_bytes=sum(stored.values()),
            is_complete=DESCRIPTION in stored,
            is_imported=False,
        )

    async def _imported_state(self, name: str, stored: Mapping[str, int]) -> ModelState:
        about = await self._read_description(name, stored[DESCRIPTION])
        return ModelState(
            id=name,
            label=about.label,
            licence=about.licence,
            device=about.files[0][0],
            context_tokens=about.context_tokens,
            size_bytes=about.size_bytes,
            stored_bytes=sum(stored.values()),
            is_complete=True,
            is_imported=True,
        )

    async def _ask_hub(self, entry: CatalogueEntry) -> tuple[str, tuple[RemoteFile, ...]]:
        try:
            commit = read_commit(await self._json(revision_url(entry, self._hub)))
            listing = await self._json(listing_url(entry, commit, self._hub))
            return commit, wanted_files(entry, listing, TEXT_FILES)
        except ValueError as error:
            raise ProviderError("service_foreign", str(error), subject=self._hub) from error

    async def _json(self, url: str) -> object:
        body = bytearray()
        async with self._http.send(HttpRequest("GET", url, Purpose.DOWNLOAD)) as response:
            if response.status != 200:
                raise ProviderError("service_failed", f"{url}: status {response.status}", subject=self._hub)
            async for piece in response.chunks():
                body += piece
                if len(body) > MAX_ANSWER_BYTES:
                    raise ValueError("the answer is too long")
        answer: object = read_json(body)
        return answer

    async def _require_room(self, n_bytes: int) -> None:
        missing = n_bytes + SPARE_BYTES - await self._folders.free_bytes()
        if n_bytes > 0 and missing > 0:
            raise ModelError("model_no_room", f"{missing} bytes are missing", subject=str(-(-missing // _MB)))

    async def _fetch(
        self,
        entry: CatalogueEntry,
        commit: str,
        file: RemoteFile,
        have: Mapping[str, int],
        total: int,
        job: Job,
    ) -> None:
        at, part = have[file.name], f"{file.name}{PART}"
        others = sum(n for name, n in have.items() if name != file.name)
        digest = await self._hash(entry.id, part, _algorithm(file), job, start=_git_header(file), end=at)
        request = HttpRequest(
            "GET",
            file_url(entry, commit, file.path, self._hub),
            Purpose.DOWNLOAD,
            headers=(("range", f"bytes={at}-"),) if at else (),
        )
        async with self._http.send(request) as response:
            if response.status not in (200, 206):
                raise ProviderError(
                    "service_failed", f"{file.path}: status {response.status}", subject=self._hub
                )
            if response.status == 200 and at:  # the whole file, whatever we asked for
                at, digest = 0, _new_hash(file)
            buffer = bytearray()
            try:
                async for piece in response.chunks():
                    buffer += piece
                    if len(buffer) >= PIECE_BYTES:
                        at = await self._write(entry.id, part, at, buffer, digest)
                        await job.checkpoint(_progress(others + at, total))
                    if at > file.size_bytes:
                        break
            finally:  # what arrived before the line broke is kept as well
                at = await self._write(entry.id, part, at, buffer, digest)
        await job.checkpoint(_progress(others + at, total))
        if at < file.size_bytes:
            raise ProviderError("network_lost", f"{file.path} ended early", subject=self._hub)
        if at != file.size_bytes or digest.hexdigest() != (file.sha256 or file.git_sha1):
            await self._folders.write(entry.id, part, 0, b"")
            raise ModelError("model_damaged", f"{file.path} has another hash", subject=file.name)
        await self._folders.rename(entry.id, part, file.name)

    async def _write(self, folder: str, name: str, at: int, buffer: bytearray, digest: Any) -> int:
        data = bytes(buffer)
        buffer.clear()
        await self._folders.write(folder, name, at, data)
        digest.update(data)
        return at + len(data)

    async def _hash(
        self, folder: str, name: str, algorithm: str, job: Job, *, start: bytes = b"", end: int | None = None
    ) -> Any:
        """The hash of what is stored, up to `end`."""
        digest, at = hashlib.new(algorithm, start, usedforsecurity=False), 0
        while end is None or at < end:
            stop = at + PIECE_BYTES if end is None else min(at + PIECE_BYTES, end)
            data = await self._folders.read(folder, name, at, stop)
            if not data:
                break
            digest.update(data)
            at += len(data)
            await job.checkpoint()
        return digest

    async def _describe(self, entry: CatalogueEntry, commit: str, files: Sequence[RemoteFile]) -> None:
        described = describe_export(
            {file.name: file.size_bytes for file in files},
            await self._texts(entry.id, {file.name: file.size_bytes for file in files}),
            model_id=entry.id,
            label=entry.label,
            licence=entry.licence,
        )
        large = {file.name: file.sha256 for file in files if file.sha256}
        described |= {"sha256": large, "repository": entry.repository, "revision": commit}
        await self._put_description(entry.id, described)

    async def _described_folder(
        self, model_id: str, name: str, sizes: Mapping[str, int]
    ) -> LocalModelDescription:
        try:
            if DESCRIPTION not in sizes:
                texts = await self._texts(model_id, sizes)
                described = describe_export(sizes, texts, model_id=model_id, label=name, licence="")
                await self._put_description(model_id, described)
                return LocalModelDescription.of(described)
            about = await self._read_description(model_id, sizes[DESCRIPTION])
            missing = [one for _, names in about.files for one in names if one not in sizes]
            if missing or "tokenizer.json" not in sizes:
                raise ValueError(f"{(missing or ['tokenizer.json'])[0]} is missing")
            return about
        except ValueError as error:
            raise ModelError("model_damaged", str(error), subject=name) from error

    async def _texts(self, folder: str, sizes: Mapping[str, int]) -> dict[str, Any]:
        texts: dict[str, Any] = {}
        for name in TEXT_FILES:
            if name in sizes:
                text = (await self._folders.read(folder, name, 0, sizes[name])).decode("utf-8", "replace")
                texts[name] = text if name.endswith(".jinja") else read_json(text)
        return texts

    async def _read_description(self, folder: str, size_bytes: int) -> LocalModelDescription:
        data = await self._folders.read(folder, DESCRIPTION, 0, size_bytes)
        try:
            return LocalModelDescription.of(read_json(data))
        except ValueError as error:
            raise ModelError("model_damaged", f"{folder}: {error}", subject=DESCRIPTION) from error

    async def _put_description(self, folder: str, described: Mapping[str, Any]) -> None:
        data = json.dumps(described, ensure_ascii=False).encode()
        await self._folders.write(folder, f"{DESCRIPTION}{PART}", 0, data)
        await self._folders.rename(folder, f"{DESCRIPTION}{PART}", DESCRIPTION)


def _progress(n_bytes: int, total: int) -> Progress:
    return Progress("download", -(-n_bytes // _MB), -(-total // _MB), "megabytes")


def _n_stored(file: RemoteFile, stored: Mapping[str, int]) -> int:
    """How many bytes of a file are here; a part that is longer than the file is of another revision."""
    if stored.get(file.name) == file.size_bytes:
        return file.size_bytes
    part = stored.get(f"{file.name}{PART}", 0)
    return part if part < file.size_bytes else 0


def _algorithm(file: RemoteFile) -> str:
    return "sha256" if file.sha256 else "sha1"


def _git_header(file: RemoteFile) -> bytes:
    """What Git hashes before the content of a file."""
    return b"" if file.sha256 else b"blob %d\0" % file.size_bytes


def _new_hash(file: RemoteFile) -> Any:
    return hashlib.new(_algorithm(file), _git_header(file), usedforsecurity=False)


def _belongs(name: str) -> bool:
    return name in (*TEXT_FILES, DESCRIPTION) or name.endswith(".onnx") or ".onnx_data" in name


def folder_id(name: str) -> str:
    """The id that a folder of this name gets."""
    plain = "".join(char if char.isascii() and (char.isalnum() or char in ".-_") else "-" for char in name)
    return plain.strip(".-")[:60] or "model"
