"""`wheels/lock.toml`: every third-party file the build uses, and what is known about each.

A `[[file]]` table has
    name       unique, the name the rest of the build asks for
    package, version, licence, home
    group      which subcommands need it, one of GROUPS
    size, sha256
    sources    in the order to try, see `fetch`
    drop       (wheels) patterns of members that are left out of what we ship
    keep       (wheels) patterns of members that stay although `drop` names them
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from buildlib.console import BuildError
from buildlib.paths import LOCK

GROUPS = (
    "runtime", "content", "documents", "viewer", "models", "llm", "templates", "ui", "demo", "test", "bench",
)  # fmt: skip
FIELDS = {
    "name",
    "package",
    "version",
    "licence",
    "home",
    "group",
    "size",
    "sha256",
    "sources",
    "drop",
    "keep",
}
SCHEMES = ("https://", "npm:", "pypi:")


@dataclass(frozen=True, slots=True)
class LockedFile:
    """One third-party file, known by its bytes."""

    name: str
    package: str
    version: str
    licence: str
    home: str
    group: str
    size_bytes: int
    sha256: str
    sources: tuple[str, ...]
    drop: tuple[str, ...]
    keep: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lock:
    """The whole lock file, in its own order."""

    files: tuple[LockedFile, ...]

    def file(self, name: str) -> LockedFile:
        """The file of that name. Raises BuildError when the lock has none."""
        for file in self.files:
            if file.name == name:
                return file
        raise BuildError(f"wheels/lock.toml has no file named {name!r}.")

    def group(self, *groups: str) -> tuple[LockedFile, ...]:
        """The files of the given groups, in the order of the lock file."""
        unknown = set(groups) - set(GROUPS)
        if unknown:
            raise BuildError(f"Unknown group {sorted(unknown)}; the groups are {', '.join(GROUPS)}.")
        return tuple(file for file in self.files if file.group in groups)


def read_lock(path: Path = LOCK) -> Lock:
    """Read and check a lock file. Raises BuildError naming the entry and the field that is wrong."""
    with path.open("rb") as stream:
        tables = tomllib.load(stream).get("file", [])
    files = tuple(_parse(table) for table in tables)
    names = [file.name for file in files]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise BuildError(f"{path.name}: two files are called {', '.join(repeated)}.")
    return Lock(files)


def _parse(table: dict[str, object]) -> LockedFile:
    name = str(table.get("name", "?"))

    def text(field: str) -> str:
        value = table.get(field)
        if not isinstance(value, str) or not value:
            raise BuildError(f"lock.toml: {name}: `{field}` must be a non-empty string.")
        return value

    def texts(field: str) -> tuple[str, ...]:
        value = table.get(field, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise BuildError(f"lock.toml: {name}: `{field}` must be a list of strings.")
        return tuple(value)

    size = table.get("size")
    if not isinstance(size, int) or size <= 0:
        raise BuildError(f"lock.toml: {name}: `size` must be a positive number of bytes.")
    sha256 = text("sha256")
    if len(sha256) != 64 or set(sha256) - set("0123456789abcdef"):
        raise BuildError(f"lock.toml: {name}: `sha256` must be 64 hexadecimal digits.")
    group = text("group")
    if group not in GROUPS:
        raise BuildError(f"lock.toml: {name}: `group` must be one of {', '.join(GROUPS)}.")
    sources = texts("sources")
    if not sources or not all(source.startswith(SCHEMES) for source in sources):
        raise BuildError(f"lock.toml: {name}: `sources` must begin with one of {', '.join(SCHEMES)}.")
    unknown = sorted(set(table) - FIELDS)
    if unknown:
        raise BuildError(f"lock.toml: {name}: unknown field {', '.join(unknown)}.")
    return LockedFile(
        name=text("name"),
        package=text("package"),
        version=text("version"),
        licence=text("licence"),
        home=text("home"),
        group=group,
        size_bytes=size,
        sha256=sha256,
        sources=sources,
        drop=texts("drop"),
        keep=texts("keep"),
    )
