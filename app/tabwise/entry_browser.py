"""Entry point inside the extension's engine worker: wires the engine to the browser.

`start()` is awaited once by the worker; afterwards it passes every request text to `dispatch`.
"""

from functools import partial

from tabwise.adapters.browser import bridge
from tabwise.adapters.browser.copies import BrowserEraser, StoredCopies
from tabwise.adapters.browser.documents import FetchedFiles
from tabwise.adapters.browser.embedder import BrowserEmbedder
from tabwise.adapters.browser.facts import BrowserFacts
from tabwise.adapters.browser.host import TabHost
from tabwise.adapters.browser.http import BrowserHttp
from tabwise.adapters.browser.keeping import BrowserKeys, BrowserLedger, BrowserMarker
from tabwise.adapters.browser.kernel import SimdKernel
from tabwise.adapters.browser.llm import BrowserDecoders
from tabwise.adapters.browser.model_folders import StoredModels
from tabwise.adapters.browser.own_embedders import BrowserOwnEmbedders
from tabwise.adapters.browser.prompt_api import BrowserModels
from tabwise.adapters.browser.summarizer import BrowserSummarizer
from tabwise.adapters.clock import SystemClock
from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.jinja import jinja_render
from tabwise.adapters.providers.directory import Providers
from tabwise.adapters.stores.qdrant.store import QdrantStores
from tabwise.adapters.stores.sqlite import SqliteStore, set_aside
from tabwise.core.embedder_catalogue import EMBEDDERS
from tabwise.core.llm.catalogue import CATALOGUE
from tabwise.core.network.redaction import Redactor
from tabwise.engine.egress import Gate
from tabwise.engine.embedder_catalogue import EmbedderCatalogue
from tabwise.engine.library import Library, library_of
from tabwise.engine.llm.catalogue import Catalogue
from tabwise.engine.llm.local_models import LocalModels
from tabwise.engine.llm.measuring import Speeds
from tabwise.engine.model_directory import ModelDirectory
from tabwise.engine.own_embedder import own_or
from tabwise.engine.secrets import KeyRing, redact_log
from tabwise.engine.service import Service
from tabwise.engine.workroom import Ports

LIBRARY_PATH = "/library/library.db"

_service: Service | None = None


async def start() -> None:
    """Open the library and get ready to take requests."""
    global _service
    folders = StoredModels()
    own_embedders = BrowserOwnEmbedders(folders)
    embedder = await own_or(BrowserEmbedder(), folders, own_embedders.open)
    host = TabHost()
    kernel = SimdKernel()
    clock = SystemClock()
    redactor = Redactor()
    redact_log(redactor)
    keys = KeyRing(BrowserKeys(), redactor)
    gate = Gate(BrowserHttp(), ledger=BrowserLedger(), settings=host, clock=clock)
    providers = Providers(gate, keys, host, own_origin=bridge.own_origin())
    render_of = partial(jinja_render, prepare=bridge.load_template_packages)
    facts = BrowserFacts()
    speeds = Speeds(folders, facts)
    local = LocalModels(BrowserDecoders(), render_of=render_of, clock=clock, speeds=speeds)
    models = ModelDirectory(
        {"provider": providers, "prompt_api": BrowserModels(), "bundled": local, "catalogue": local}
    )

    def open_library() -> Library:
        bridge.require_library()
        store = SqliteStore(LIBRARY_PATH, flush=bridge.flush_library)
        return library_of(embedder.descriptor, store, kernel=kernel)

    ports = Ports(
        open_library=open_library,
        set_library_aside=_set_aside,
        embedder=embedder,
        pages=host,
        content=TrafilaturaContent(prepare=bridge.load_content_packages),
        files=FetchedFiles(),
        viewer=host,
        models=models,
        settings=host,
        gate=gate,
        tester=providers,
        host=facts,
        redactor=redactor,
        vector_stores=QdrantStores(gate, lambda: keys.key("qdrant")),
        copies=StoredCopies(),
        marker=BrowserMarker(),
        eraser=BrowserEraser(),
        clock=clock,
        own_embedders=own_embedders,
        embedders=EmbedderCatalogue(folders, gate, entries=EMBEDDERS),
        local=(Catalogue(folders, gate, entries=CATALOGUE), local, folders),
        summarizer=BrowserSummarizer(),
    )
    _service = Service(ports, post=bridge.post_event)
    await _service.start()


def dispatch(text: str) -> None:
    """Take one request text; events go out through the bridge."""
    if _service is None:
        raise RuntimeError("start() has not finished")
    _service.dispatch(text)


def _set_aside() -> None:
    set_aside(LIBRARY_PATH)
    bridge.flush_library()
