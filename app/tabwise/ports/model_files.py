"""Models whose files the reader brings or fetches."""

from collections.abc import Mapping
from typing import Protocol

from tabwise.core.embedders import EmbedderDescription
from tabwise.ports.models import Embedder


class ModelFolders(Protocol):
    """Where the files of downloaded models are kept, a folder each. All raise ModelError model_no_room."""

    async def sizes(self) -> Mapping[str, Mapping[str, int]]:
        """Sizes in bytes by name, by folder."""
        ...

    async def free_bytes(self) -> int:
        """How much more may be stored."""
        ...

    async def read(self, folder: str, name: str, start: int, end: int) -> bytes:
        """Bytes of a file, fewer at its end, none of a file that is not there."""
        ...

    async def write(self, folder: str, name: str, at: int, data: bytes) -> None:
        """Write at a place and cut off what was behind; folder and file are made."""
        ...

    async def copy(self, folder: str, name: str, url: str) -> None:
        """Store what is at a blob URL, or a file URL outside of a browser."""
        ...

    async def rename(self, folder: str, name: str, new_name: str) -> None:
        """Give a file another name, in place of the file that has it."""
        ...

    async def remove(self, folder: str) -> None:
        """Delete a folder if it is there."""
        ...


class OwnEmbedders(Protocol):
    """What an embedding model of the reader's own needs: its folders, a way to try it, a new start."""

    @property
    def folders(self) -> ModelFolders:
        """Where its files are kept."""
        ...

    async def trial(self, folder: str, description: EmbedderDescription) -> Embedder:
        """Open the model of a folder; raises ModelError."""
        ...

    def restart(self) -> None:
        """Start the engine anew, soon, with the model that is there then."""
        ...
