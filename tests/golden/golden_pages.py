"""What becomes of whole pages: structural traits as HTML, and what we make of each as JSON.

    python tests/golden/golden_pages.py        write the expectations anew; review the difference

Pages are named `<area>--<trait>.html`. A page without its expectation fails, and so does an expectation
without its page.
"""

import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.files.html import parse_html
from tabwise.core.model import Capture, Page
from tabwise.core.page.blocks import build_page
from tabwise.core.page.chunking import chunk_page

T = TypeVar("T")
FOLDER = Path(__file__).parent / "pages"


def page_names() -> list[str]:
    """The names of all golden pages, without suffix."""
    return sorted(path.stem for path in FOLDER.glob("*.html"))


def expectation_path(name: str) -> Path:
    """Where the expectation of a page is kept."""
    return FOLDER / f"{name}.expected.json"


def render(name: str) -> dict[str, Any]:
    """Read a page as the product does; return what matters of it as JSON values."""
    html = (FOLDER / f"{name}.html").read_text(encoding="utf-8")
    capture = parse_html(html, url=f"https://example.com/{name}")
    page = page_of(capture)
    kept = blocks_of(page)
    chunks = chunk_page(page, lambda text: 2 + len(text.split()))
    return {
        "title": page.title,
        "language": page.language,
        "n_removed": page.n_removed,
        "blocks": kept,
        "left_out": [block for block in blocks_of(build_page(capture, None, 0.0)) if block not in kept],
        "chunks": [[*chunk.heading_path, chunk.embedding_text] for chunk in chunks],
    }


def result_of(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that waits for nothing; Playwright and Pyodide have their own loop running."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("the coroutine waits for something")


def page_of(capture: Capture) -> Page:
    """Choose the main content as the product does."""
    main_text = result_of(TrafilaturaContent().select(capture))
    return build_page(capture, main_text, 0.0)


def blocks_of(page: Page) -> list[str]:
    """Kind, level and text of every block."""
    return [f"{block.kind} {block.level}: {page.text[block.start : block.end]}" for block in page.blocks]


def to_json(value: dict[str, Any]) -> str:
    """The text of an expectation."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for page_name in page_names():
        expectation_path(page_name).write_text(to_json(render(page_name)), encoding="utf-8")
