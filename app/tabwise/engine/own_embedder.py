"""An embedding model of one's own: checked, tried on a word, and only then put in the place of the last one.

The model in use is in the folder whose `embedder.json` is not empty, written last. Two folders are for models
that are brought as files, and a new one goes into the other; models of the catalogue have folders of their
own (engine/embedder_catalogue.py). So whatever goes wrong with a new model, nothing has changed.

The folders' names begin with a dot, which those of language models never do.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from tabwise.core.embedders import EmbedderDescription, read_tokenizer
from tabwise.core.text.bounded_json import read_json
from tabwise.engine.jobs import Job, Progress
from tabwise.errors import AppError, ModelError
from tabwise.ports import Embedder, ModelFolders

FOLDERS = ".embedder-"
"""How the names of the folders of embedding models begin."""
SLOTS = (f"{FOLDERS}1", f"{FOLDERS}2")
TOKENIZER, DESCRIPTION = "tokenizer.json", "model.json"
DESCRIBED = "described.json"
"""What `model.json` is kept as: a folder that has a `model.json` is of a language model."""
CHECKED = "embedder.json"
WORD = "water"
PIECE_BYTES = 1 << 20
MAX_TEXT_BYTES = 64_000_000

log = logging.getLogger(__name__)

Trial = Callable[[str, EmbedderDescription], Awaitable[Embedder]]
"""Opens the model of a folder; raises ModelError."""


async def folder_in_use(folders: ModelFolders) -> str:
    """Return the folder of the model in use, "" when it is the packaged one."""
    sizes = await folders.sizes()
    ours = sorted(name for name in sizes if name.startswith(FOLDERS))
    return next((name for name in ours if sizes[name].get(CHECKED)), "")


async def read_checked(folders: ModelFolders, folder: str) -> EmbedderDescription:
    """Return what was written of the model of a folder; raises ModelError model_damaged."""
    try:
        return EmbedderDescription.of(read_json(await _text(folders, folder, CHECKED)))
    except ValueError as error:
        raise ModelError("model_damaged", f"{folder}: {error}", subject=CHECKED) from error


async def own_or(packaged: Embedder, folders: ModelFolders, open_model: Trial) -> Embedder:
    """Return the reader's own model, or the packaged one when there is none or it cannot be opened."""
    try:
        folder = await folder_in_use(folders)
        if folder:
            return await open_model(folder, await read_checked(folders, folder))
    except AppError as error:
        log.warning("the packaged model is used: %s", error.message)
    return packaged


async def adopt(folders: ModelFolders, files: Mapping[str, str], trial: Trial, job: Job) -> str:
    """Take a model's files, by name the URL each can be read from; return the model's id.

    It is in use from the next start on. Raises ModelError: model_damaged (subject: the file), model_no_room,
    model_unavailable and model_mismatch when it does not run or gives no vectors as described.
    """
    _require((DESCRIPTION, TOKENIZER), files)
    last = await folder_in_use(folders)
    slot = SLOTS[1] if last == SLOTS[0] else SLOTS[0]
    await folders.remove(slot)
    try:
        await folders.copy(slot, DESCRIBED, files[DESCRIPTION])
        names = (TOKENIZER, *(await _describe(folders, slot)).files)
        _require(names, files)
        for done, name in enumerate(names):
            await job.checkpoint(Progress("read", done, len(names), "files"))
            await folders.copy(slot, name, files[name])
        return await take(folders, slot, trial, job)
    except BaseException:
        await folders.remove(slot)
        raise


async def take(folders: ModelFolders, folder: str, trial: Trial, job: Job) -> str:
    """Try the model of a folder and put it in the place of the last one; return its id.

    It is in use from the next start on. Raises ModelError (model_damaged, model_unavailable, model_mismatch);
    then nothing has changed.
    """
    last = await folder_in_use(folders)
    description = await _with_tokenizer(folders, folder)
    await job.checkpoint(Progress("embed", 0, 1, "files"))
    await (await trial(folder, description)).embed([WORD])
    data = json.dumps(description.fields(), ensure_ascii=False).encode()
    await folders.write(folder, CHECKED, 0, data)
    if last != folder:
        await _let_go(folders, last)
    return description.descriptor.id


async def forget(folders: ModelFolders) -> None:
    """Delete a model that was brought as files, keep one of the catalogue; the packaged one is used next."""
    await _let_go(folders, await folder_in_use(folders))
    for slot in SLOTS:
        await folders.remove(slot)


async def _let_go(folders: ModelFolders, folder: str) -> None:
    if folder in SLOTS:
        await folders.remove(folder)
    elif folder:
        await folders.write(folder, CHECKED, 0, b"")


def _require(names: Sequence[str], files: Mapping[str, str]) -> None:
    missing = [name for name in names if name not in files]
    if missing:
        raise ModelError("model_damaged", f"{missing[0]} is missing", subject=missing[0])


async def _describe(
    folders: ModelFolders, folder: str, ends: Mapping[str, tuple[int, ...]] | None = None
) -> EmbedderDescription:
    try:
        described = read_json(await _text(folders, folder, DESCRIBED))
        if not isinstance(described, dict):
            raise ValueError("no fields")
        return EmbedderDescription.of(described | dict(ends or {}))
    except (ValueError, TypeError) as error:
        raise ModelError("model_damaged", f"{DESCRIPTION}: {error}", subject=DESCRIPTION) from error


async def _with_tokenizer(folders: ModelFolders, folder: str) -> EmbedderDescription:
    """The description of a model whose tokenizer, from here on, neither cuts nor pads."""
    try:
        tokenizer, before, after = read_tokenizer(await _text(folders, folder, TOKENIZER))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelError("model_damaged", f"{TOKENIZER}: {error}", subject=TOKENIZER) from error
    description = await _describe(folders, folder, {"before": before, "after": after})
    data = tokenizer.encode()
    for start in range(0, len(data), PIECE_BYTES):
        await folders.write(folder, TOKENIZER, start, data[start : start + PIECE_BYTES])
    return description


async def _text(folders: ModelFolders, folder: str, name: str) -> str:
    data = await folders.read(folder, name, 0, MAX_TEXT_BYTES)
    return data.decode("utf-8")
