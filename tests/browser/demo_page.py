"""The demo page as a person uses it. Controls are found by `data-test`."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import ConsoleMessage, Locator, Page

from buildlib.paths import DEMO

START_MS = 120_000
ANSWER_MS = 20_000


@dataclass
class Demo:
    """The opened page, and what it did while it loaded."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    found_first: str = ""
    hits_before_the_model: int = 0

    def open(self) -> None:
        """Load the page and wait for its first result."""
        assert (DEMO / "index.html").is_file(), "run `python3 scripts/build.py demo` first"
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.extend(_complaint(message)))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(self.address)
        self.first_result()

    def first_result(self) -> None:
        """Wait for the first result, and note how it was found."""
        self.wait("[data-test=list-fused] [data-test=hit]", timeout_ms=START_MS)
        self.found_first = str(self.part("found-by").get_attribute("data-by"))
        self.hits_before_the_model = self.part("hit").count()

    def part(self, test: str) -> Locator:
        """The element with this `data-test`."""
        return self.page.locator(f"[data-test={test}]")

    def wait(self, selector: str, *, timeout_ms: int = ANSWER_MS) -> None:
        """Wait until an element shows."""
        self.page.wait_for_selector(selector, timeout=timeout_ms)

    def settled(self) -> None:
        """Wait until every chunk has its vector and the last question is answered by meaning."""
        self.wait("[data-test=embedding][data-state=complete]", timeout_ms=START_MS)
        self.wait("[data-test=found-by][data-by=meaning]")
        self.wait("[data-test=answer][aria-busy=false]")

    def ask(self, query: str) -> None:
        """Type a question and wait for its answer."""
        self.part("query").fill(query)
        self.page.wait_for_function(
            "query => document.querySelector('[data-test=answer] .asked')?.textContent === query", arg=query
        )
        self.settled()


def _complaint(message: ConsoleMessage) -> list[str]:
    return [message.text] if message.type in ("error", "warning") else []
