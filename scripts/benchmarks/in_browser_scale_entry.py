"""The growing library over OPFS; runs after `in_browser_scale` in the same namespace."""

# ruff: noqa: F821
# mypy: ignore-errors
import json
import tracemalloc

import tabwise_host

from tabwise.adapters.browser.kernel import SimdKernel
from tabwise.adapters.stores.sqlite import SqliteStore

_given = json.loads(given)
_heap_bytes = tabwise_host.heapBytes()
grown = GrowingLibrary(
    SqliteStore("/library/library.db", flush=tabwise_host.flushLibrary), _given["sentences"], SimdKernel()
)
ready = True


async def loaded() -> str:
    """Load, and say how long it took and by how much the memory has grown."""
    seconds = await grown.load()
    grown.query_ms(_given["queries"][:1])
    index = grown.library.index
    memory = (tabwise_host.heapBytes() - _heap_bytes) / 1e6
    return json.dumps({"load_s": seconds, "heap_mb": memory, "n_chunks": index.n_chunks})


async def held() -> str:
    """Load, and say how much memory Python and numpy hold for it; the heap itself grows in large steps."""
    tracemalloc.start()
    await grown.load()
    grown.query_ms(_given["queries"][:1])
    return json.dumps(tracemalloc.get_traced_memory()[0] / 1e6)


async def measured() -> str:
    """Times at the present size."""
    queries = grown.query_ms(_given["queries"])
    added, removed = await grown.changes_ms()
    return json.dumps({"query": queries, "add": added, "remove": removed})
