"""The language model that the browser brings along (Prompt API), in the offscreen document.

A completion is a session of its own: the turns before the last are what it begins with. What goes in is
measured by the browser before it is asked; what does not fit is an error, so that the caller gives less.
Nothing leaves the machine.

Source: the Prompt API draft of the Web Machine Learning group. It has no stops and no limit of the output:
both are kept here.
"""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import cast

from tabwise.adapters.browser import bridge
from tabwise.core.answers.token_bound import token_bound
from tabwise.core.chat import Completion, Finish, Message, ModelDescriptor, Prompt, Role
from tabwise.core.text.stops import StopWatch
from tabwise.errors import HostError, ModelError

MODEL_ID = "prompt_api"
UNLIMITED_TOKENS = 128_000
"""What is made use of where the browser sets no limit."""
CHARS_PER_TOKEN = 8
"""No model writes longer ones on average; the output is cut at as many characters."""

_STATE_ERRORS = {
    "unavailable": "model_unavailable",
    "downloadable": "model_not_downloaded",
    "downloading": "model_downloading",
}


class BrowserModels:
    """Implements ports.LanguageModels for the one model "prompt_api"."""

    def __init__(self) -> None:
        self._model: BrowserModel | None = None

    async def open(self, model_id: str) -> "BrowserModel":
        """Return the browser's model; the first time it is loaded to see how much it reads.

        Raises ModelError: model_unavailable, model_not_downloaded, model_downloading.
        """
        reply = cast(dict[str, str], await _call("prompt_state", {}))
        if reply["state"] != "available":
            self._model = None
            raise ModelError(_STATE_ERRORS[reply["state"]], reply["state"])
        if self._model is None:
            self._model = await BrowserModel.measured()
        return self._model


class BrowserModel:
    """Implements ports.LanguageModel."""

    _numbers = count(1)

    def __init__(self, context_tokens: int) -> None:
        self._context_tokens = context_tokens

    @classmethod
    async def measured(cls) -> "BrowserModel":
        """The model with the context that its sessions have; raises ModelError."""
        session = next(cls._numbers)
        try:
            opened = await _open(session, [])
            return cls(opened[0])
        finally:
            await _close(session)

    @property
    def descriptor(self) -> ModelDescriptor:
        """The model's identity and limits."""
        return ModelDescriptor(MODEL_ID, "", self._context_tokens)

    def count(self, text: str) -> int:
        """A number of tokens that `text` does not exceed; what is asked is measured by the browser itself."""
        return token_bound(text)

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        """Complete a prompt; `on_text` is given each new piece of the text as it comes.

        Cancelling stops the model. Raises ModelError: model_unavailable, prompt_too_long.
        """
        *before, last = prompt.messages
        session = next(self._numbers)
        try:
            context_tokens, used = await _open(session, [_turn(message) for message in before])
            fields: dict[str, object] = {"session": session, "text": last.text}
            measured = cast(dict[str, float], await _call("prompt_measure", fields))
            n_prompt = int(used + measured["n_tokens"])
            if n_prompt >= context_tokens:
                raise ModelError("prompt_too_long", f"{n_prompt} of {context_tokens} tokens")
            await _call("prompt_send", fields)
            text, finish = await _read(session, prompt, on_text)
            return Completion(text, finish, n_prompt_tokens=n_prompt)
        finally:
            await _close(session)


async def _read(session: int, prompt: Prompt, on_text: Callable[[str], None]) -> tuple[str, Finish]:
    stops, room = StopWatch(prompt.stops), CHARS_PER_TOKEN * prompt.max_output_tokens
    pieces: list[str] = []

    def show(text: str) -> None:
        if text:
            pieces.append(text)
            on_text(text)

    while not stops.stopped and room > 0:
        piece = cast(dict[str, str | None], await _call("prompt_read", {"session": session}))["text"]
        if piece is None:
            break
        show(stops.feed(piece[:room]))
        room -= len(piece)
    show(stops.close())
    return "".join(pieces), Finish.LENGTH if room <= 0 and not stops.stopped else Finish.STOP


async def _open(session: int, turns: list[dict[str, str]]) -> tuple[int, int]:
    """Open a session; return its context and what the turns take of it, in tokens."""
    fields: dict[str, object] = {"session": session, "turns": turns}
    opened = cast(dict[str, float | None], await _call("prompt_open", fields))
    return int(opened["context_tokens"] or UNLIMITED_TOKENS), int(opened["used_tokens"] or 0)


async def _close(session: int) -> None:
    # Also when the task is being cancelled: the model would go on.
    await asyncio.shield(bridge.host_call("prompt_close", {"session": session}))


def _turn(message: Message) -> dict[str, str]:
    """A turn as the browser takes it; it knows no results of tools."""
    role = Role.USER if message.role is Role.TOOL else message.role
    return {"role": str(role), "content": message.text}


async def _call(verb: str, fields: dict[str, object]) -> object:
    try:
        return await bridge.host_call(verb, fields)
    except HostError as error:
        code = error.code if error.code == "prompt_too_long" else "model_unavailable"
        raise ModelError(code, error.message) from error
