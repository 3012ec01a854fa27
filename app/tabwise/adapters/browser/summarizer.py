"""The summariser that the browser has (Summarizer API), lent by the offscreen document."""

import asyncio
from typing import cast

from tabwise.adapters.browser import bridge
from tabwise.core.summaries.summary import SummarizerState
from tabwise.errors import HostError, ModelError


class BrowserSummarizer:
    """Implements ports.Summarizer."""

    def __init__(self) -> None:
        self._stopping: set[asyncio.Task[object]] = set()

    async def state(self) -> SummarizerState:
        """Whether it can be used; never raises."""
        try:
            reply = cast(dict[str, str], await bridge.host_call("summarizer_state", {}))
        except HostError:
            return SummarizerState.UNAVAILABLE
        return SummarizerState(reply["state"])

    async def summarise(self, text: str, *, context: str, language: str) -> str:
        """Return a few plain sentences about a text; `context` says what it is from.

        Cancelling the task stops it. Raises ModelError: model_unavailable, prompt_too_long, request_refused
        for a language that it does not know.
        """
        fields: dict[str, object] = {"text": text, "context": context, "language": language}
        try:
            reply = cast(dict[str, str], await bridge.host_call("summarizer_write", fields))
        except HostError as error:
            raise ModelError(error.code, error.message) from error
        except asyncio.CancelledError:
            self._stop()
            raise
        return reply["text"]

    def _stop(self) -> None:
        task = asyncio.ensure_future(bridge.host_call("summarizer_stop", {}))
        self._stopping.add(task)
        task.add_done_callback(self._stopping.discard)
