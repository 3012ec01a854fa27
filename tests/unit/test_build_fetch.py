"""Fetching: resuming, verifying, falling through sources, reading members of remote archives."""

import hashlib
import http.server
import io
import re
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from buildlib import fetch as fetching
from buildlib import registry
from buildlib.archives import zip_bytes
from buildlib.console import BuildError, Progress
from buildlib.download import Unavailable, download
from buildlib.fetch import cached_path, fetch
from buildlib.lock import LockedFile
from buildlib.registry import Location
from buildlib.remote_file import BLOCK_BYTES, NoRangesError, RemoteFile

pytestmark = pytest.mark.native

CONTENT = bytes(range(256)) * 20_000


class Site:
    """A web server whose faults can be set: `break_after` bytes, no ranges, an HTTP status."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.break_after: list[int] = []
        self.ranges = True
        self.status = 0
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                wanted = self.headers.get("Range")
                site.requests.append((self.path, wanted))
                if site.status or self.path not in site.files:
                    self.send_error(site.status or 404)
                    return
                data = site.files[self.path]
                match = re.fullmatch(r"bytes=(\d+)-(\d*)", wanted or "")
                if match and site.ranges:
                    start, end = int(match[1]), int(match[2] or len(data) - 1) + 1
                    if start >= len(data):
                        self.send_error(416)
                        return
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
                    data = data[start:end]
                else:
                    self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if site.break_after:
                    data = data[: site.break_after.pop(0)]
                self.wfile.write(data)

            def log_message(self, format: str, *arguments: object) -> None:
                del format, arguments

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABWISE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def get(url: str, target: Path) -> None:
    download(url, target, progress=Progress("test"), key="file", pause=lambda seconds: None)


def locked(data: bytes, *sources: str, name: str = "file.bin") -> LockedFile:
    sha256 = hashlib.sha256(data).hexdigest()
    return LockedFile(
        name, "p", "1", "MIT", "https://p.example", "runtime", len(data), sha256, sources, (), ()
    )


@pytest.fixture
def registries(site: Site, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Let npm and pip both point at one file of the site."""

    def offer(data: bytes) -> None:
        site.files["/pkg-1-py3-none-any.whl"] = data
        location = Location(
            f"{site.url}/pkg-1-py3-none-any.whl", ("sha256", hashlib.sha256(data).hexdigest())
        )
        monkeypatch.setattr(fetching, "locate_wheel", lambda spec: location)
        monkeypatch.setattr(fetching, "locate_npm", lambda spec: location)

    return offer


def tarball(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def wheel(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/"), data)
    return buffer.getvalue()


def test_download_goes_on_where_connections_broke(site: Site, tmp_path: Path) -> None:
    site.files["/f"] = CONTENT
    site.break_after = [1_000_000, 2_000_000]
    get(f"{site.url}/f", tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT
    assert [wanted for _, wanted in site.requests] == [None, "bytes=1000000-", "bytes=3000000-"]


def test_download_continues_a_part_of_an_earlier_run(site: Site, tmp_path: Path) -> None:
    site.files["/f"] = CONTENT
    (tmp_path / "f.part").write_bytes(CONTENT[:77])
    get(f"{site.url}/f", tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT
    assert site.requests == [("/f", "bytes=77-")]


def test_download_starts_again_when_the_server_ignores_ranges(site: Site, tmp_path: Path) -> None:
    site.files["/f"] = CONTENT
    site.ranges = False
    (tmp_path / "f.part").write_bytes(b"something else")
    get(f"{site.url}/f", tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_download_drops_a_part_longer_than_the_file(site: Site, tmp_path: Path) -> None:
    site.files["/f"] = CONTENT
    (tmp_path / "f.part").write_bytes(CONTENT + b"more")
    get(f"{site.url}/f", tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_download_does_not_repeat_what_a_server_refuses(site: Site, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="HTTP 404"):
        get(f"{site.url}/missing", tmp_path / "f")
    assert len(site.requests) == 1


def test_download_keeps_what_arrived_when_it_gives_up(site: Site, tmp_path: Path) -> None:
    site.files["/f"] = CONTENT
    site.break_after = [100, 100, 100, 100]
    with pytest.raises(Unavailable, match="closed after 400 of"):
        get(f"{site.url}/f", tmp_path / "f")
    assert (tmp_path / "f.part").read_bytes() == CONTENT[:400]
    assert not (tmp_path / "f").exists()


def test_remote_file_reads_like_a_local_one(site: Site) -> None:
    site.files["/f"] = CONTENT
    remote = io.BufferedReader(RemoteFile(f"{site.url}/f"))
    for start, length in ((0, 5), (BLOCK_BYTES - 3, 10), (len(CONTENT) - 4, 100), (17, 3 * BLOCK_BYTES)):
        remote.seek(start)
        assert remote.read(length) == CONTENT[start : start + length]


def test_remote_file_refuses_a_server_without_ranges(site: Site) -> None:
    site.files["/f"] = CONTENT
    site.ranges = False
    with pytest.raises(NoRangesError):
        RemoteFile(f"{site.url}/f")


def test_fetched_file_lies_in_the_cache_and_is_not_asked_for_again(site: Site) -> None:
    site.files["/f"] = CONTENT
    file = locked(CONTENT, f"{site.url}/f".replace("http:", "https:"), "pypi:pkg==1!pkg-1-py3-none-any.whl")
    source = f"{site.url}/pkg-1-py3-none-any.whl"
    site.files["/pkg-1-py3-none-any.whl"] = CONTENT
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetching, "locate_wheel", lambda spec: Location(source, None))
        fetch([file])
        n_requests = len(site.requests)
        fetch([file])
    assert cached_path(file).read_bytes() == CONTENT
    assert len(site.requests) == n_requests


def test_one_member_of_a_remote_wheel_costs_its_own_bytes_only(
    site: Site, registries: Callable[[bytes], None]
) -> None:
    noise = hashlib.shake_256(b"noise").digest(12 * BLOCK_BYTES)
    registries(wheel(first=noise, data__model=CONTENT, last=noise))
    file = locked(CONTENT, "pypi:pkg==1!data/model")
    fetch([file])
    assert cached_path(file).read_bytes() == CONTENT
    blocks = {wanted for _, wanted in site.requests}
    assert len(blocks) <= 4  # the probe, the table of contents, the member


def test_member_comes_out_of_the_whole_wheel_when_there_are_no_ranges(
    site: Site, registries: Callable[[bytes], None]
) -> None:
    registries(wheel(data__model=CONTENT))
    site.ranges = False
    file = locked(CONTENT, "pypi:pkg==1!data/model")
    fetch([file])
    assert cached_path(file).read_bytes() == CONTENT


def test_a_folder_of_an_npm_package_comes_as_a_stored_zip_of_its_files(
    registries: Callable[[bytes], None],
) -> None:
    registries(tarball({"package/tables/b": b"2", "package/tables/a": CONTENT, "package/other": b"3"}))
    expected = zip_bytes({"a": CONTENT, "b": b"2"})
    file = locked(expected, "npm:pkg@1!tables/", name="tables.zip")
    fetch([file])
    assert cached_path(file).read_bytes() == expected


def test_wrong_content_names_file_sources_and_the_way_out(registries: Callable[[bytes], None]) -> None:
    registries(wheel(data__model=b"tampered"))
    file = locked(CONTENT, "pypi:pkg==1!data/model", "pypi:pkg==1!data/gone")
    with pytest.raises(BuildError) as caught:
        fetch([file])
    message = str(caught.value)
    assert "file.bin (p 1)" in message
    assert "pypi:pkg==1!data/model\n      wrong content: 8 bytes" in message
    assert "pypi:pkg==1!data/gone\n      pkg==1 has no member data/gone" in message
    assert str(cached_path(file)) in message
    assert not cached_path(file).exists()


def test_next_source_is_tried_when_one_is_wrong(registries: Callable[[bytes], None]) -> None:
    registries(wheel(data__old=b"other", data__model=CONTENT))
    file = locked(CONTENT, "pypi:pkg==1!data/old", "pypi:pkg==1!data/model")
    fetch([file])
    assert cached_path(file).read_bytes() == CONTENT


def test_one_failure_does_not_keep_the_other_files_from_arriving(registries: Callable[[bytes], None]) -> None:
    registries(wheel(data__a=b"a", data__b=b"b"))
    good = locked(b"b", "pypi:pkg==1!data/b", name="good")
    with pytest.raises(BuildError, match="bad"):
        fetch([locked(b"x", "pypi:pkg==1!data/a", name="bad"), good])
    assert cached_path(good).read_bytes() == b"b"


def test_registry_client_that_fails_gives_its_own_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        registry, "_pip", lambda: ["python3", "-c", "raise SystemExit('ERROR: no such package')"]
    )
    with pytest.raises(Unavailable, match="no such package"):
        registry.locate_wheel("nonexistent-package-of-a-test==1")
