"""Facts of a machine without a browser: processor threads and room on the disk."""

import os
import shutil
from pathlib import Path

from tabwise.core.host_facts import HostFacts


class NativeFacts:
    """Implements ports.HostFactsSource; `folder` is where the library lies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def facts(self) -> HostFacts:
        """What is known now; what only a browser has is None."""
        disk = shutil.disk_usage(self._folder)
        return HostFacts(
            n_threads=os.cpu_count() or 1,
            storage_used_bytes=disk.total - disk.free,
            storage_quota_bytes=disk.total,
            storage_is_kept=True,
        )
