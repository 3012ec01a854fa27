"""Whether a page that comes from a file is what this program would have written.

Its hashes must be those of its texts and every span must lie inside the text, so a page that was damaged, or
made by hand to point elsewhere, is named instead of read.
"""

import hashlib
from collections.abc import Sequence
from itertools import pairwise

from tabwise.core.model import Chunk, Page
from tabwise.core.page.blocks import page_hash

_WEB = ("http://", "https://")
_SCHEMES = (*_WEB, "file:")


def fault_of(page: Page, chunks: Sequence[Chunk]) -> str:
    """Return what is wrong with a page and its chunks by ordinal, "" when nothing is."""
    n_chars = len(page.text)
    if page.content_hash != page_hash(page.title, page.text):
        return "its text is not the one that was stored"
    if not page.url.startswith(_SCHEMES) or not page.source:
        return "its address cannot be opened"
    if any(not link.url.startswith(_WEB) for link in page.links):
        return "a link in it leads to no web page"
    blocks = page.blocks
    if any(not 0 <= block.start <= block.end <= n_chars for block in blocks):
        return "a block lies outside its text"
    if any(before.end > after.start for before, after in pairwise(blocks)):
        return "its blocks overlap"
    for spans in (page.places, page.moments, page.links):
        if any(not 0 <= span.start <= span.end <= n_chars for span in spans):
            return "a place lies outside its text"
    if not chunks or [chunk.ordinal for chunk in chunks] != list(range(len(chunks))):
        return "passages are missing"
    if any(not 0 <= chunk.start < chunk.end <= n_chars for chunk in chunks):
        return "a passage lies outside its text"
    if any(chunk.content_hash != _hash(chunk.embedding_text) for chunk in chunks):
        return "a passage is not the one that was stored"
    return ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
