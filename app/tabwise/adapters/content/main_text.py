"""Main content by trafilatura, the same code on CPython and in Pyodide.

trafilatura scored F1 0.960 on the public article-extraction benchmark, Readability 0.952, Defuddle 0.930.
It and lxml are imported at the first page: in wasm that takes 1.3 s once, which a library of stored pages
never needs.

A page that breaks trafilatura is read whole instead: the answer is None, and the log says why.
"""

import logging
from collections.abc import Awaitable, Callable

from tabwise.core.model import Capture
from tabwise.core.page.capture import to_html

MAX_HTML_CHARS = 1_000_000
"""Longer pages are read whole: the time of an extraction grows faster than its page."""

_log = logging.getLogger(__name__)


class TrafilaturaContent:
    """`ports.MainContent` over trafilatura.

    `prepare` is awaited before the first import, for places where the packages must be unpacked first.
    """

    def __init__(self, *, prepare: Callable[[], Awaitable[object]] | None = None) -> None:
        self._prepare = prepare

    async def select(self, capture: Capture) -> str | None:
        """Return the main text in document order, or None when there is no clear main part."""
        html = to_html(capture.root)
        if len(html) > MAX_HTML_CHARS:
            return None
        try:
            if self._prepare is not None:
                await self._prepare()
                self._prepare = None
            return _extract(html)
        except Exception as error:  # foreign code over arbitrary pages: anything may come out of it
            _log.warning("main content of %s not found: %s: %s", capture.url, type(error).__name__, error)
            return None


def _extract(html: str) -> str | None:
    from trafilatura import extract

    text: str | None = extract(html, include_comments=False, include_tables=True)
    return text or None
