"""Where the events of one request go."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tabwise.engine.jobs import Job, Progress
from tabwise.errors import AppError
from tabwise.protocol import codec

Request = dict[str, Any]
Listener = Callable[[str, dict[str, Any]], None]
Handler = Callable[[Request, "Reply"], Awaitable[Any]]


class Reply:
    """Posts the events that answer one request."""

    def __init__(
        self, request_id: str, post: Callable[[str], None], *, listeners: Sequence[Listener] = ()
    ) -> None:
        self._id = request_id
        self._post = post
        self._listeners = listeners

    def heard_by(self, listener: Listener) -> "Reply":
        """The same reply, whose events `listener` hears too, as kind and fields."""
        return Reply(self._id, self._post, listeners=[*self._listeners, listener])

    def send(self, kind: str, **fields: Any) -> None:
        """Post one event."""
        self._post(codec.encode_event(self._id, kind, **fields))
        for listener in self._listeners:
            listener(kind, fields)

    def send_error(self, error: AppError) -> None:
        """Post the terminal event of a request that failed."""
        self.send(
            "error", code=error.code, subject=error.subject, message=error.message, retryable=error.retryable
        )

    def job(self) -> Job:
        """A job whose progress goes to the panel."""
        return Job(self._progress)

    def _progress(self, progress: Progress) -> None:
        self.send(
            "progress", stage=progress.stage, done=progress.done, total=progress.total, unit=progress.unit
        )
