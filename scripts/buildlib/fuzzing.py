"""The coverage-guided fuzzer, which only the nightly tests need: fetched into `.venv` by its hash.

It is made for Linux and some versions of CPython; elsewhere the tests that need it are left out by name.
"""

from __future__ import annotations

import subprocess
import sys

from buildlib.console import say
from buildlib.paths import ROOT

REQUIREMENTS = ROOT / "wheels" / "requirements-fuzz.txt"


def install_fuzzer() -> None:
    """Install it unless it is there; say so when there is none for this Python."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    done = subprocess.run([*command, "--require-hashes", "-r", str(REQUIREMENTS)], cwd=ROOT, check=False)
    if done.returncode:
        say("there is no coverage-guided fuzzer for this Python; its tests are left out")
