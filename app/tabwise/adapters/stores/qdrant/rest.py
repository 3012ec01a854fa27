"""Qdrant's REST interface: JSON over `ports.Http`, and what each way to fail means.

Every answer of a Qdrant is an object with `result` or with `status.error`; anything else was not said by one.
The key goes into a header and nowhere else.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.core.text.bounded_json import read_json
from tabwise.errors import ProviderError
from tabwise.ports import Http

CHECK_SILENCE_MS = 10_000
SEARCH_SILENCE_MS = 5_000
"""A question waits this long at most before the library on this machine answers it."""
WRITE_SILENCE_MS = 120_000
MAX_ANSWER_BYTES = 32 * 1024 * 1024
MAX_MESSAGE_CHARS = 200


class BodyTooLarge(Exception):
    """The service, or a proxy before it, takes no body of this size."""


class Rest:
    """One Qdrant. `key` gives the API key, "" for none."""

    def __init__(self, http: Http, url: str, key: Callable[[], Awaitable[str]]) -> None:
        self._http = http
        self._url = url.strip().rstrip("/")
        self._key = key

    @property
    def url(self) -> str:
        """The address without a slash at its end."""
        return self._url

    async def call(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        purpose: Purpose = Purpose.STORE,
        silence_ms: int = WRITE_SILENCE_MS,
        sources: frozenset[str] = frozenset(),
    ) -> Any:
        """Return `result` of an answer.

        Raises BodyTooLarge; ProviderError: those of `Http`, network_portal, key_missing, key_refused,
        service_foreign, qdrant_collection, qdrant_failed.
        """
        key = await self._key()
        status, content_type, raw = await self._exchange(
            HttpRequest(
                method,
                self._url + path,
                purpose,
                headers=_headers(key, body),
                body=body,
                secrets=(key,) if key else (),
                sources=sources,
                silence_ms=silence_ms,
            )
        )
        if status == 413:
            raise BodyTooLarge
        origin = origin_of(self._url)
        _require_let_in(status, content_type, key, origin)
        answer = _json(raw)
        if not isinstance(answer, dict) or not ({"result", "status"} & answer.keys()):
            raise ProviderError(
                "service_foreign", f"status {status}, {content_type or 'no type'}", subject=origin
            )
        if status == 404:
            raise ProviderError("qdrant_collection", _said(answer, key), subject=origin)
        if status != 200:
            raise ProviderError("qdrant_failed", f"status {status}: {_said(answer, key)}", subject=origin)
        return answer.get("result")

    async def greeting(self, url: str = "", *, with_key: bool = True) -> str | None:
        """Return the version that whoever is at an address tells of itself, None when it is no Qdrant.

        Without `url` this one is asked. Raises ProviderError: those of `Http`, network_portal,
        key_missing, key_refused.
        """
        key = await self._key() if with_key else ""
        status, content_type, raw = await self._exchange(
            HttpRequest(
                "GET",
                (url or self._url) + "/",
                Purpose.CHECK,
                headers=_headers(key, b""),
                secrets=(key,) if key else (),
                silence_ms=CHECK_SILENCE_MS,
            )
        )
        _require_let_in(status, content_type, key, origin_of(self._url))
        answer = _json(raw)
        if not isinstance(answer, dict) or "qdrant" not in str(answer.get("title", "")).lower():
            return None
        return str(answer.get("version", ""))

    async def _exchange(self, request: HttpRequest) -> tuple[int, str, bytes]:
        async with self._http.send(request) as response:
            pieces: list[bytes] = []
            n_bytes = 0
            async for piece in response.chunks():
                n_bytes += len(piece)
                if n_bytes > MAX_ANSWER_BYTES:
                    raise ProviderError(
                        "qdrant_failed", "the answer is too large", subject=origin_of(request.url)
                    )
                pieces.append(piece)
            return response.status, response.headers.get("content-type", ""), b"".join(pieces)


def encode(body: object) -> bytes:
    """Return a body as compact JSON; lone surrogates stay escaped."""
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def _require_let_in(status: int, content_type: str, key: str, origin: str) -> None:
    if 300 <= status < 400:
        raise ProviderError("network_portal", f"status {status}", subject=origin)
    if status in (401, 403) and "html" not in content_type:
        raise ProviderError("key_refused" if key else "key_missing", f"status {status}", subject=origin)


def _headers(key: str, body: bytes) -> tuple[tuple[str, str], ...]:
    of_body = (("content-type", "application/json"),) if body else ()
    of_key = (("api-key", key),) if key else ()
    return (("accept", "application/json"), *of_body, *of_key)


def _json(raw: bytes) -> object:
    try:
        return read_json(raw)
    except (ValueError, RecursionError):
        return None


def _said(answer: dict[str, Any], key: str) -> str:
    status = answer.get("status")
    text = str(status.get("error", "")) if isinstance(status, dict) else ""
    return (text.replace(key, "…") if key else text)[:MAX_MESSAGE_CHARS]
