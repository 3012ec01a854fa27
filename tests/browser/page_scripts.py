"""capture.js and highlight.js run in a plain page, as the browser runs them in a tab."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPTS = Path(__file__).resolve().parents[2] / "extension" / "js"
CAPTURE = "\n".join((SCRIPTS / name).read_text("utf-8") for name in ("visibility.js", "capture.js"))
Wire = list[Any]


def capture(page: Page, max_chars: int = 1_000_000, *, selection: bool = False) -> dict[str, Any]:
    """Read the page, or what is selected of it, as the extension does; returns the decoded wire form."""
    captured: dict[str, Any] = json.loads(
        page.evaluate(f"{CAPTURE}; tabwiseCapture({max_chars}, {json.dumps(selection)})")
    )
    return captured


LABELS = {"passages": "Passages", "previous": "Previous", "next": "Next", "close": "Close"}


def highlight(page: Page, quote: str, before: str = "", after: str = "", others: Sequence[str] = ()) -> bool:
    """Light quotes up as the extension does; returns whether the first was found."""
    source = (SCRIPTS / "highlight.js").read_text("utf-8")
    passages = [{"quote": quote, "before": before, "after": after}]
    passages += [{"quote": other, "before": "", "after": ""} for other in others]
    call = f"tabwiseHighlight({json.dumps(passages)}, {json.dumps(LABELS)})"
    found: bool = page.evaluate(f"{source}; {call}")
    return found


def text_of(node: Wire) -> str:
    """All text under a node, elements parted by spaces."""
    return " ".join(child if isinstance(child, str) else text_of(child) for child in node[2:])


def first(node: Wire, tag: str) -> Wire:
    """The first element with this tag, in document order. Raises StopIteration when there is none."""
    return next(found for found in walk(node) if found[0] == tag)


def walk(node: Wire) -> list[Wire]:
    """The node and all elements under it, in document order."""
    return [node, *(inner for child in node[2:] if not isinstance(child, str) for inner in walk(child))]
