"""Ask npm and pip, the registries' own clients, where a package's file lies.

Going through them means that mirrors, proxies and credentials a user configured are honoured, and that the
build names no registry host.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from buildlib.download import Unavailable
from buildlib.paths import venv_python


@dataclass(frozen=True, slots=True)
class Location:
    """A URL and what the registry says its bytes hash to, as (algorithm, hex digest)."""

    url: str
    digest: tuple[str, str] | None


@cache
def locate_npm(spec: str) -> Location:
    """The tarball of `<package>@<version>`. Raises Unavailable with npm's own complaint."""
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is not installed")
    answer = json.loads(_run([npm, "view", spec, "dist.tarball", "dist.integrity", "--json"]))
    algorithm, _, encoded = answer["dist.integrity"].partition("-")
    return Location(answer["dist.tarball"], (algorithm, _base64_to_hex(encoded)))


@cache
def locate_wheel(spec: str) -> Location:
    """The platform-independent wheel of `<package>==<version>`. Raises Unavailable with pip's complaint."""
    # `--platform any` asks for py3-none-any even where a compiled wheel for this machine exists, and pip
    # wants a target with it although nothing is installed.
    with tempfile.TemporaryDirectory() as nowhere:
        command = [
            *_pip(), "install", "--dry-run", "--no-deps", "--ignore-installed", "--ignore-requires-python",
            "--quiet", "--report", "-", "--only-binary", ":all:", "--platform", "any", "--implementation",
            "py", "--abi", "none", "--target", nowhere, spec,
        ]  # fmt: skip
        report = json.loads(_run(command))
    if not report["install"]:
        raise Unavailable(f"pip resolved {spec} to nothing")
    found = report["install"][0]["download_info"]
    sha256 = found["archive_info"].get("hashes", {}).get("sha256")
    return Location(found["url"], ("sha256", sha256) if sha256 else None)


def _pip() -> list[str]:
    python = venv_python()
    return [
        str(python if python.exists() else Path(sys.executable)),
        "-m",
        "pip",
        "--disable-pip-version-check",
    ]


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(str(error)) from error
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if re.search(r"err", line, re.I)]
        raise Unavailable(lines[-1].strip() if lines else f"{command[0]} ended with {done.returncode}")
    return done.stdout


def _base64_to_hex(text: str) -> str:
    return base64.b64decode(text).hex()
