"""A page of the extension that speaks the protocol to the engine, as the panel does."""

import json
import uuid
from typing import Any

from playwright.sync_api import Page

from harness.browser import ExtensionBrowser, until
from tabwise.protocol import schema

TIMEOUT_MS = 90_000
# What a crash looks like from outside: the worker is gone and an error event is all that is left of it.
CRASH = """function () {
    for (const worker of this) {
        worker.terminate();
        worker.dispatchEvent(new ErrorEvent("error", { message: "crashed", cancelable: true }));
    }
}"""

# The engine there is dies when it is told a request; each of those after it at the moment named for it.
DOOM = """function (moments) {
    const Sound = Worker;
    const die = (worker) => setTimeout(() => {
        worker.terminate();
        worker.dispatchEvent(new ErrorEvent("error", { message: "crashed", cancelable: true }));
    });
    const dieWhenTold = (worker) => {
        worker.postMessage = (message, transfer) =>
            message.type === "request"
                ? die(worker)
                : Sound.prototype.postMessage.call(worker, message, transfer);
    };
    this.forEach(dieWhenTold);
    globalThis.Worker = class extends Sound {
        constructor(script, options) {
            super(script, options);
            if (options.name !== "engine") return;
            ({ starting: die, told: dieWhenTold })[moments.shift()](this);
            if (moments.length === 0) globalThis.Worker = Sound;
        }
    };
}"""


class Client:
    """A page of the extension that speaks the protocol."""

    def __init__(self, browser: ExtensionBrowser) -> None:
        self.browser = browser
        self.page: Page = browser.open_tab("manifest.json")
        self.page.set_default_timeout(TIMEOUT_MS)
        self.page.evaluate(
            """() => {
                globalThis.heard = [];
                globalThis.channel = new BroadcastChannel("tabwise");
                channel.onmessage = ({ data }) => heard.push(JSON.parse(data));
            }"""
        )

    def ensure_engine(self) -> None:
        self.page.evaluate("chrome.runtime.sendMessage({ to: 'sw', verb: 'ensure_engine', args: {} })")

    def send(self, kind: str, **fields: Any) -> str:
        """Send a request, whatever its fields hold; return its id. Fields with a default may be left out."""
        request_id = uuid.uuid4().hex
        message = {"v": 1, "id": request_id, "type": kind} | schema.DEFAULTS.get(kind, {}) | fields
        text = json.dumps(message)
        self.page.evaluate("(text) => channel.postMessage(text)", text)
        return request_id

    def end_of(self, request_id: str) -> dict[str, Any]:
        """The terminal event of a request, awaited."""
        script = (
            """(id) => heard.find((m) => m.re === id && ["done", "error", "cancelled"].includes(m.type))"""
        )
        end: dict[str, Any] = self.page.wait_for_function(script, arg=request_id).json_value()
        return end

    def ask(self, kind: str, **fields: Any) -> Any:
        """What `done` of a request carries."""
        end = self.end_of(self.send(kind, **fields))
        assert end["type"] == "done", end
        return end["result"]

    def states(self) -> list[str]:
        """What was announced about the engine."""
        found: list[str] = self.page.evaluate("heard.filter((m) => m.type === 'engine').map((m) => m.state)")
        return found

    def wait_for_state(self, state: str) -> None:
        """Wait until this is what was announced last about the engine."""
        script = "(state) => heard.filter((m) => m.type === 'engine').at(-1)?.state === state"
        self.page.wait_for_function(script, arg=state)

    def wait_for_restart(self) -> None:
        """Wait until a restart of the engine was announced; the states after it may have come as well."""
        self.page.wait_for_function(
            "() => heard.some((m) => m.type === 'engine' && m.state === 'restarting')"
        )

    def tab(self, url: str) -> dict[str, Any]:
        """The Tab record of an open tab."""
        script = "async (url) => (await chrome.tabs.query({})).find((tab) => tab.url === url)"
        tab = until(self.page, script, url)
        return {
            "tab_id": tab["id"], "window_id": tab["windowId"], "index": tab["index"], "url": tab["url"],
            "title": tab["title"], "favicon": "", "active": tab["active"], "loading": False, "asleep": False,
            "private": False, "last_accessed": tab["lastAccessed"], "allowed": True, "confirmed": False,
            "selection": False,
        }  # fmt: skip

    def crash_workers(self) -> None:
        """Take every worker of the offscreen document away, as a crash does."""
        self._call_on_workers(CRASH)

    def doom_engines(self, *moments: str) -> None:
        """Let the engine die of its next request, and one started after it for each moment: while it is
        "starting", or when it is "told" a request."""
        self._call_on_workers(DOOM, [*moments])

    def _call_on_workers(self, function: str, *arguments: Any) -> None:
        """Run a function of the offscreen document whose `this` is the array of its workers."""
        offscreen = self.browser.attach("offscreen.html")
        prototype = offscreen.send("Runtime.evaluate", {"expression": "Worker.prototype"})["result"]
        workers = offscreen.send("Runtime.queryObjects", {"prototypeObjectId": prototype["objectId"]})
        call = {
            "objectId": workers["objects"]["objectId"],
            "functionDeclaration": function,
            "arguments": [{"value": argument} for argument in arguments],
        }
        offscreen.send("Runtime.callFunctionOn", call)
        offscreen.close()
