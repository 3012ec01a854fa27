"""What is packed: deterministic archives, pruned wheels, edited scripts, and what the checks find in them."""

import io
import zipfile
from pathlib import Path

import pytest

from buildlib.archives import wheel_members, zip_bytes
from buildlib.console import BuildError
from buildlib.demo import tabwise_members
from buildlib.dist_checks import code_urls, tree_differences
from buildlib.junit import Counts, read_counts
from buildlib.lock import LockedFile
from buildlib.serve import find
from buildlib.staging import staged
from buildlib.stamps import rebuild_if_changed
from buildlib.vendor import Edit, apply_edits

pytestmark = pytest.mark.native


def wheel_file(folder: Path, members: dict[str, bytes]) -> Path:
    path = folder / "pkg-1-py3-none-any.whl"
    path.write_bytes(zip_bytes(members))
    return path


def locked(drop: tuple[str, ...] = (), keep: tuple[str, ...] = ()) -> LockedFile:
    return LockedFile(
        "pkg-1-py3-none-any.whl", "pkg", "1", "MIT", "h", "content", 1, "0" * 64, (), drop, keep
    )


def test_archive_does_not_depend_on_the_order_of_its_members() -> None:
    members = {"b/x": b"1", "a": b"2", "b.py": b"3"}
    assert zip_bytes(members) == zip_bytes(dict(reversed(members.items())))
    with zipfile.ZipFile(io.BytesIO(zip_bytes(members))) as archive:
        assert archive.namelist() == ["a", "b.py", "b/x"]
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_wheel_is_pruned_by_drop_and_keep(tmp_path: Path) -> None:
    members = dict.fromkeys(("pkg/a.py", "pkg/data/en.dat", "pkg/data/de.dat", "pkg/tests/t.py"), b"x")
    kept = wheel_members(
        locked(("*/tests/*", "pkg/data/*"), ("pkg/data/en.dat",)), wheel_file(tmp_path, members)
    )
    assert sorted(kept) == ["pkg/a.py", "pkg/data/en.dat"]


def test_wheel_keeps_the_headers_of_its_metadata_alone(tmp_path: Path) -> None:
    info = "pkg-1.dist-info"
    members = {
        f"{info}/METADATA": b"Name: pkg\r\nVersion: 1\r\n\r\nLong text https://cdn.jsdelivr.net/x.js",
        f"{info}/RECORD": b"",
        f"{info}/entry_points.txt": b"[pytest11]",
    }
    path = wheel_file(tmp_path, members)
    assert wheel_members(locked(), path) == {f"{info}/METADATA": b"Name: pkg\nVersion: 1\n"}
    assert f"{info}/entry_points.txt" in wheel_members(locked(), path, entry_points=True)


def test_plain_wheel_lists_every_member_in_its_record() -> None:
    members = tabwise_members()
    (record,) = (data for name, data in members.items() if name.endswith("/RECORD"))
    listed = [line.partition(",")[0] for line in record.decode().splitlines()]
    assert sorted(listed) == sorted(members)


def test_edits_are_made_in_order() -> None:
    assert apply_edits("f", "a b a", (Edit("a", "x", times=2), Edit("x b", "y"))) == "y x"


@pytest.mark.parametrize("text", ["nothing here", "old old"])
def test_edit_that_does_not_fit_stops_the_build(text: str) -> None:
    with pytest.raises(BuildError, match=r"lib\.mjs: expected 1 × 'old'"):
        apply_edits("lib.mjs", text, (Edit("old", "new"),))


@pytest.mark.parametrize(
    "url",
    [
        "https://cdn.jsdelivr.net/pyodide/",
        "http://example.org/lib/x.mjs",
        "https://example.org/a.js?v=2",
        "https://example.org/k.wasm",
        "https://example.org/p-1-py3-none-any.whl",
    ],
)
def test_url_of_code_is_found_with_its_place(tmp_path: Path, url: str) -> None:
    (tmp_path / "a.js").write_text(f"const one = 1;\nload('{url}');\n")
    assert code_urls(tmp_path) == [f"a.js:2: {url}"]


@pytest.mark.fault("S1")
def test_url_of_code_is_found_inside_nested_archives(tmp_path: Path) -> None:
    inner = zip_bytes({"m.py": b"\n\nURL = 'https://unpkg.com/x'"})
    (tmp_path / "outer.zip").write_bytes(zip_bytes({"inner.zip": inner}))
    assert code_urls(tmp_path) == ["outer.zip!inner.zip!m.py:3: https://unpkg.com/x"]


@pytest.mark.parametrize(
    "url", ["https://numpy.org/doc/stable/", "https://example.org/js/", "https://a.example/x.json"]
)
def test_other_urls_are_left_alone(tmp_path: Path, url: str) -> None:
    (tmp_path / "a.txt").write_text(url)
    assert code_urls(tmp_path) == []


def test_trees_differ_by_content_and_by_presence(tmp_path: Path) -> None:
    for side, files in (("l", {"same": "1", "only_l": "1", "d/x": "1"}), ("r", {"same": "1", "d/x": "2"})):
        for name, text in files.items():
            path = tmp_path / side / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    assert tree_differences(tmp_path / "l", tmp_path / "r") == ["d/x", "only_l"]


def test_rebuild_happens_once_until_an_input_changes(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "out" / "target"
    source.mkdir()
    (source / "f").write_text("1")
    runs: list[str] = []

    def make() -> None:
        runs.append((source / "f").read_text())
        target.mkdir(parents=True, exist_ok=True)

    for text in ("1", "1", "2", "2"):
        (source / "f").write_text(text)
        rebuild_if_changed("target", target, [source], make)
    assert runs == ["1", "2"]


def test_failed_rebuild_is_tried_again(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    runs: list[int] = []

    def fail() -> None:
        runs.append(1)
        raise BuildError("no")

    for _ in range(2):
        with pytest.raises(BuildError):
            rebuild_if_changed("target", target, [tmp_path / "missing"], fail)
    assert len(runs) == 2


def test_server_answers_with_the_longest_route_and_nothing_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("home")
    (site / "a.txt").write_text("a")
    routes: dict[str, Path | bytes] = {"/": site, "/fixed": b"fixed", "/deep/": site}
    assert find(routes, "/") == b"home"
    assert find(routes, "/a.txt") == find(routes, "/deep/a.txt") == b"a"
    assert find(routes, "/fixed") == b"fixed"
    assert find(routes, "/../secret") is find(routes, "/deep/../../secret") is find(routes, "/none") is None


SUITES = '<testsuites><testsuite tests="7" failures="1" errors="1" skipped="2"/></testsuites>'
ALL_PASSED = '<testsuites><testsuite tests="3" failures="0" errors="0" skipped="0"/></testsuites>'
NONE_RAN = '<testsuites><testsuite tests="0" failures="0" errors="0" skipped="0"/></testsuites>'


@pytest.mark.parametrize(
    ("xml", "exit_code", "counts"),
    [
        (SUITES, 1, Counts(3, 2, 2)),
        (ALL_PASSED, 0, Counts(3, 0, 0)),
        (ALL_PASSED, 3, Counts(3, 1, 0)),
        (NONE_RAN, 5, Counts(0, 1, 0)),
        (NONE_RAN, 0, Counts(0, 1, 0)),
        ("", 3, Counts(0, 1, 0)),
    ],
)
def test_run_that_did_not_succeed_never_counts_as_success(
    tmp_path: Path, xml: str, exit_code: int, counts: Counts
) -> None:
    (tmp_path / "junit.xml").write_text(xml)
    assert read_counts(tmp_path / "junit.xml", exit_code) == counts


def test_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "dist" / "extension"
    for text in ("1", "2"):
        with staged(target) as folder:
            (folder / text).write_text(text)
    assert [path.name for path in target.iterdir()] == ["2"]
    assert list(target.parent.iterdir()) == [target]


def test_folder_stays_when_its_replacement_fails(tmp_path: Path) -> None:
    target = tmp_path / "extension"
    target.mkdir()
    (target / "old").write_text("old")

    def build() -> None:
        with staged(target) as folder:
            (folder / "new").write_text("new")
            raise BuildError("no")

    with pytest.raises(BuildError):
        build()
    assert [path.name for path in target.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [target]
