"""Tabs, passages and settings through the service worker."""

from typing import cast

from tabwise.adapters.browser import bridge
from tabwise.core.capture import decode_capture
from tabwise.core.model import Capture


class TabHost:
    """Implements ports.PageSource over open tabs, ports.PassageViewer and ports.SettingsSource."""

    async def capture(self, tab_id: int, max_chars: int) -> Capture:
        """Read one tab, at most `max_chars` characters of it.

        Raises HostError (tab_gone, tab_navigated, tab_asleep, tab_needs_permission, tab_timeout,
        tab_is_private, page_system, host_failed), InputError (page_unreadable).
        """
        fields: dict[str, object] = {"tab_id": tab_id, "max_chars": max_chars}
        return decode_capture(await bridge.host_call("tab_capture", fields))

    async def show(self, url: str, quote: str, before: str, after: str) -> tuple[bool, int]:
        """Focus the tab of `url`, or open one, and light `quote` up; return (found on the page, tab id).

        Raises HostError.
        """
        fields: dict[str, object] = {"url": url, "quote": quote, "before": before, "after": after}
        shown = cast(dict[str, object], await bridge.host_call("passage_show", fields))
        return bool(shown["found"]), cast(int, shown["tab_id"])

    async def settings(self) -> object:
        """Return what is stored, None before the first time; raises HostError."""
        return await bridge.host_call("settings_get", {})
