"""The page on MicroPython: events of the document to `update`, its effects to the worker and the document.

Only JSON text crosses to the worker. One frame draws however many events came before it. This is the one
module of the page that needs a browser.
"""

import asyncio
import json

import js
from pyscript import workers
from pyscript.ffi import create_proxy, to_js

from tabwise.demo import messages
from tabwise.demo.ui.state import initial_state
from tabwise.demo.ui.update import update
from tabwise.demo.ui.view.page import page_view
from tabwise.ui import words
from tabwise.ui.memo import Memo
from tabwise.ui.patch import Patcher

WORKER = "engine"
PATIENCE_S = 30
MAX_BUILDS = 60
"""Small things, such as the strip of a chunk, that one frame draws."""
EVENTS = {
    "click": "data-on-click",
    "input": "data-on-input",
    "change": "data-on-change",
    "pointerover": "data-on-enter",
    "pointerout": "data-on-leave",
    "focusin": "data-on-enter",
    "focusout": "data-on-leave",
}


class App:
    """The running page."""

    def __init__(self) -> None:
        self._document = js.document
        self._state = initial_state(js.location.href.split("#")[0])
        self._memo = Memo(MAX_BUILDS)
        self._patcher = Patcher(self._document, self._document.querySelector("#app"))
        self._frame_asked = False
        self._draw = create_proxy(self._frame)
        self._now = create_proxy(self._draw_now)
        self._element = self._document.querySelector('script[name="%s"]' % WORKER)
        self._receiver = create_proxy(self._receive)
        self._n_workers = 1
        self._post = _not_started
        self._later: dict = {}
        self._scroll_to = ""
        self._morphs = False
        self._nothing = create_proxy(_nothing)

    async def run(self) -> None:
        """Draw, listen, and connect to the worker as soon as its Python is ready."""
        self._frame()
        for name in EVENTS:
            self._document.addEventListener(name, create_proxy(self._listener(EVENTS[name])))
        self._document.addEventListener("dragover", create_proxy(lambda dom: dom.preventDefault()))
        self._document.addEventListener("drop", create_proxy(self._drop))
        await self._connect(self._element)

    async def _connect(self, element) -> None:
        """Talk to the worker of a script once its Python is ready, unless another took its place."""
        self.dispatch({"type": "wait"})
        try:
            worker = await workers[element.getAttribute("name")]
        except Exception as error:
            js.console.error("the worker did not start: %s" % error)
            self._lost(element)
            return
        if element is not self._element:
            return
        self._post = worker.dispatch
        element.xworker.sync.receive = self._receiver
        self.dispatch({"type": "start"})

    def _restart(self) -> None:
        """End the worker, or what is left of it, which frees the library's files, and start another."""
        old = self._element
        if hasattr(old, "xworker") and old.xworker:
            old.xworker.terminate()
        old.remove()
        self._n_workers += 1
        self._post = _not_started
        self._element = self._document.createElement("script")
        for name in ("type", "src", "worker"):
            self._element.setAttribute(name, old.getAttribute(name))
        # PyScript keeps its workers by their names
        self._element.setAttribute("name", "%s-%d" % (WORKER, self._n_workers))
        self._document.body.append(self._element)
        asyncio.create_task(self._connect(self._element))

    def _lost(self, element) -> None:
        """A worker is gone: it matters when no other has taken its place."""
        if element is self._element:
            self.dispatch({"type": "lost"})

    def dispatch(self, event: dict) -> None:
        """Run one event through `update` and perform its effects."""
        before = self._state
        self._state, effects = update(before, event)
        if self._state is not before and not self._frame_asked:
            self._frame_asked = True
            js.requestAnimationFrame(self._draw)
        for effect in effects:
            self._perform(effect)

    def _receive(self, text: str) -> None:
        kind, fields = messages.decode(messages.EVENTS, text)
        self.dispatch({"type": "engine", "kind": kind, "fields": fields})

    def _frame(self, _=None) -> None:
        self._frame_asked = False
        moving = self._morphs and hasattr(self._document, "startViewTransition")
        self._morphs = False
        if moving and not js.matchMedia("(prefers-reduced-motion: reduce)").matches:
            transition = self._document.startViewTransition(self._now)
            for promise in (transition.ready, transition.finished):
                promise.catch(self._nothing)  # a newer drawing ended it early
        else:
            self._draw_now()

    def _draw_now(self, _=None) -> None:
        self._memo.begin()
        self._patcher.draw(page_view(self._state, self._memo))
        if self._memo.behind and not self._frame_asked:
            self._frame_asked = True
            js.requestAnimationFrame(self._draw)
        if self._scroll_to:
            selector, self._scroll_to = self._scroll_to, ""
            element = self._document.querySelector(selector)
            if element:
                place = "start" if selector.count(" ") == 0 else "center"
                element.scrollIntoView(to_js({"block": place}))

    def _perform(self, effect: tuple) -> None:
        if effect[0] == "send":
            asyncio.create_task(self._send(messages.encode(messages.REQUESTS, effect[1], effect[2])))
        elif effect[0] == "later":
            before = self._later.get(effect[1])
            if before:
                before.cancel()
            self._later[effect[1]] = asyncio.create_task(self._after(effect[1], effect[2], effect[3]))
        elif effect[0] == "scroll":
            self._scroll_to = effect[1]
        elif effect[0] == "morph":
            self._morphs = True
        elif effect[0] == "dispatch":
            self.dispatch(effect[1])
        elif effect[0] == "text_of":
            asyncio.create_task(self._text_of(effect[1], effect[2]))
        elif effect[0] == "save":
            self._download(effect[1], js.URL.createObjectURL(js.Blob.new(to_js([effect[2]]))))
        elif effect[0] == "download":
            self._download(effect[1], effect[2])
        elif effect[0] == "keep":
            asyncio.create_task(self._keep())
        elif effect[0] == "restart":
            self._restart()

    async def _send(self, text: str) -> None:
        element = self._element
        patience = asyncio.create_task(self._lose_patience(element))
        try:
            await self._post(text)
        except Exception as error:  # whatever stopped the worker, the reader has to know that it stopped
            js.console.error("the worker did not take a request: %s" % error)
            self._lost(element)
        patience.cancel()

    async def _lose_patience(self, element) -> None:
        """A worker takes a request at once or is gone: the browser tells nobody when it ends one."""
        await asyncio.sleep(PATIENCE_S)
        if element is self._element:
            js.console.error("the worker does not take requests")
        self._lost(element)

    async def _after(self, name: str, ms: int, event: dict) -> None:
        await asyncio.sleep(ms / 1000)
        del self._later[name]  # a task that is cancelled by what it leads to fails
        self.dispatch(event)

    async def _text_of(self, url: str, event: dict) -> None:
        response = await js.fetch(url)
        event = dict(event)
        event["value"] = await response.text()
        self.dispatch(event)

    def _download(self, name: str, url: str) -> None:
        link = self._document.createElement("a")
        link.href, link.download = url, name
        link.click()

    async def _keep(self) -> None:
        """Have the service worker fetch the page; where there can be none, the page needs its host."""
        if not hasattr(js.navigator, "serviceWorker"):
            return
        try:
            await js.navigator.serviceWorker.register("./sw.js")
            await js.navigator.serviceWorker.ready
        except Exception as error:
            js.console.info("not kept for visits without a network: %s" % error)
            return
        self.dispatch({"type": "kept"})

    def _drop(self, dom) -> None:
        dom.preventDefault()
        self._given(dom.dataTransfer.files, {"type": "given"})

    def _given(self, files, event: dict) -> None:
        event["files"] = [
            {"name": files.item(i).name, "url": js.URL.createObjectURL(files.item(i))}
            for i in range(files.length)
        ]
        if event["files"]:
            self.dispatch(event)

    def _listener(self, attribute: str):
        def listen(dom) -> None:
            target = dom.target.closest("[%s]" % attribute)
            if not target:
                return
            inside = dom.relatedTarget if hasattr(dom, "relatedTarget") else None
            if inside and target.contains(inside):
                return
            event = json.loads(target.getAttribute(attribute))
            if target.type == "file":
                self._given(target.files, event)
                target.value = ""
                return
            if attribute in ("data-on-input", "data-on-change") and "value" not in event:
                event["value"] = target.value
            self.dispatch(event)

        return listen


def _nothing(*_) -> None:
    pass


async def _not_started(text: str) -> None:
    raise RuntimeError("it has not started")


def start(texts: str) -> None:
    """Start the page; its script calls this once with the words it shares with the panel."""
    words.load(texts)
    asyncio.create_task(App().run())
