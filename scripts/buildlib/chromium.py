"""Find a Chromium that loads unpacked extensions from the command line, or say how to get one.

Branded Chrome (137 and later) ignores `--load-extension`; Chromium and Chrome for Testing do not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from buildlib.console import BuildError, step

ENVIRONMENT_VARIABLE = "TABWISE_CHROMIUM"
COMMANDS = (
    "chromium",
    "chromium-browser",
    "google-chrome-for-testing",
    "chrome-for-testing",
    "ungoogled-chromium",
)
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
)
DEBIAN_PACKAGES = ("chromium", "fonts-dejavu-core")


def find_chromium() -> Path:
    """The browser to use; installs Debian's where that is possible. Raises BuildError with what to do."""
    found = _installed()
    if found is None and _may_install():
        with step("Chromium (from the system's packages)"):
            _install()
        found = _installed()
    if found is None:
        raise BuildError(
            "No Chromium was found. Install one (Debian, Ubuntu: `apt-get install chromium`; macOS: "
            "`brew install --cask chromium`),\nor set "
            f"{ENVIRONMENT_VARIABLE} to the program of a Chromium or a Chrome for Testing. Google's branded "
            "Chrome does not load unpacked extensions this way."
        )
    return found


def browser_arguments(extension: Path) -> list[str]:
    """Switches that load one unpacked extension and keep the browser quiet."""
    arguments = [
        f"--disable-extensions-except={extension}",
        f"--load-extension={extension}",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium refuses to sandbox itself as root
        arguments.append("--no-sandbox")
    return arguments


def _installed() -> Path | None:
    named = os.environ.get(ENVIRONMENT_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise BuildError(f"{ENVIRONMENT_VARIABLE} names {named}, which does not exist.")
        return Path(named)
    for command in COMMANDS:
        path = shutil.which(command)
        if path is not None:
            return Path(path)
    return next((Path(place) for place in PLACES if Path(place).is_file()), None)


def _may_install() -> bool:
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def _install() -> None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *DEBIAN_PACKAGES],
    ):
        done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildError(f"`{' '.join(command)}` failed:\n{done.stderr.strip()}")
