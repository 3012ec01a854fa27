"""Downloaded models in the browser's own file system."""

from collections.abc import Mapping

from tabwise.adapters.browser import bridge


class StoredModels:
    """Implements ports.ModelFolders."""

    async def sizes(self) -> Mapping[str, Mapping[str, int]]:
        """Sizes in bytes by name, by folder."""
        folders: Mapping[str, Mapping[str, int]] = (await bridge.stored_models())["folders"]
        return folders

    async def free_bytes(self) -> int:
        """What the browser's quota leaves."""
        return int((await bridge.stored_models())["free_bytes"])

    async def read(self, folder: str, name: str, start: int, end: int) -> bytes:
        """Bytes of a file."""
        return await bridge.stored_read(folder, name, start, end)

    async def write(self, folder: str, name: str, at: int, data: bytes) -> None:
        """Write at a place and cut off what was behind."""
        await bridge.stored_write(folder, name, at, data)

    async def copy(self, folder: str, name: str, url: str) -> None:
        """Store what is at a blob URL."""
        await bridge.stored_copy(folder, name, url)

    async def rename(self, folder: str, name: str, new_name: str) -> None:
        """Give a file another name."""
        await bridge.stored_rename(folder, name, new_name)

    async def remove(self, folder: str) -> None:
        """Delete a folder if it is there."""
        await bridge.stored_remove(folder)
