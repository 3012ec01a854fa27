"""Collections and pages as the product's index holds them."""

from collections.abc import Callable, Sequence

from tabwise.core.model import Page, QuantizedVectors
from tabwise.core.page.chunking import chunk_page
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.vectors import quantize
from tabwise.eval.collection import Collection, page_of
from tabwise.eval.embedding_cache import Embed
from tabwise.eval.windows import window_chunks

CountTokens = Callable[[str], int]


def index_collection(collection: Collection, embed: Embed | None) -> SearchIndex:
    """Index every document as a page of title-prefixed word windows."""
    pages = [
        (page_of(document, collection.language), window_chunks(document)) for document in collection.documents
    ]
    vectors: QuantizedVectors | None = None
    dimensions = 1
    if embed is not None:
        vectors = quantize(embed([chunk.embedding_text for _, chunks in pages for chunk in chunks]))
        dimensions = vectors.codes.shape[1]
    index = SearchIndex(dimensions)
    row = 0
    for page, chunks in pages:
        end = row + len(chunks)
        own = QuantizedVectors(vectors.codes[row:end], vectors.scales[row:end]) if vectors else None
        index.add_page(page, chunks, own)
        row = end
    return index


def index_pages(pages: Sequence[Page], count_tokens: CountTokens, embed: Embed | None) -> SearchIndex:
    """Index pages by the product's own chunks; without `embed` they are found by words alone."""
    chunked = [(page, chunk_page(page, count_tokens)) for page in pages]
    dimensions = embed(["dimensions"]).shape[1] if embed is not None else 1
    index = SearchIndex(dimensions)
    for page, chunks in chunked:
        vectors = quantize(embed([chunk.embedding_text for chunk in chunks])) if embed is not None else None
        index.add_page(page, chunks, vectors)
    return index
