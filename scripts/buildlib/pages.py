"""The pages of the extension as they are shipped: their style sheets stand in them.

A style sheet is waited for before anything is painted, and each of a page's sixteen is a request of its own
to the browser's process. Written into the page they cost nothing, so it is painted when it is there.
"""

from __future__ import annotations

import re
from pathlib import Path

from buildlib.console import BuildError

_STYLE_SHEETS = re.compile(r' *<link rel="stylesheet" href="(css/[a-z]+\.css)"(?: media="([a-z]+)")? />\n')
_BEYOND_A_PAGE = ("url(", "@import", "</")


def with_styles(page: str, root: Path) -> str:
    """`page` with each style sheet of `root` that it links to in its place.

    Raises BuildError when one is missing, names another file, which it would find no longer, or ends itself.
    """

    def inlined(link: re.Match[str]) -> str:
        name, media = link.groups()
        try:
            rules = (root / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise BuildError(f"{name} is missing.") from None
        found = [part for part in _BEYOND_A_PAGE if part in rules]
        if found:
            raise BuildError(f"{name} holds {found[0]}, which cannot stand in a page.")
        opened = f'<style media="{media}">' if media else "<style>"
        return f"{opened}\n{rules}</style>\n"

    return _STYLE_SHEETS.sub(inlined, page)
