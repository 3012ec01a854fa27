"""Bringing models of a catalogue from a hub to this machine: download, pause, resume, check.

A file is written under a name of its own (`.part`), checked against size and hash, then renamed. So a
download that was broken off goes on where it was, in this run or a later one; cancelling is the pause.

The bytes pass through here, by the gate as all that comes over the network, and are hashed on their way.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from tabwise.core.network.egress import Destination
from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.core.network.hub import (
    HUB,
    HubModel,
    RemoteFile,
    file_url,
    listing_url,
    read_commit,
    revision_url,
    wanted_files,
)
from tabwise.core.text.bounded_json import read_json
from tabwise.engine.jobs import Job, Progress
from tabwise.errors import InputError, ModelError, ProviderError
from tabwise.ports import Http, ModelFolders

PIECE_BYTES = 1 << 20
"""Written and hashed at a time, a few milliseconds each."""
SPARE_BYTES = 50_000_000
"""Left free on the disk besides the model."""
MAX_ANSWER_BYTES = 4_000_000
_MB = 1_000_000
PART = ".part"

Entry = TypeVar("Entry", bound=HubModel)


class ModelHub:
    """Fetches the files of models into folders."""

    def __init__(self, folders: ModelFolders, http: Http, hub: str) -> None:
        self._folders = folders
        self._http = http
        self._hub = hub

    async def download(
        self, folder: str, model: HubModel, texts: tuple[str, ...], job: Job
    ) -> tuple[str, tuple[RemoteFile, ...]]:
        """Bring a model's files into a folder, or the rest of them; return their commit and what they are.

        `texts` are the files wanted besides the graph and its data, where the repository has them. Raises
        ProviderError (network_…, service_…, egress_refused), ModelError model_no_room (subject: the megabytes
        that are missing), model_damaged (subject: the file).
        """
        commit, files = await self._ask(model, texts)
        stored = (await self._folders.sizes()).get(folder, {})
        have = {file.name: _n_stored(file, stored) for file in files}
        total = sum(file.size_bytes for file in files)
        await self.require_room(total - sum(have.values()))
        for file in files:
            if stored.get(file.name) != file.size_bytes:
                await self._fetch_file(folder, model, commit, file, have, total, job)
                have[file.name] = file.size_bytes
        return commit, files

    async def require_room(self, n_bytes: int) -> None:
        """Raise ModelError model_no_room (subject: the megabytes that are missing) unless so much fits."""
        missing = n_bytes + SPARE_BYTES - await self._folders.free_bytes()
        if n_bytes > 0 and missing > 0:
            raise ModelError("model_no_room", f"{missing} bytes are missing", subject=str(-(-missing // _MB)))

    async def hash(
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

    async def _ask(self, model: HubModel, texts: tuple[str, ...]) -> tuple[str, tuple[RemoteFile, ...]]:
        try:
            commit = read_commit(await self._json(revision_url(model, self._hub)))
            listing = await self._json(listing_url(model, commit, self._hub))
            return commit, wanted_files(model, listing, texts)
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

    async def _fetch_file(
        self,
        folder: str,
        model: HubModel,
        commit: str,
        file: RemoteFile,
        have: Mapping[str, int],
        total: int,
        job: Job,
    ) -> None:
        at, part = have[file.name], f"{file.name}{PART}"
        others = sum(n for name, n in have.items() if name != file.name)
        digest = await self.hash(folder, part, _algorithm(file), job, start=_git_header(file), end=at)
        request = HttpRequest(
            "GET",
            file_url(model, commit, file.path, self._hub),
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
                        at = await self._write(folder, part, at, buffer, digest)
                        await job.checkpoint(_progress(others + at, total))
                    if at > file.size_bytes:
                        break
            finally:  # what arrived before the line broke is kept as well
                at = await self._write(folder, part, at, buffer, digest)
        await job.checkpoint(_progress(others + at, total))
        if at < file.size_bytes:
            raise ProviderError("network_lost", f"{file.path} ended early", subject=self._hub)
        if at != file.size_bytes or digest.hexdigest() != (file.sha256 or file.git_sha1):
            await self._folders.write(folder, part, 0, b"")
            raise ModelError("model_damaged", f"{file.path} has another hash", subject=file.name)
        await self._folders.rename(folder, part, file.name)

    async def _write(self, folder: str, name: str, at: int, buffer: bytearray, digest: Any) -> int:
        data = bytes(buffer)
        buffer.clear()
        await self._folders.write(folder, name, at, data)
        digest.update(data)
        return at + len(data)


class HubCatalogue(Generic[Entry]):
    """What the catalogues of models have in common: their entries, the hub, the folders."""

    def __init__(
        self, folders: ModelFolders, http: Http, *, entries: Sequence[Entry], hub: str = HUB
    ) -> None:
        self._folders = folders
        self._entries = {entry.id: entry for entry in entries}
        self._hub = ModelHub(folders, http, hub)
        self.destination = Destination(origin_of(hub), Purpose.DOWNLOAD)
        """Where downloads begin; only the name of a model goes there."""

    async def free_bytes(self) -> int:
        """How much more may be stored."""
        return await self._folders.free_bytes()

    def _entry(self, model_id: str) -> Entry:
        """Return an entry; raises InputError source_unknown."""
        entry = self._entries.get(model_id)
        if entry is None:
            raise InputError("source_unknown", f"no model {model_id} in the catalogue", subject=model_id)
        return entry

    async def _put_description(self, folder: str, name: str, fields: Mapping[str, Any]) -> None:
        """Write what makes a model complete: it is there whole or not at all."""
        data = json.dumps(fields, ensure_ascii=False).encode()
        await self._folders.write(folder, f"{name}{PART}", 0, data)
        await self._folders.rename(folder, f"{name}{PART}", name)


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
