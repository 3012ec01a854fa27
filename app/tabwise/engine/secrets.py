"""Where keys pass, and what keeps them out of everything else.

A key comes from the port when a request is built and is told to the redactor before anybody sees it. All that
leaves the engine towards a panel, and every line of the log, goes through that redactor.
"""

import logging
from collections.abc import Mapping

from tabwise.core.network.redaction import Redactor
from tabwise.ports import KeyPlace, Keys


class KeyRing:
    """Implements ports.Keys over another; each key it hands out is redacted from then on."""

    def __init__(self, keys: Keys, redactor: Redactor) -> None:
        self._keys = keys
        self._redactor = redactor

    async def key(self, name: str) -> str:
        """The key called `name`, "" when there is none; raises HostError."""
        key = (await self._keys.key(name)).strip()
        self._redactor.add(key)
        return key

    async def places(self) -> Mapping[str, KeyPlace]:
        """Where each key is kept; raises HostError."""
        return await self._keys.places()


class RedactedLog(logging.Filter):
    """A filter of log handlers that takes the secrets out of messages and tracebacks."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redact = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record; nothing is dropped."""
        record.msg, record.args = self._redact(record.getMessage()), ()
        if record.exc_info:
            # A formatter uses the text that is there already.
            record.exc_text = self._redact(logging.Formatter().formatException(record.exc_info))
        return True


def redact_log(redactor: Redactor) -> None:
    """Take secrets out of whatever the root logger's handlers write, or the one Python falls back to."""
    for handler in (*logging.getLogger().handlers, logging.lastResort):
        if handler:
            handler.addFilter(RedactedLog(redactor))
