"""Put the embedder into the wheel, so that `pip install .` gives a `tabwise` that searches by meaning.

The same code and cache as `scripts/build.py` are used. Without a network the wheel is built all the same:
search is lexical then, and the build says so. Editable installs have `dist/` and the cache beside them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODEL_IN_WHEEL = "tabwise/models/minilm"


class EmbedderHook(BuildHookInterface[Any]):
    """Adds the embedder's three files to a standard wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before a target is built; `version` is "standard" or "editable"."""
        if self.target_name != "wheel" or version != "standard":
            return
        sys.path.insert(0, str(Path(self.root) / "scripts"))
        from buildlib.console import BuildError
        from buildlib.embedder import embedder_folder
        from buildlib.fetch import fetch
        from buildlib.lock import read_lock

        lock = read_lock()
        try:
            fetch(lock.group("models"))
        except BuildError as error:
            self.app.display_warning(f"The wheel carries no embedder; search will be lexical.\n{error}")
            return
        for path in sorted(embedder_folder(lock).iterdir()):
            build_data["force_include"][str(path)] = f"{MODEL_IN_WHEEL}/{path.name}"
