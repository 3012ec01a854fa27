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
        self._memo = Memo()
        self._patcher = Patcher(self._document, self._document.querySelector("#app"))
        self._frame_asked = False
        self._draw = create_proxy(self._frame)
        self._post = _not_started
        self._later: dict = {}
        self._scroll_to = ""

    async def run(self) -> None:
        """Draw, listen, and connect to the worker as soon as its Python is ready."""
        self._frame()
        for name in EVENTS:
            self._document.addEventListener(name, create_proxy(self._listener(EVENTS[name])))
        self.dispatch({"type": "wait"})
        element = self._document.querySelector('script[name="%s"]' % WORKER)
        try:
            worker = await workers[WORKER]
        except Exception as error:
            js.console.error("the worker did not start: %s" % error)
            self.dispatch({"type": "lost"})
            return
        self._post = worker.dispatch
        element.xworker.sync.receive = create_proxy(self._receive)
        self.dispatch({"type": "start"})

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
        self._patcher.draw(page_view(self._state, self._memo))
        if self._scroll_to:
            element = self._document.querySelector(self._scroll_to)
            self._scroll_to = ""
            if element:
                element.scrollIntoView(to_js({"block": "center"}))

    def _perform(self, effect: tuple) -> None:
        if effect[0] == "send":
            asyncio.create_task(self._send(messages.encode(messages.REQUESTS, effect[1], effect[2])))
        elif effect[0] == "later":
            before = self._later.get(effect[1])
            if before:
                before.cancel()
            self._later[effect[1]] = asyncio.create_task(self._after(effect[2], effect[3]))
        elif effect[0] == "scroll":
            self._scroll_to = effect[1]

    async def _send(self, text: str) -> None:
        try:
            await self._post(text)
        except Exception as error:  # whatever stopped the worker, the reader has to know that it stopped
            js.console.error("the worker did not take a request: %s" % error)
            self.dispatch({"type": "lost"})

    async def _after(self, ms: int, event: dict) -> None:
        await asyncio.sleep(ms / 1000)
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
            if attribute in ("data-on-input", "data-on-change") and "value" not in event:
                event["value"] = target.value
            self.dispatch(event)

        return listen


async def _not_started(text: str) -> None:
    raise RuntimeError("it has not started")


def start(texts: str) -> None:
    """Start the page; its script calls this once with the words it shares with the panel."""
    words.load(texts)
    asyncio.create_task(App().run())
