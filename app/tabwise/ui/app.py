"""The panel on MicroPython: carries events from the page to `update` and its effects to the browser.

Only texts cross to JavaScript, and numbers inside them: MicroPython cuts integers from JavaScript to 32
bits. `host` is what panel.js offers. One frame draws however many events came before it. What the reader does
is drawn with the next frame; what is told from elsewhere may wait until drawing has rested.
"""

import json

import js

from tabwise.protocol.schema import CHANNEL
from tabwise.ui import scope, words
from tabwise.ui.memo import Memo
from tabwise.ui.patch import Patcher
from tabwise.ui.state import initial_state
from tabwise.ui.update import update
from tabwise.ui.view.frame import frame_view

_ROWS_PER_FRAME = 6
_HOST_NAMES = {
    "focus_tab": "focusTab",
    "list_windows": "listWindows",
    "save_settings": "saveSettings",
    "load_settings": "loadSettings",
    "open_settings": "openSettings",
    "choose_files": "chooseFiles",
    "open_panel": "openPanel",
    "voice_key": "voiceKey",
    "voice_open": "voiceOpen",
    "set_key": "setKey",
    "forget_key": "forgetKey",
    "give_file": "giveFile",
    "close_tab": "closeTab",
    "keep_storage": "keepStorage",
    "open_details": "openDetails",
    "fetch_browser_model": "fetchBrowserModel",
}
_TEXT_FIELDS = ("INPUT", "TEXTAREA", "SELECT")


class App:
    """The running panel."""

    def __init__(self, host) -> None:
        self._host = host
        self._document = js.document
        self._state = initial_state()
        self._memo = Memo(_ROWS_PER_FRAME)
        self._patcher = Patcher(self._document, self._document.querySelector("#app"))
        self._frame_asked = False
        self._frame_can_wait = False
        self._after_frame: list = []
        self._shift = False

    def start(self, draft: str, page: str, browser_language: str) -> None:
        """Listen, connect, draw the first frame.

        `draft` is what was typed before Python ran, `page` is one of those of the state.
        """
        self._host.connect(CHANNEL)
        listen = self._document.addEventListener
        listen("click", self._on_click)
        listen("input", self._on_input)
        listen("change", self._on_change)
        listen("keydown", self._on_key)
        listen("pointerover", self._on_enter)
        listen("pointerout", self._on_leave)
        listen("focusin", self._on_enter)
        listen("focusout", self._on_leave)
        boot = {"type": "boot", "draft": draft, "page": page, "browser_language": browser_language}
        self.dispatch(boot)
        self._name_page()
        self.frame()

    def speak(self, language: str) -> None:
        """Say everything in another language."""
        words.use(language)
        scope.forget()
        self._memo.forget()
        self._name_page()
        self.dispatch({"type": "words"})

    def receive(self, text: str) -> None:
        """Take an event from panel.js as JSON text."""
        self.dispatch(json.loads(text), can_wait=True)

    def hear(self, text: str) -> None:
        """Take a text from the channel, unwrapped: a long one takes a frame to read, and would take two."""
        self.dispatch({"type": "wire", "text": text}, can_wait=True)

    def dispatch(self, event: dict, can_wait: bool = False) -> bool:
        """Run one event through `update` and perform its effects; True when the default is prevented."""
        event.update(json.loads(self._host.stamp()))
        before = self._state
        self._state, effects = update(before, event)
        if self._state is not before:
            self._ask_frame(can_wait)
        prevented = False
        for effect in effects:
            if effect[0] == "prevent":
                prevented = True
            else:
                self._perform(effect)
        return prevented

    def frame(self) -> None:
        """Draw the state as it is now, then do what needs the drawn elements."""
        self._frame_asked = False
        self._memo.begin()
        self._patcher.draw(frame_view(self._state, self._memo))
        if self._memo.behind:
            self._ask_frame(self._frame_can_wait)
        after, self._after_frame = self._after_frame, []
        for name, subject in after:
            if name in ("scroll", "print") and self._memo.behind:
                self._after_frame.append((name, subject))  # what it needs may not be drawn yet
            else:
                getattr(self._host, name)(subject)

    def _name_page(self) -> None:
        self._document.documentElement.lang = words.language()
        if self._state["page"] == "pdf":  # it has the title of its file
            return
        is_settings = self._state["page"] == "settings"
        self._document.title = words.say("settings_title" if is_settings else "product")

    def _ask_frame(self, can_wait: bool = False) -> None:
        if not self._frame_asked or (self._frame_can_wait and not can_wait):
            self._frame_asked = True
            self._frame_can_wait = can_wait
            self._host.askFrame(can_wait)

    def _perform(self, effect: tuple) -> None:
        name = effect[0]
        if name in ("focus", "refocus", "scroll", "announce", "print"):
            self._after_frame.append((name, effect[1]))
            self._ask_frame()
        elif name == "speak":
            self.speak(effect[1])
        elif name == "timer":
            self._host.timer(effect[1], json.dumps(effect[2]))
        elif name == "grant":
            self._host.grant(json.dumps(effect[1]), json.dumps(effect[2]))
        elif name == "revoke":
            self._host.revoke(json.dumps(effect[1]))
        else:
            getattr(self._host, _HOST_NAMES.get(name, name))(*effect[1:])

    def _on_click(self, dom) -> None:
        self._shift = dom.shiftKey  # the change event of a tick box, which follows, does not tell
        target = dom.target.closest("[data-on-click]")
        if not target:
            return
        if target.tagName == "A":
            if dom.ctrlKey or dom.metaKey or dom.shiftKey:
                return
            dom.preventDefault()
        self._dispatch_from(target, "data-on-click", {})

    def _on_input(self, dom) -> None:
        target = dom.target.closest("[data-on-input]")
        if target:
            self._dispatch_from(target, "data-on-input", {"value": target.value})

    def _on_change(self, dom) -> None:
        target = dom.target.closest("[data-on-change]")
        if target:
            chosen = {"value": target.value}
            if target.type == "checkbox":
                chosen = {"checked": target.checked, "shift": self._shift}
            self._dispatch_from(target, "data-on-change", chosen)

    def _on_enter(self, dom) -> None:
        self._crossed(dom, "data-on-enter")

    def _on_leave(self, dom) -> None:
        self._crossed(dom, "data-on-leave")

    def _crossed(self, dom, attribute: str) -> None:
        target = dom.target.closest("[%s]" % attribute)
        if target and not (dom.relatedTarget and target.contains(dom.relatedTarget)):
            self._dispatch_from(target, attribute, {})

    def _on_key(self, dom) -> None:
        target = dom.target
        if self._after_frame:  # an earlier key moves the focus, and this one came before the next frame
            self.frame()
            target = self._document.activeElement or target
        field = ""
        if target.id in ("question", "rule", "interest", "filter", "past-filter", "past-name"):
            field = target.id
        elif target.id.startswith("past-row-"):
            field = "past"
        elif target.id.startswith("found-"):
            field = "found"
        elif target.getAttribute("role") == "tab":
            field = "view"
        elif target.tagName in _TEXT_FIELDS:
            field = "text"
        event = {
            "type": "key",
            "key": dom.key,
            "field": field,
            "target": target.id,
            "shift": dom.shiftKey,
            "command": dom.ctrlKey or dom.metaKey,
            "composing": dom.isComposing,
        }
        if self.dispatch(event):
            dom.preventDefault()

    def _dispatch_from(self, element, attribute: str, more: dict) -> None:
        event = json.loads(element.getAttribute(attribute))
        event.update(more)
        self.dispatch(event)


def start(host, draft: str, page: str, language: str, browser_language: str) -> App:
    """Start a page; panel.js calls this once and hands every later event to `receive`.

    `language` is the one to begin with; there must be a table for `browser_language`.
    """
    words.use(language)
    app = App(host)
    app.start(draft, page, browser_language)
    return app
