"""Entry point inside the demo's worker: wires the stages to the browser.

`start(post)` is called once by the worker's script; every later request text goes to `Stages.dispatch`. The
library is a file of the origin's private file system; where that cannot be had, or another tab holds it, it
lives in the worker's memory and the page says so.
"""

import json
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabwise.adapters.browser import bridge
from tabwise.adapters.browser.documents import FetchedFiles
from tabwise.adapters.browser.embedder import BrowserEmbedder
from tabwise.adapters.browser.kernel import SimdKernel
from tabwise.adapters.browser.llm import BrowserDecoders
from tabwise.adapters.clock import SystemClock
from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.stores.sqlite import SqliteStore, set_aside
from tabwise.core.llm.template import Render
from tabwise.demo.stages import Stages
from tabwise.demo.surroundings import Surroundings
from tabwise.engine.library import library_of
from tabwise.engine.llm.local_models import LocalModels
from tabwise.errors import StoreError

log = logging.getLogger(__name__)

LASTING_PATH = Path("/library/library.db")
PASSING_PATH = Path("library.db")
# faults of a kept file that a fresh one mends; the old one stays beside it
_MENDED = ("store_corrupt", "store_newer")


def start(post: Callable[[str], object], tokenizer_json: str, offer: Callable[[bytes], str]) -> Stages:
    """Return the running stages.

    `tokenizer_json` is the tokenizer's own file, for the text of tokens. `offer` puts a file under an address
    from which the page can save it.
    """
    embedder = BrowserEmbedder()
    pieces = {number: piece for piece, number in json.loads(tokenizer_json)["model"]["vocab"].items()}

    def tokens(text: str) -> list[str]:
        return [pieces[number] for number in bridge.encode_ids(text).tolist()]

    path, store = _open_store()
    clock = SystemClock()
    models = LocalModels(BrowserDecoders(), render_of=_no_template, clock=clock)
    around = Surroundings(
        library=library_of(embedder.descriptor, store, kernel=SimdKernel()),
        embedder=embedder,
        clock=clock,
        files=FetchedFiles(),
        content=TrafilaturaContent(prepare=bridge.load_content_packages),
        models=models,
        tokens=tokens,
        writer=partial(models.describe, "bundled"),
        save=lambda: offer(path.read_bytes()),
        lasting=path == LASTING_PATH,
    )
    return Stages(around, post)


def _open_store() -> tuple[Path, SqliteStore]:
    try:
        bridge.require_library()
        return LASTING_PATH, _lasting_store()
    except StoreError as error:
        log.warning("the library will not outlive the page: %s", error.message)
        return PASSING_PATH, SqliteStore(PASSING_PATH)


def _lasting_store() -> SqliteStore:
    try:
        return SqliteStore(LASTING_PATH, flush=bridge.flush_library)
    except StoreError as error:
        if error.code not in _MENDED:
            raise
        set_aside(LASTING_PATH)
        return SqliteStore(LASTING_PATH, flush=bridge.flush_library)


async def _no_template(template: str) -> Render:
    raise ValueError("the bundled model brings no template of its own")
