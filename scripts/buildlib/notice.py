"""`NOTICE.txt`: every third-party file the product carries, with version, licence and the licence's text."""

from __future__ import annotations

from collections.abc import Iterable

from buildlib.archives import wheel_licences
from buildlib.fetch import cached_path
from buildlib.lock import LockedFile

RULE = "-" * 80


def notice(files: Iterable[LockedFile]) -> str:
    """The list, one line per package, then the licence texts that wheels carry."""
    files = sorted(files, key=lambda file: (file.package.lower(), file.name))
    lines = ["Tabwise carries the work of others, under their own licences.", ""]
    lines += dict.fromkeys(f"{file.package} {file.version}: {file.licence} ({file.home})" for file in files)
    for file in files:
        if file.name.endswith(".whl"):
            for name, text in wheel_licences(cached_path(file)).items():
                lines += ["", RULE, f"{file.package} {file.version}: {name.partition('/')[2]}", RULE, ""]
                lines.append(text.decode("utf-8", errors="replace").replace("\r\n", "\n").strip())
    return "\n".join(lines) + "\n"
