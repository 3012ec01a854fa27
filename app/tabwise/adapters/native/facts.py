"""Facts of a machine without a browser: processor threads and room on the disk."""

import os
import shutil
from pathlib import Path

from tabwise.core.host_facts import HostFacts


class NativeFacts:
    """Implements ports.HostFactsSource; `place` is the library's file, or the folder it would lie in."""

    def __init__(self, place: Path) -> None:
        self._place = place

    async def facts(self) -> HostFacts:
        """What is known now; what only a browser has is None."""
        free_bytes = shutil.disk_usage(self._place).free
        used_bytes = self._place.stat().st_size if self._place.is_file() else 0
        return HostFacts(
            n_threads=os.cpu_count() or 1,
            storage_used_bytes=used_bytes,
            storage_quota_bytes=used_bytes + free_bytes,
            storage_is_kept=True,
        )
