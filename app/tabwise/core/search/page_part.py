"""What the search index derives from pages, as bytes: reading them back is many times faster than reading
the pages again.

A part holds a few pages with everything but their vectors: the postings of their chunks, those of their
titles and addresses, and their terms in order (`proximity`). It is self-contained and says which snapshot of
which page it was made from, so parts can be joined, thinned out and thrown away in any order; a part that
does not belong to this program's way of reading text, or whose bytes are damaged, is refused.

    magic, crc32 of the rest, length of the header, header as JSON, arrays and terms one after the other
"""

import json
import re
import struct
import unicodedata
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tabwise.core.model import Chunk, Page
from tabwise.core.search.postings import Draft, IntVector, Postings, joined, kept_only
from tabwise.core.search.proximity import Codes, encode
from tabwise.core.text.terms import TERMS_VERSION, terms

READING = f"{TERMS_VERSION} {unicodedata.unidata_version}"
"""Whoever reads text in another way finds other terms in it."""

_MAGIC = b"TWP1"
_HEAD = struct.Struct("<4sII")
_SEPARATOR = "\n"  # in no term
_OF_ADDRESS = re.compile(r"[/?&=#%+:]+")


@dataclass(frozen=True, slots=True)
class PagePart:
    """`stamps` (n_pages,) int64: which snapshots; `n_chunks` (n_pages,) int32: their chunks, in turn.

    `chunks` has a document a chunk, `titles` one a page. `code_counts` (n_chunks,) int32 parts `codes`.
    """

    stamps: npt.NDArray[np.int64]
    n_chunks: IntVector
    chunks: Postings
    titles: Postings
    codes: Codes
    code_counts: IntVector


def read_page(page: Page, chunks: Sequence[Chunk], stamp: int = 0) -> Generator[None, None, PagePart]:
    """Read a page in steps, a chunk each, and return its part.

    The terms of the title count once more in every chunk.
    """
    draft, codes = Draft(), []
    of_title = terms(page.title, page.language)
    for chunk in chunks:
        own = terms(chunk.embedding_text, page.language)
        draft.add(own + of_title)
        codes.append(encode(own))
        yield
    address = _OF_ADDRESS.sub(" ", unquote(page.url))
    title = Draft()
    title.add(of_title + terms(address, page.language))
    return PagePart(
        np.array([stamp], np.int64),
        np.array([len(codes)], np.int32),
        draft.postings(),
        title.postings(),
        np.frombuffer(b"".join(codes), "<u2").astype(np.uint16),
        np.array([len(own) // 2 for own in codes], np.int32),
    )


def joined_parts(parts: Sequence[PagePart]) -> Generator[None, None, PagePart]:
    """Join in steps, a few a part, and return the pages of all parts in order."""
    chunks = yield from joined([part.chunks for part in parts])
    titles = yield from joined([part.titles for part in parts])
    return PagePart(
        np.concatenate([part.stamps for part in parts]),
        np.concatenate([part.n_chunks for part in parts]),
        chunks,
        titles,
        np.concatenate([part.codes for part in parts]),
        np.concatenate([part.code_counts for part in parts]),
    )


def pages_only(part: PagePart, is_kept: Callable[[int, int], bool]) -> PagePart:
    """Return the pages for which `is_kept(stamp, n_chunks)`; the part itself when that is all of them."""
    of_page = zip(part.stamps.tolist(), part.n_chunks.tolist(), strict=True)
    kept = np.array([is_kept(stamp, n_chunks) for stamp, n_chunks in of_page], np.bool_)
    if kept.all():
        return part
    kept_chunks = np.repeat(kept, part.n_chunks)
    return PagePart(
        part.stamps[kept],
        part.n_chunks[kept],
        kept_only(part.chunks, kept_chunks),
        kept_only(part.titles, kept),
        part.codes[np.repeat(kept_chunks, part.code_counts)],
        part.code_counts[kept_chunks],
    )


def encode_part(part: PagePart) -> bytes:
    """Return the part as bytes, the same on every platform."""
    arrays: list[npt.NDArray[Any]] = [part.stamps, part.n_chunks, part.codes, part.code_counts]
    texts = []
    for postings in (part.chunks, part.titles):
        arrays += [postings.offsets, postings.documents, postings.tfs, postings.lengths]
        texts.append(_SEPARATOR.join(postings.terms).encode("utf-8", "surrogatepass"))
    shapes = [[array.dtype.newbyteorder("<").str, len(array)] for array in arrays]
    header = json.dumps({"reading": READING, "arrays": shapes, "texts": [len(text) for text in texts]})
    raw = [array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in arrays]
    rest = b"".join([header.encode("ascii"), *raw, *texts])
    return _HEAD.pack(_MAGIC, crc32(rest), len(header)) + rest


def decode_part(data: bytes) -> PagePart | None:
    """Return the part, None when the bytes are damaged or were made by another way of reading text."""
    if len(data) < _HEAD.size:
        return None
    magic, checksum, n_header = _HEAD.unpack_from(data)
    rest = memoryview(data)[_HEAD.size :]
    if magic != _MAGIC or crc32(rest) != checksum:
        return None
    header = json.loads(bytes(rest[:n_header]))
    if header["reading"] != READING:
        return None
    at = n_header
    arrays = []
    for dtype, count in header["arrays"]:
        arrays.append(np.frombuffer(rest, dtype, count, at).astype(np.dtype(dtype).newbyteorder("=")))
        at += arrays[-1].nbytes
    texts = []
    for size in header["texts"]:
        texts.append(bytes(rest[at : at + size]).decode("utf-8", "surrogatepass"))
        at += size
    stamps, n_chunks, codes, code_counts, *of_postings = arrays
    chunks, titles = (
        Postings(text.split(_SEPARATOR) if text else (), *of_postings[4 * i : 4 * i + 4])
        for i, text in enumerate(texts)
    )
    return PagePart(stamps, n_chunks, chunks, titles, codes, code_counts)
