"""Download one URL into a file, going on where an interrupted download stopped.

Bytes go to `<destination>.part` and are renamed when complete, so a file at its destination is whole. A
`.part` file left behind is continued with an HTTP Range request (RFC 9110, section 14); a server that
ignores the range sends everything again, which is noticed by the status.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from buildlib.console import Progress

BLOCK_BYTES = 256 * 1024
TIMEOUT_S = 30.0
ATTEMPTS = 4
# What a broken connection raises; anything else is a fault of ours and must surface.
NETWORK_ERRORS = (OSError, http.client.HTTPException)


class Unavailable(Exception):
    """A source did not give the file. The text is the reason, short enough for a list of sources."""


def open_url(
    url: str, *, start: int = 0, end: int | None = None, timeout_s: float = TIMEOUT_S
) -> http.client.HTTPResponse:
    """Open `url`, from byte `start` to `end` (exclusive) when given; the caller reads and closes."""
    request = urllib.request.Request(url, headers={"User-Agent": "tabwise-build"})
    if start or end is not None:
        request.add_header("Range", f"bytes={start}-{'' if end is None else end - 1}")
    response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=timeout_s)
    return response


def download(
    url: str,
    destination: Path,
    *,
    progress: Progress,
    key: str,
    timeout_s: float = TIMEOUT_S,
    attempts: int = ATTEMPTS,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Fetch `url` into `destination`. Raises Unavailable after `attempts` broken connections.

    Every attempt continues where the last one stopped, so a slow line always gets further.
    """
    part = destination.with_name(destination.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, attempts + 1):
        try:
            _continue(url, part, progress=progress, key=key, timeout_s=timeout_s)
        except urllib.error.HTTPError as error:
            if error.code == 416 and part.exists():  # the part is longer than the file: it is not this file
                part.unlink()
            elif error.code < 500 and error.code != 429:
                raise Unavailable(f"HTTP {error.code} {error.reason}") from error
            reason = f"HTTP {error.code} {error.reason}"
        except NETWORK_ERRORS as error:
            reason = str(getattr(error, "reason", None) or error) or type(error).__name__
        else:
            part.replace(destination)
            return
        if attempt < attempts:
            pause(2.0 ** (attempt - 1))
    raise Unavailable(reason)


def _continue(url: str, part: Path, *, progress: Progress, key: str, timeout_s: float) -> None:
    have = part.stat().st_size if part.exists() else 0
    with open_url(url, start=have, timeout_s=timeout_s) as response:
        if have and response.status != 206:
            have = 0
        length = response.headers.get("Content-Length")
        total = have + int(length) if length else None
        if total is not None:
            progress.expect(key, total)
        progress.restart(key, have)
        with part.open("ab" if have else "wb") as file:
            while block := response.read(BLOCK_BYTES):
                file.write(block)
                have += len(block)
                progress.advance(key, len(block))
    if total is not None and have != total:
        raise ConnectionError(f"the connection closed after {have} of {total} bytes")
