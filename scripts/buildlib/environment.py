"""The project's own tools: `.venv` from a hash-pinned list, `node_modules` from npm's lock file.

Each carries a stamp with the hash of what it was made from, so that it is remade only when that changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from buildlib.console import BuildError, step
from buildlib.paths import NODE_MODULES, ROOT, VENV, venv_python

REQUIREMENTS = ROOT / "wheels" / "requirements-dev.txt"
MINIMUM_NODE = 20


def ensure_python() -> None:
    """Make or refresh `.venv`. Raises BuildError when this Python cannot make one."""
    pip = [str(venv_python()), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    packages = _stamp(VENV, [REQUIREMENTS], extra=sys.version)
    if not packages.exists():
        with step("Python environment (.venv)"):
            _make_venv()
            _run([*pip, "--require-hashes", "-r", str(REQUIREMENTS)], "the Python packages")
            packages.touch()
    project = _stamp(VENV, [ROOT / "pyproject.toml", ROOT / "hatch_build.py"])
    if not project.exists():
        # Editable and without dependencies: the pinned list above is the only source of packages.
        _run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], "the tabwise package")
        project.touch()


def _make_venv() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.run(
        [sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise BuildError(
            f"`{sys.executable} -m venv` failed:\n{made.stdout}{made.stderr}"
            "On Debian and Ubuntu: apt-get install python3-venv"
        )


def ensure_node() -> None:
    """Make or refresh `node_modules`. Raises BuildError when Node is missing or too old."""
    check_node()
    stamp = _stamp(NODE_MODULES, [ROOT / "package.json", ROOT / "package-lock.json"])
    if stamp.exists():
        return
    with step("Node packages (node_modules)"):
        # No install scripts: nothing we use needs one, and none gets to run on this machine.
        _run([npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], "the Node packages")
        stamp.touch()


def check_node() -> None:
    """Raise BuildError unless Node and npm are there and new enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise BuildError(
            f"Tabwise is built with Node {MINIMUM_NODE} or newer and npm, and they are not installed."
        )
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    major = re.match(r"v(\d+)", version)
    if major is None or int(major.group(1)) < MINIMUM_NODE:
        raise BuildError(f"Tabwise is built with Node {MINIMUM_NODE} or newer; `node` is {version}.")


def npm() -> str:
    """The npm command, with its extension on Windows."""
    return shutil.which("npm") or "npm"


def continue_in_venv() -> None:
    """Replace this process by the same command under `.venv`, unless it runs there already."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    sys.stdout.flush()
    command = [str(venv_python()), *sys.argv]
    if sys.platform == "win32":  # there execv returns to the shell before the command has ended
        raise SystemExit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


def _stamp(folder: Path, inputs: list[Path], extra: str = "") -> Path:
    digest = hashlib.sha256(extra.encode())
    for path in inputs:
        digest.update(path.read_bytes())
    return folder / f".tabwise-{digest.hexdigest()[:16]}"


def _run(command: list[str], what: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        output = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise BuildError(f"Installing {what} failed ({' '.join(command[:4])} …):\n{output}")
