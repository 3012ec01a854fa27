"""The language models of the catalogue: which there are, download, delete, import of a folder.

`model.json` is written last: a model is there exactly when its model.json is.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabwise.core.llm.catalogue import CatalogueEntry
from tabwise.core.llm.description import LocalModelDescription, is_file_name
from tabwise.core.llm.export import TEXT_FILES, describe_export
from tabwise.core.network.hub import RemoteFile
from tabwise.core.text.bounded_json import read_json
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.model_hub import HubCatalogue
from tabwise.errors import ModelError

DESCRIPTION = "model.json"


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


class Catalogue(HubCatalogue[CatalogueEntry]):
    """The models that can be had, and those that are here."""

    async def states(self) -> tuple[ModelState, ...]:
        """Every model of the catalogue in its order, then imported ones by name."""
        stored = await self._folders.sizes()
        known = [self._state_of(entry, stored.get(entry.id, {})) for entry in self._entries.values()]
        others = [
            name for name in sorted(stored) if name not in self._entries and DESCRIPTION in stored[name]
        ]
        return (*known, *[await self._imported_state(name, stored[name]) for name in others])

    async def download(self, model_id: str, job: Job) -> None:
        """Bring a model here, or the rest of it.

        Raises InputError source_unknown, ProviderError (network_…, egress_refused), ModelError
        model_no_room (subject: the megabytes that are missing), model_damaged (subject: the file).
        """
        entry = self._entry(model_id)
        commit, files = await self._hub.download(entry.id, entry, TEXT_FILES, job)
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
        await self._hub.require_room(sum(files[one] for one in wanted))
        await self._folders.remove(model_id)
        try:
            for i, one in enumerate(wanted):
                await job.checkpoint(Progress("download", i, len(wanted), "files"))
                await copy(one)
            described = await self._described_folder(model_id, name, {one: files[one] for one in wanted})
            for file, sha256 in described.sha256:
                if (await self._hub.hash(model_id, file, "sha256", job)).hexdigest() != sha256:
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
        await self._put_description(entry.id, DESCRIPTION, described)

    async def _described_folder(
        self, model_id: str, name: str, sizes: Mapping[str, int]
    ) -> LocalModelDescription:
        try:
            if DESCRIPTION not in sizes:
                texts = await self._texts(model_id, sizes)
                described = describe_export(sizes, texts, model_id=model_id, label=name, licence="")
                await self._put_description(model_id, DESCRIPTION, described)
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


def _belongs(name: str) -> bool:
    return name in (*TEXT_FILES, DESCRIPTION) or name.endswith(".onnx") or ".onnx_data" in name


def folder_id(name: str) -> str:
    """The id that a folder of this name gets."""
    plain = "".join(char if char.isascii() and (char.isalnum() or char in ".-_") else "-" for char in name)
    return plain.strip(".-")[:60] or "model"
