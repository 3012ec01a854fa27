"""Embedding models of the reader's own in the browser: opened from a folder, with a new start to follow."""

import asyncio

from tabwise.adapters.browser import bridge
from tabwise.adapters.browser.embedder import BrowserEmbedder
from tabwise.adapters.browser.model_folders import StoredModels
from tabwise.core.embedders import EmbedderDescription

RESTART_DELAY_S = 0.2
"""In which the answer to the request that led to a new start goes out."""


class BrowserOwnEmbedders:
    """Implements ports.OwnEmbedders."""

    def __init__(self, folders: StoredModels) -> None:
        self._folders = folders

    @property
    def folders(self) -> StoredModels:
        """The browser's own file system."""
        return self._folders

    async def trial(self, folder: str, description: EmbedderDescription) -> BrowserEmbedder:
        """Open the model of a folder, in a worker that remembers none that was there before."""
        bridge.restart_models()
        return await self.open(folder, description)

    async def open(self, folder: str, description: EmbedderDescription) -> BrowserEmbedder:
        """Open the model of a folder; raises ModelError."""
        place = f"stored:{folder}"
        await bridge.open_tokenizer(place)
        return BrowserEmbedder(description, place)

    def restart(self) -> None:
        """Start the engine and the models anew in a moment."""

        def go() -> None:
            bridge.restart_models()
            bridge.restart_engine()

        asyncio.get_running_loop().call_later(RESTART_DELAY_S, go)
