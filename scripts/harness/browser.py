"""Chromium with the extension loaded, and the targets Playwright does not expose as pages.

The side panel and the offscreen document are reached through the browser's own debugging session: attach to
the target, send protocol messages inside `Target.sendMessageToTarget`, read the answers from events.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright, Worker, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from buildlib.chromium import browser_arguments, find_chromium
from tabwise.protocol.settings import default_settings

POLL_S = 0.02
# Movements that go on for ever, such as a spinner's, are not waited for.
AT_REST = """Promise.allSettled(
  document.getAnimations()
    .filter((movement) => movement.effect.getComputedTiming().endTime < 5000)
    .map((movement) => movement.finished),
).then(() => true)"""
# What a machine needs that is busy with something else; nothing waits that long without a fault.
PATIENCE_S = 90.0


class HarnessError(Exception):
    """The browser did not do in time what the caller waited for, or a script in it threw."""


class Target:
    """One attached target: the side panel, the offscreen document, any page."""

    def __init__(self, cdp: CDPSession, target_id: str) -> None:
        self._cdp = cdp
        self._answers: dict[int, dict[str, Any]] = {}
        self._last_id = 0
        self._cdp.on("Target.receivedMessageFromTarget", self._receive)
        attached = cdp.send("Target.attachToTarget", {"targetId": target_id, "flatten": False})
        self._session_id: str = attached["sessionId"]

    def send(self, method: str, params: dict[str, Any], *, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        """One protocol command. Raises HarnessError when it fails or takes too long."""
        self._last_id += 1
        message_id = self._last_id
        message = json.dumps({"id": message_id, "method": method, "params": params})
        self._cdp.send("Target.sendMessageToTarget", {"sessionId": self._session_id, "message": message})
        deadline = time.monotonic() + timeout_s
        while message_id not in self._answers:
            if time.monotonic() > deadline:
                raise HarnessError(f"{method} gave no answer in {timeout_s:.0f} s")
            self._let_events_in()
        answer = self._answers.pop(message_id)
        if "error" in answer:
            raise HarnessError(f"{method}: {answer['error'].get('message')}")
        result: dict[str, Any] = answer["result"]
        return result

    def evaluate(self, expression: str, *, user_gesture: bool = False, timeout_s: float = PATIENCE_S) -> Any:
        """The JSON value of a JavaScript expression, awaited. Raises HarnessError when it throws."""
        params = {
            "expression": expression,
            "awaitPromise": True,
            "returnByValue": True,
            "userGesture": user_gesture,
        }
        result = self.send("Runtime.evaluate", params, timeout_s=timeout_s)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise HarnessError(details.get("exception", {}).get("description") or details.get("text"))
        return result["result"].get("value")

    def wait_for(self, expression: str, *, timeout_s: float = PATIENCE_S, what: str = "") -> Any:
        """The first truthy value of the expression. Raises HarnessError when none comes in time."""
        deadline = time.monotonic() + timeout_s
        while True:
            value = self.evaluate(expression)
            if value:
                return value
            if time.monotonic() > deadline:
                raise HarnessError(f"waited {timeout_s:.0f} s for {what or expression}")
            time.sleep(0.1)

    def resize(self, width_px: int, height_px: int) -> None:
        """Lay the target out for a viewport of this size."""
        metrics = {"width": width_px, "height": height_px, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", metrics)

    def prefer_colors(self, scheme: str) -> None:
        """Show the target as for a user who prefers "light" or "dark"."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", {"features": features})

    def screenshot(self, path: Path) -> None:
        """Save what the target shows as a PNG, once its movements have come to rest."""
        self.evaluate(AT_REST)
        data = self.send("Page.captureScreenshot", {"format": "png"})["data"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        """Let go of the target; it lives on."""
        self._cdp.remove_listener("Target.receivedMessageFromTarget", self._receive)
        self._cdp.send("Target.detachFromTarget", {"sessionId": self._session_id})

    def _receive(self, event: dict[str, Any]) -> None:
        if event["sessionId"] == self._session_id:
            message = json.loads(event["message"])
            if "id" in message:
                self._answers[message["id"]] = message

    def _let_events_in(self) -> None:
        # Playwright's synchronous API hands out events only while a call of its own is running.
        self._cdp.send("Browser.getVersion")
        time.sleep(POLL_S)


class ExtensionBrowser:
    """A running Chromium with the extension in it."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.service_worker = self._first_service_worker()
        self.extension_id = self.service_worker.url.split("/")[2]
        self._wait_for_action()
        browser = context.browser
        assert browser is not None
        self.cdp = browser.new_browser_cdp_session()

    def url(self, path: str) -> str:
        """The address of one of the extension's own files."""
        return f"chrome-extension://{self.extension_id}/{path}"

    def open_tab(self, url: str) -> Page:
        """Open a page, or one of the extension's own files, in a tab."""
        page = self.context.new_page()
        page.goto(url if "://" in url else self.url(url))
        return page

    def allow_site(self, host: str) -> None:
        """Let a host be read that a never-read rule keeps out, as the reader's own rule does."""
        settings = default_settings()
        settings["rules"] = [{"effect": "allow", "pattern": host}]
        self.service_worker.evaluate("(settings) => chrome.storage.local.set({ settings })", settings)

    def press_action(self, page_url: str) -> None:
        """Press the extension's button in the toolbar over the tab with this address; grants activeTab."""
        self.cdp.send(
            "Extensions.triggerAction", {"id": self.extension_id, "targetId": self._tab_id(page_url)}
        )

    def open_side_panel(self, page_url: str, path: str = "panel.html") -> Target:
        """Open the real side panel over the tab with this address, as the toolbar button does."""
        self.press_action(page_url)
        return self.attach(path)

    def attach(self, path: str, *, timeout_s: float = PATIENCE_S) -> Target:
        """Attach to the target showing one of the extension's own files, waiting until there is one."""
        deadline = time.monotonic() + timeout_s
        while True:
            found = [info for info in self.targets() if info["url"].partition("?")[0] == self.url(path)]
            if found:
                return Target(self.cdp, found[0]["targetId"])
            if time.monotonic() > deadline:
                raise HarnessError(f"no target shows {path} after {timeout_s:.0f} s")
            time.sleep(0.1)

    def targets(self) -> list[dict[str, Any]]:
        """Every debugging target of the browser."""
        infos: list[dict[str, Any]] = self.cdp.send("Target.getTargets")["targetInfos"]
        return infos

    def _wait_for_action(self) -> None:
        # Pressed before the service worker has begun to listen, the button opens nothing.
        deadline = time.monotonic() + PATIENCE_S
        while not self.service_worker.evaluate("chrome.action.onClicked.hasListeners()"):
            if time.monotonic() > deadline:
                raise HarnessError("nothing listens for the toolbar button")
            time.sleep(POLL_S)

    def _tab_id(self, url: str) -> str:
        # Actions are pressed over targets of type "tab", which are listed only on request. A page may have
        # its address before its tab has.
        deadline = time.monotonic() + PATIENCE_S
        while True:
            tabs = self.cdp.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
            found = [str(tab["targetId"]) for tab in tabs if tab["url"] == url]
            if found:
                return found[0]
            if time.monotonic() > deadline:
                raise HarnessError(f"no tab shows {url}")
            time.sleep(POLL_S)

    def _first_service_worker(self) -> Worker:
        workers = self.context.service_workers
        return (
            workers[0] if workers else self.context.wait_for_event("serviceworker", timeout=PATIENCE_S * 1e3)
        )


_running: Playwright | None = None


@contextmanager
def playwright_running() -> Iterator[Playwright]:
    """Playwright's synchronous API; it starts once per thread, so blocks inside each other share it."""
    global _running
    if _running is not None:
        yield _running
        return
    with sync_playwright() as _running:
        try:
            yield _running
        finally:
            _running = None


@contextmanager
def launched(
    extension: Path, profile: Path, *, headless: bool = True, arguments: tuple[str, ...] = ()
) -> Iterator[ExtensionBrowser]:
    """Start Chromium on a profile folder with the extension loaded; closed at the end of the block."""
    with playwright_running() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=str(find_chromium()),
            headless=headless,
            args=[*browser_arguments(extension), *arguments],
            viewport={"width": 1280, "height": 800},
        )
        context.set_default_timeout(PATIENCE_S * 1e3)
        try:
            yield ExtensionBrowser(context)
        finally:
            with suppress(PlaywrightError):  # it was killed
                context.close()


def kill_browser(profile: Path) -> None:
    """End every process of the browser on this profile at once, as a loss of power does (Linux)."""
    children: dict[int, list[int]] = {}
    commands: dict[int, str] = {}  # words apart by spaces or zeros, as the process left them
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # the process ended in between
            number = int(process.name)
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            commands[number] = (process / "cmdline").read_bytes().decode("utf-8", "replace")
            children.setdefault(parent, []).append(number)
    waiting = [number for number, command in commands.items() if f"--user-data-dir={profile}\0" in command]
    while waiting:
        number = waiting.pop()
        waiting += children.get(number, [])
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def extension_with_access(extension: Path, target: Path, origins: tuple[str, ...]) -> Path:
    """A copy of the extension that may read the given origins without asking; returns `target`.

    The browser's own permission prompt cannot be answered without a screen, so tests and headless runs are
    given at installation what a person grants by a click.
    """
    shutil.copytree(extension, target)
    path = target / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["host_permissions"] = list(origins)
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return target


@contextmanager
def entered(page: Page, origin: str) -> Iterator[None]:
    """Wait, at the end of the block, until a script of an extension has come into the page.

    `origin` is that of the extension. Raises HarnessError when none comes.
    """
    cdp = page.context.new_cdp_session(page)
    worlds: list[str] = []
    cdp.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]["origin"]))
    cdp.send("Runtime.enable")
    worlds.clear()
    yield
    deadline = time.monotonic() + PATIENCE_S
    while origin not in worlds:
        if time.monotonic() > deadline:
            raise HarnessError(f"no script of {origin} came into {page.url}")
        cdp.send("Target.getTargetInfo")  # events come in while something is asked
    cdp.detach()


def until(page: Page, script: str, arg: Any = None) -> Any:
    """The first truthy value of an asynchronous function in the page.

    `Page.wait_for_function` would take the promise itself for the value. Raises HarnessError when none comes.
    """
    deadline = time.monotonic() + PATIENCE_S
    while not (value := page.evaluate(script, arg)):
        if time.monotonic() > deadline:
            raise HarnessError(f"waited {PATIENCE_S:.0f} s for {script}")
        time.sleep(POLL_S)
    return value
