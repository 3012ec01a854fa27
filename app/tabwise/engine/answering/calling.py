"""Calling a language model: streamed, cut when it loops or goes past its end, and noted in the receipt."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from tabwise.core.answers.answer import Notice, NoticeKind
from tabwise.core.answers.model_text import Ending, ending, visible
from tabwise.core.chat import Completion, Finish, Prompt
from tabwise.engine.answering.trace import Trace
from tabwise.errors import AppError, HostError, ModelError, ProviderError
from tabwise.ports import LanguageModel

MESSAGE_TOKENS = 8
"""What a chat template adds around a message, at most: role and separators."""
MAX_CHARS_PER_TOKEN = 16
"""More text than this for every token allowed comes from a model that minds no limit."""
MIN_READ_SHARE, MIN_READ_SHARE_OF_ESTIMATE = 0.7, 0.3
"""Share of our count that a service must say it has read; below, it cut the prompt. Estimates count high."""
_MIN_COUNTED = 200
FAILURES = (ModelError, ProviderError, HostError)
"""What keeps a model from answering; the answer goes on without it."""
SHOWN = ("answer", "summary")
"""Purposes of calls whose text a reader sees; the others are plan and repair."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What was written for the reader so far. is_cut: the whole text ended in a loop or at a limit."""

    text: str
    is_whole: bool = False
    is_cut: bool = False


class Calls:
    """The calls of one model for one question."""

    def __init__(self, model: LanguageModel, trace: Trace) -> None:
        self.model = model
        self._trace = trace

    def count(self, prompt: Prompt) -> int:
        """Tokens of a prompt as the model counts them."""
        return sum(self.model.count(message.text) + MESSAGE_TOKENS for message in prompt.messages)

    async def text(self, purpose: str, prompt: Prompt) -> str:
        """Return what a model wrote for the reader, whole; raises FAILURES."""
        text = ""
        async with aclosing(self.stream(purpose, prompt)) as pieces:
            async for piece in pieces:
                text = piece.text
        return text

    async def stream(self, purpose: str, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        """Yield what was written for the reader so far, again and again; the last piece is whole.

        Closing the iterator stops the model (`contextlib.aclosing`). Raises FAILURES, also after some text.
        """
        raw, news = "", asyncio.Event()
        limit = MAX_CHARS_PER_TOKEN * prompt.max_output_tokens

        def on_text(piece: str) -> None:
            nonlocal raw
            raw += piece
            news.set()

        started = self._trace.clock.monotonic_ms()
        call = asyncio.ensure_future(self.model.complete(prompt, on_text=on_text))
        call.add_done_callback(lambda _: news.set())
        try:
            while not call.done():
                await news.wait()
                news.clear()
                if ending(raw) or len(raw) > limit:
                    break
                yield Piece(visible(raw, is_whole=False))
            completion = await _ended(call, raw)
        finally:
            call.cancel()
        self._note(purpose, prompt, completion, started)
        is_too_long = completion.finish is Finish.LENGTH or len(completion.text) > limit
        is_cut = is_too_long or ending(completion.text) is Ending.LOOP
        if is_cut and purpose in SHOWN:
            self._trace.notices.append(Notice(NoticeKind.STOPPED_EARLY))
        yield Piece(visible(completion.text[:limit], is_whole=True), is_whole=True, is_cut=is_cut)

    def _note(self, purpose: str, prompt: Prompt, completion: Completion, started: float) -> None:
        n_counted = self.count(prompt)
        ms = self._trace.clock.monotonic_ms() - started
        self._trace.called(purpose, prompt, completion, n_counted=n_counted, ms=ms)
        n_read = completion.n_prompt_tokens
        is_exact = self.model.descriptor.counts_exactly
        least = n_counted * (MIN_READ_SHARE if is_exact else MIN_READ_SHARE_OF_ESTIMATE)
        if n_read is not None and n_counted >= _MIN_COUNTED and n_read < least:
            self._trace.notices.append(Notice(NoticeKind.PROMPT_CUT, f"{n_read}/{n_counted}"))


async def _ended(call: "asyncio.Task[Completion]", raw: str) -> Completion:
    """The completion of a call, or what it wrote until it was cut short."""
    if call.done():
        return call.result()
    call.cancel()
    try:
        await call
    except (asyncio.CancelledError, AppError):
        current = asyncio.current_task()
        if current is not None and current.cancelling():
            raise
    return Completion(raw, Finish.STOP)
