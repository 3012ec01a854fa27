"""Zip files whose bytes depend on names and contents alone: sorted, stored, without times or permissions."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from buildlib.lock import LockedFile

Members = dict[str, bytes]


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """A stored zip of the members in name order, every one dated 1980-01-01, the zip format's zero."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name), members[name])
    return buffer.getvalue()


def wheel_members(file: LockedFile, path: Path, *, entry_points: bool = False) -> Members:
    """What we ship of a wheel: all but what the lock file drops, and of its metadata METADATA alone.

    METADATA stays, cut to its headers, because libraries ask `importlib.metadata` for their version. Plugins
    are found by their `entry_points`, which only the tests need.
    """
    metadata = {"METADATA", "entry_points.txt"} if entry_points else {"METADATA"}
    with zipfile.ZipFile(path) as wheel:
        members = {name: wheel.read(name) for name in wheel.namelist() if _ships(file, name, metadata)}
    for name in members:
        if name.endswith(".dist-info/METADATA"):
            members[name] = members[name].replace(b"\r\n", b"\n").partition(b"\n\n")[0] + b"\n"
    return members


def wheel_licences(path: Path) -> Members:
    """The licence texts a wheel carries, by member name."""
    with zipfile.ZipFile(path) as wheel:
        return {
            name: wheel.read(name)
            for name in sorted(wheel.namelist())
            if ".dist-info/" in name and any(word in name.upper() for word in ("LICEN", "COPYING", "NOTICE"))
            and not name.endswith("/")
        }  # fmt: skip


def tree_members(folder: Path, prefix: str = "", *, drop: tuple[str, ...] = ()) -> Members:
    """The files below `folder`, named by their path in it, without caches and without `drop` patterns."""
    members = {}
    for path in sorted(folder.rglob("*")):
        name = prefix + path.relative_to(folder).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and not _matches(name, drop):
            members[name] = path.read_bytes()
    return members


def _ships(file: LockedFile, name: str, metadata: set[str]) -> bool:
    if name.endswith("/"):
        return False
    if ".dist-info/" in name:
        return name.partition(".dist-info/")[2] in metadata
    return _matches(name, file.keep) or not _matches(name, file.drop)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
