"""An embedding model of one's own: checked, tried on a word, and only then put in the place of the last one.

There are two folders, and the model in use is in the one that has `embedder.json`, written last. A new model
goes into the other, so whatever goes wrong with it, nothing has changed.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping

from tabwise.core.embedders import EmbedderDescription, read_tokenizer
from tabwise.core.text.bounded_json import read_json
from tabwise.engine.jobs import Job, Progress
from tabwise.errors import AppError, ModelError
from tabwise.ports import Embedder, ModelFolders

SLOTS = ("embedder-1", "embedder-2")
MODEL, TOKENIZER, DESCRIPTION = "model.onnx", "tokenizer.json", "model.json"
FILES = (DESCRIPTION, TOKENIZER, MODEL)
CHECKED = "embedder.json"
WORD = "water"
PIECE_BYTES = 1 << 20
MAX_TEXT_BYTES = 64_000_000

log = logging.getLogger(__name__)

Trial = Callable[[str, EmbedderDescription], Awaitable[Embedder]]
"""Opens the model of a folder; raises ModelError."""


async def slot_in_use(folders: ModelFolders) -> str:
    """Return the folder of the model of one's own, "" when there is none."""
    sizes = await folders.sizes()
    return next((slot for slot in SLOTS if CHECKED in sizes.get(slot, {})), "")


async def read_checked(folders: ModelFolders, slot: str) -> EmbedderDescription:
    """Return what was written of the model of a folder; raises ModelError model_damaged."""
    try:
        return EmbedderDescription.of(read_json(await _text(folders, slot, CHECKED)))
    except ValueError as error:
        raise ModelError("model_damaged", f"{slot}: {error}", subject=CHECKED) from error


async def own_or(packaged: Embedder, folders: ModelFolders, open_model: Trial) -> Embedder:
    """Return the reader's own model, or the packaged one when there is none or it cannot be opened."""
    try:
        slot = await slot_in_use(folders)
        if slot:
            return await open_model(slot, await read_checked(folders, slot))
    except AppError as error:
        log.warning("the packaged model is used: %s", error.message)
    return packaged


async def adopt(folders: ModelFolders, files: Mapping[str, str], trial: Trial, job: Job) -> str:
    """Take a model's files, by name the URL each can be read from; return the model's id.

    It is in use from the next start on. Raises ModelError: model_damaged (subject: the file), model_no_room,
    model_unavailable and model_mismatch when it does not run or gives no vectors as described.
    """
    missing = [name for name in FILES if name not in files]
    if missing:
        raise ModelError("model_damaged", f"{missing[0]} is missing", subject=missing[0])
    last = await slot_in_use(folders)
    slot = SLOTS[1] if last == SLOTS[0] else SLOTS[0]
    await folders.remove(slot)
    try:
        for done, name in enumerate(FILES):
            await job.checkpoint(Progress("read", done, len(FILES), "files"))
            await folders.copy(slot, name, files[name])
        description = await _described(folders, slot)
        await job.checkpoint(Progress("embed", 0, 1, "files"))
        await (await trial(slot, description)).embed([WORD])
        data = json.dumps(description.fields(), ensure_ascii=False).encode()
        await folders.write(slot, CHECKED, 0, data)
    except BaseException:
        await folders.remove(slot)
        raise
    if last:
        await folders.remove(last)
    return description.descriptor.id


async def forget(folders: ModelFolders) -> None:
    """Delete the model of one's own; the packaged one is in use from the next start on."""
    for slot in SLOTS:
        await folders.remove(slot)


async def _described(folders: ModelFolders, slot: str) -> EmbedderDescription:
    at = TOKENIZER
    try:
        tokenizer, before, after = read_tokenizer(await _text(folders, slot, TOKENIZER))
        at = DESCRIPTION
        described = read_json(await _text(folders, slot, DESCRIPTION))
        if not isinstance(described, dict):
            raise ValueError("no fields")
        description = EmbedderDescription.of(described | {"before": before, "after": after})
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelError("model_damaged", f"{at}: {error}", subject=at) from error
    data = tokenizer.encode()
    for start in range(0, len(data), PIECE_BYTES):
        await folders.write(slot, TOKENIZER, start, data[start : start + PIECE_BYTES])
    return description


async def _text(folders: ModelFolders, slot: str, name: str) -> str:
    data = await folders.read(slot, name, 0, MAX_TEXT_BYTES)
    return data.decode("utf-8")
