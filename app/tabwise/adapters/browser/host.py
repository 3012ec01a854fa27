"""Tabs, passages and settings through the service worker."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import cast

from tabwise.adapters.browser import bridge
from tabwise.adapters.browser.documents import fetch_pdf
from tabwise.core.model import Capture
from tabwise.core.page.capture import decode_capture
from tabwise.core.page.pdf.capture import PdfCapture
from tabwise.ports import ShownPassage


class TabHost:
    """Implements ports.PageSource over open tabs, ports.PassageViewer and ports.SettingsSource."""

    async def capture(self, tab_id: int, max_chars: int, *, selection: bool = False) -> Capture | PdfCapture:
        """Read one tab, at most `max_chars` characters of it; of a PDF, whole pages until there are as many.

        selection: read only what is selected on the page; of a PDF, which does not tell, everything.

        Raises HostError (tab_gone, tab_navigated, tab_asleep, tab_needs_permission, tab_timeout,
        tab_is_private, page_system, file_access_off, file_unreachable, host_failed), InputError
        (page_unreadable, page_locked, file_too_large).
        """
        fields: dict[str, object] = {"tab_id": tab_id, "max_chars": max_chars, "selection": selection}
        captured = await bridge.host_call("tab_capture", fields)
        if isinstance(captured, dict) and "pdf" in captured:
            return await fetch_pdf(captured["pdf"], max_chars)
        return decode_capture(captured)

    async def show(
        self,
        url: str,
        passages: Sequence[ShownPassage],
        *,
        source: str,
        title: str,
        start: int,
        moment_url: str | None,
    ) -> tuple[bool, int]:
        """Focus the tab of `url`, or open one, and light the passages up; return (found, tab id).

        Of a PDF our own viewer is shown, which looks for the passages itself; it counts as found, as does a
        recording, which is turned to the moment. Raises HostError.
        """
        fields: dict[str, object] = {
            "url": url,
            "passages": [asdict(passage) for passage in passages],
            "source": source,
            "title": title,
            "start": start,
            "moment_url": moment_url,
        }
        shown = cast(dict[str, object], await bridge.host_call("passage_show", fields))
        return bool(shown["found"]), cast(int, shown["tab_id"])

    async def settings(self) -> object:
        """Return what is stored, None before the first time; raises HostError."""
        return await bridge.host_call("settings_get", {})
