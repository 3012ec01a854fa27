"""Server-sent events and lines of JSON, from bytes that are cut anywhere.

Lines are found in bytes and decoded when they are whole, so that neither a character nor a CRLF split over
two reads matters: every split of a stream gives the same events.

Source: WHATWG HTML, 9.2.6 "Interpreting an event stream". One thing is kinder here: an event that the
stream ends in the middle of, without its blank line, still counts, as services that close early mean it.

>>> decoder = SseDecoder()
>>> decoder.feed(b'data: {"a":') + decoder.feed(b' 1}\\r') + decoder.feed(b'\\n\\r\\n: still here\\n\\n')
[SseEvent(event='message', data='{"a": 1}')]
"""

from dataclasses import dataclass

MAX_LINE_BYTES = 4_000_000
"""No service sends more in one piece; without a limit one that never ends its line would fill the memory."""

_BOM = b"\xef\xbb\xbf"


class LineTooLong(ValueError):
    """A line over MAX_LINE_BYTES."""


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event: its type, "message" when none is said, and its data, lines joined by a line feed."""

    event: str
    data: str


class LineDecoder:
    """Bytes to whole lines without their ends (LF, CRLF or CR); wrong UTF-8 becomes U+FFFD."""

    def __init__(self) -> None:
        self._rest = b""
        self._after_cr = False
        self._started = False

    def feed(self, piece: bytes) -> list[str]:
        """Return the lines that end in this piece; raises LineTooLong."""
        if self._after_cr and piece:
            piece = piece.removeprefix(b"\n")
            self._after_cr = False
        data = self._rest + piece
        if not self._started:
            if data != _BOM and _BOM.startswith(data):
                self._rest = data
                return []
            data = data.removeprefix(_BOM)
            self._started = True
        self._after_cr = data.endswith(b"\r")
        *lines, self._rest = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        if len(self._rest) > MAX_LINE_BYTES:
            raise LineTooLong(f"over {MAX_LINE_BYTES} bytes without a line end")
        return [line.decode("utf-8", "replace") for line in lines]

    def close(self) -> list[str]:
        """Return the last line when the stream ended without ending it."""
        rest, self._rest = self._rest, b""
        return [rest.decode("utf-8", "replace")] if rest else []


class SseDecoder:
    """Bytes to events; comments, ids and retry times are read past."""

    def __init__(self) -> None:
        self._lines = LineDecoder()
        self._event = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> list[SseEvent]:
        """Return the events that end in this piece; raises LineTooLong."""
        return self._events(self._lines.feed(piece))

    def close(self) -> list[SseEvent]:
        """Return the event that the stream ended in the middle of, if any."""
        return self._events([*self._lines.close(), ""])

    def _events(self, lines: list[str]) -> list[SseEvent]:
        found = []
        for line in lines:
            if not line:
                if self._data:
                    found.append(SseEvent(self._event or "message", "\n".join(self._data)))
                self._event, self._data = "", []
                continue
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                self._data.append(value)
            elif name == "event":
                self._event = value
        return found
