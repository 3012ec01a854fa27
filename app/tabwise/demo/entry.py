"""Entry point inside the demo's worker: wires the stages to the browser.

`start(post)` is called once by the worker's script; every later request text goes to `Stages.dispatch`.
The library lives in the worker's memory: closing the page forgets it.
"""

import json
from collections.abc import Callable

from tabwise.adapters.browser import bridge
from tabwise.adapters.browser.embedder import BrowserEmbedder
from tabwise.adapters.browser.kernel import SimdKernel
from tabwise.adapters.clock import SystemClock
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.index import SearchIndex
from tabwise.demo.stages import Stages
from tabwise.engine.library import Library

LIBRARY_PATH = "library.db"


def start(post: Callable[[str], object], tokenizer_json: str) -> Stages:
    """Return the running stages. `tokenizer_json` is the tokenizer's own file, for the text of tokens."""
    embedder = BrowserEmbedder()
    pieces = {number: piece for piece, number in json.loads(tokenizer_json)["model"]["vocab"].items()}

    def tokens(text: str) -> list[str]:
        return [pieces[number] for number in bridge.encode_ids(text).tolist()]

    index = SearchIndex(embedder.descriptor.dimensions, kernel=SimdKernel())
    return Stages(
        library=Library(SqliteStore(LIBRARY_PATH), index),
        embedder=embedder,
        tokens=tokens,
        clock=SystemClock(),
        post=post,
    )
