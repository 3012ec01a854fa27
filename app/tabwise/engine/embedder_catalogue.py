"""The embedding models of the catalogue: which there are, download, use, delete.

Each has a folder of its own among those of `own_embedder`. What `model.json` would say is written last: a
model is here exactly when that is there. Using one is a step of its own: all vectors have to be made anew.
"""

from dataclasses import dataclass

from tabwise.core.embedder_catalogue import TEXT_FILES, EmbedderEntry
from tabwise.engine.jobs import Job
from tabwise.engine.model_hub import HubCatalogue
from tabwise.engine.own_embedder import DESCRIBED, FOLDERS, Trial, folder_in_use, take
from tabwise.errors import ModelError, ProviderError


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """An embedding model of the catalogue and how much of it is here."""

    entry: EmbedderEntry
    stored_bytes: int
    is_complete: bool
    is_in_use: bool


class EmbedderCatalogue(HubCatalogue[EmbedderEntry]):
    """The embedding models that can be had, and those that are here."""

    async def states(self) -> tuple[EmbedderState, ...]:
        """Every model, in the order of the catalogue."""
        stored, in_use = await self._folders.sizes(), await folder_in_use(self._folders)
        states = []
        for entry in self._entries.values():
            files = stored.get(_folder(entry.id), {})
            states.append(
                EmbedderState(
                    entry, sum(files.values()), DESCRIBED in files, is_in_use=in_use == _folder(entry.id)
                )
            )
        return tuple(states)

    async def download(self, model_id: str, job: Job) -> None:
        """Bring a model here, or the rest of it.

        Raises InputError source_unknown, ProviderError (network_…, service_…, egress_refused), ModelError
        model_no_room (subject: the megabytes that are missing), model_damaged (subject: the file).
        """
        entry, folder = self._entry(model_id), _folder(model_id)
        if DESCRIBED in (await self._folders.sizes()).get(folder, {}):
            return
        _, files = await self._hub.download(folder, entry, TEXT_FILES, job)
        names = [file.name for file in files]
        missing = [name for name in TEXT_FILES if name not in names]
        if missing:
            what = f"{entry.repository} has no {missing[0]}"
            raise ProviderError("service_foreign", what, subject=self.destination.origin)
        fields = entry.fields([name for name in names if name not in TEXT_FILES])
        await self._put_description(folder, DESCRIBED, fields)

    async def use(self, model_id: str, trial: Trial, job: Job) -> str:
        """Try a model that is here and take it from the next start on; return its id.

        Raises InputError source_unknown, ModelError (model_damaged, model_unavailable, model_mismatch); then
        nothing has changed.
        """
        folder = _folder(self._entry(model_id).id)
        if DESCRIBED not in (await self._folders.sizes()).get(folder, {}):
            raise ModelError("model_unavailable", f"{model_id} is not here")
        return await take(self._folders, folder, trial, job)

    async def remove(self, model_id: str) -> bool:
        """Delete a model, whole or in part; return whether it was the one in use."""
        folder = _folder(self._entry(model_id).id)
        was_in_use = await folder_in_use(self._folders) == folder
        await self._folders.remove(folder)
        return was_in_use


def _folder(model_id: str) -> str:
    return FOLDERS + model_id
