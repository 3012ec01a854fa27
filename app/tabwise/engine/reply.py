"""Where the events of one request go."""

from collections.abc import Awaitable, Callable
from typing import Any

from tabwise.engine.jobs import Job, Progress
from tabwise.errors import AppError
from tabwise.protocol import codec

Request = dict[str, Any]
Handler = Callable[[Request, "Reply"], Awaitable[Any]]


class Reply:
    """Posts the events that answer one request."""

    def __init__(self, request_id: str, post: Callable[[str], None]) -> None:
        self._id = request_id
        self._post = post

    def send(self, kind: str, **fields: Any) -> None:
        """Post one event."""
        self._post(codec.encode_event(self._id, kind, **fields))

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
