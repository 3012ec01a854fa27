"""The texts the demo reads: Markdown files of this package, in a fixed order, as captures."""

from importlib import resources

from tabwise.adapters.files.plain_text import parse_plain_text
from tabwise.core.model import Capture

NAMES = (
    "webassembly",
    "simd",
    "webgpu",
    "onnx",
    "quantisation",
    "tokenisation",
    "embeddings",
    "cosine-similarity",
    "bm25",
    "fusion",
    "chunking",
    "context-windows",
    "checked-answers",
    "prompt-injection",
    "local-privacy",
    "browser-storage",
    "python-in-the-browser",
)


def corpus_url(name: str) -> str:
    """The address a text goes by; it names no place on the network."""
    return f"corpus:{name}"


def read_text(name: str) -> Capture:
    """Return a text of the corpus; its first line is its title."""
    markdown = resources.files("tabwise.demo").joinpath(f"corpus/{name}.md").read_text("utf-8")
    title = markdown.partition("\n")[0].removeprefix("# ")
    root = parse_plain_text(markdown, is_markdown=True)
    n_chars = len(markdown)
    return Capture(corpus_url(name), "", title, "en", root, n_chars, n_chars)


class Corpus:
    """The texts behind the engine's own ports: ports.PageSource and ports.MainContent.

    A tab id is a place in NAMES. The texts are all content, so nothing is left out of them.
    """

    async def capture(self, tab_id: int, max_chars: int, *, selection: bool = False) -> Capture:
        """Return the text at place `tab_id`; the texts are far below any `max_chars`."""
        return read_text(NAMES[tab_id])

    async def select(self, capture: Capture) -> str | None:
        """Return None: the whole page is wanted."""
        return None
