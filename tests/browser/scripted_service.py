"""A service that writes answers: what it says is chosen by what it is asked, and every body is kept."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from loopback import Exchange, Loopback, in_a_thread, reply

CHAT = "/v1/chat/completions"
PLANS, NO_PLAN = "You plan searches", "I cannot plan."


class ScriptedService:
    """Says what it was given for a phrase of the request, one reply after the other; the last one stays.

    A text is streamed word by word; a (tool, arguments) is a call. Of several phrases the one given last
    counts. A request to plan gets no plan, or what was given for PLANS.
    """

    def __init__(self, server: Loopback) -> None:
        self._server = server
        self._replies: dict[str, list[Any]] = {}
        server.script["/v1/models"] = reply(200, {"data": [{"id": "m-1", "context_window": 32_000}]})
        server.script[CHAT] = self._say

    def says(self, phrase: str, *replies: str | tuple[str, dict[str, Any]]) -> None:
        """Reply so to requests with the phrase."""
        self._replies = {phrase: list(replies)} | {k: v for k, v in self._replies.items() if k != phrase}

    def bodies(self) -> list[dict[str, Any]]:
        """What was asked so far."""
        return self._server.bodies(CHAT)

    def texts(self) -> list[str]:
        """The messages of each request as one text."""
        return ["\n".join(str(message["content"]) for message in body["messages"]) for body in self.bodies()]

    async def _say(self, exchange: Exchange) -> None:
        said = self._chosen(exchange.seen.json())
        await exchange.head(200, {"content-type": "text/event-stream"})
        for piece in _pieces(said):
            await exchange.say(f"data: {json.dumps(piece)}\n\n".encode())
        await exchange.say(b"data: [DONE]\n\n")

    def _chosen(self, body: dict[str, Any]) -> Any:
        text = "\n".join(str(message["content"]) for message in body["messages"])
        if text.startswith(PLANS):
            replies = self._replies.get(PLANS, [NO_PLAN])
        else:
            replies = next(replies for phrase, replies in self._replies.items() if phrase in text)
        return replies.pop(0) if len(replies) > 1 else replies[0]


def _pieces(said: Any) -> Iterator[dict[str, Any]]:
    if isinstance(said, str):
        for word in said.split(" "):
            yield {"choices": [{"index": 0, "delta": {"content": f"{word} "}}]}
        yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        return
    name, arguments = said
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": f"call-{name}", "type": "function", "function": function}
    yield {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}


@contextmanager
def scripted_service() -> Iterator[tuple[ScriptedService, Loopback]]:
    """A running service and its server."""
    with in_a_thread() as server:
        yield ScriptedService(server), server
