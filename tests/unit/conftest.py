"""Fixtures of the unit tests."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder
from tabwise.protocol.settings import default_settings


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Any]:
    """Run `scenario(desk)` with a started service over `tabs`; close the library afterwards."""

    def go(scenario: Callable[[Desk], Any], tabs: Any = None, embedder: BagEmbedder | None = None) -> Desk:
        async def main() -> Desk:
            desk = Desk(
                tmp_path / "library.db",
                {1: TIDES, 2: BREAD} if tabs is None else tabs,
                embedder or BagEmbedder(),
            )
            await desk.service.start()
            await scenario(desk)
            await desk.service.settle()
            if desk.library:
                desk.library.store.close()
            return desk

        return asyncio.run(main())

    return go


@pytest.fixture
def with_pages(run: Any) -> Any:
    """Run `scenario(desk)` with the pages of the desk added and no summaries in the background."""

    def go(scenario: Any, tabs: Any = None) -> None:
        async def added(desk: Desk) -> None:
            settings = default_settings()
            settings["preferences"]["auto_summaries"] = False
            desk.settings.stored = settings
            await desk.add(*desk.tabs)
            await scenario(desk)

        run(added, tabs=tabs)

    return go
