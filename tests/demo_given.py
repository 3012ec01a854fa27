"""What a reader of the demo page gives it in tests: a text of their own, on a page that has started."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from demo_driver import Engine, Page
from fakes import FakeModels
from tabwise.adapters.files.plain_text import parse_plain_text
from tabwise.core.model import Capture
from tabwise.core.text.urls import given_file_url
from tabwise.errors import InputError

TIDES = "# Tides\n\nThe tidal range in the Bay of Fundy reaches 16.3 metres. It is the largest anywhere."
ASK = {"query": "How high is the tide in the Bay of Fundy?", "mode": "convex", "k": 5, "engine": "extractive"}


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(coroutine)


def tides(name: str = "tides.md") -> Capture:
    root = parse_plain_text(TIDES, is_markdown=True)
    return Capture(given_file_url(name), "", "Tides", "en", root, len(TIDES), len(TIDES))


async def opened(folder: Path, models: FakeModels | None = None) -> Page:
    page = Page(Engine(folder, models=models))
    page.engine.files.files = {
        "blob:tides": tides(),
        "blob:locked": InputError("page_locked", subject="locked.pdf"),
    }
    page.do({"type": "start"})
    await page.settled()
    return page


def given(*names: str) -> dict[str, Any]:
    return {
        "type": "given",
        "files": [{"name": name, "url": "blob:" + name.partition(".")[0]} for name in names],
    }


def pressed(page: Page, test: str, place: int = 0) -> dict[str, Any]:
    event: dict[str, Any] = page.find(test)[place][1]["on-click"]
    return dict(event)
