"""Assemble `dist/extension`: hand-written files, vendored runtimes, Python archives, models and kernels."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from buildlib.console import BuildError
from buildlib.documents import rendered
from buildlib.embedder import embedder_folder
from buildlib.kernel import copy_kernels
from buildlib.lock import Lock
from buildlib.notice import notice
from buildlib.pages import with_styles
from buildlib.paths import APP, DOCS, EXTENSION, EXTENSION_SOURCE
from buildlib.python_archives import python_archives
from buildlib.smollm2 import language_model_folder
from buildlib.snapshot import snapshot_file
from buildlib.staging import staged
from buildlib.ui_memory import ui_memory_file
from buildlib.vendor import PDF_READER, PDF_VIEWER, VENDORED, trimmed_pyodide_lock, write_vendored

GROUPS = ("runtime", "content", "documents", "viewer", "models", "llm", "templates", "ui")
# Sources of something that is built, not files of the extension.
NOT_COPIED = ("kernel", "css", "*.html", "*.d.ts", "*.md")


def build_extension(lock: Lock, target: Path = EXTENSION) -> None:
    """Write the unpacked extension to `target`, replacing what was there."""
    with staged(target) as folder:
        _copy_sources(folder)
        _pages(folder)
        _vendor(lock, folder / "vendor")
        _python(lock, folder / "python")
        for name, model in (("minilm", embedder_folder(lock)), ("smollm2", language_model_folder(lock))):
            shutil.copytree(model, folder / "models" / name, copy_function=shutil.copyfile)
        copy_kernels(folder)
        (folder / "NOTICE.txt").write_text(notice(lock.group(*GROUPS)), encoding="utf-8")


def package_version() -> str:
    """The version of `tabwise/__init__.py`, read without importing it."""
    text = (APP / "tabwise" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.M)
    if found is None:
        raise BuildError("app/tabwise/__init__.py has no __version__ line.")
    return found.group(1)


def _copy_sources(folder: Path) -> None:
    ignored = shutil.ignore_patterns(*NOT_COPIED)
    shutil.copytree(
        EXTENSION_SOURCE, folder, ignore=ignored, copy_function=shutil.copyfile, dirs_exist_ok=True
    )
    manifest = folder / "manifest.json"
    if not manifest.exists():
        raise BuildError("extension/manifest.json is missing.")
    settings = json.loads(manifest.read_text(encoding="utf-8")) | {"version": package_version()}
    manifest.write_text(json.dumps(settings, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _pages(folder: Path) -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in EXTENSION_SOURCE.glob("*.html")}
    pages["privacy.html"] = rendered((DOCS / "privacy.md").read_text(encoding="utf-8"))
    for name, page in pages.items():
        (folder / name).write_text(with_styles(page, EXTENSION_SOURCE), encoding="utf-8")


def _vendor(lock: Lock, root: Path) -> None:
    for vendored in (*VENDORED, *PDF_READER, *PDF_VIEWER):
        write_vendored(lock, vendored, root)
    (root / "pyodide" / "pyodide-lock.json").write_bytes(trimmed_pyodide_lock(lock))
    snapshot = snapshot_file(lock, python_archives(lock)["tabwise.zip"])
    shutil.copyfile(snapshot, root / "pyodide" / "snapshot.bin")


def _python(lock: Lock, root: Path) -> None:
    root.mkdir()
    for name, path in python_archives(lock).items():
        shutil.copyfile(path, root / name)
    shutil.copyfile(ui_memory_file(lock), root / "ui.bin")
