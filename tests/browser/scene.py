"""A scene of the panel: what the browser and the engine tell it, and the hands of its reader."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

import ui_driver
from ui_driver import PLAN

Record = dict[str, Any]
NOW = 1_764_000_000_000.0

TITLES = (
    ("https://www.tidalpower.example/report/2024", "How tidal stream turbines work - Tidal Power Review"),
    (
        "https://docs.python.example/3/library/asyncio.html#tasks",
        "asyncio — Asynchronous I/O — Python documentation",
    ),
    ("https://ar.wiki.example/wiki/طاقة", "طاقة المد والجزر: كيف تولد البحار الكهرباء؟ (ويكيبيديا)"),
    ("https://he.news.example/energy", "אנרגיית גאות ושפל: תחנת הכוח החדשה ב-Swansea Bay"),
    ("https://zh.example/energy", "潮汐能发电：原理、现状与前景——一个非常长的标题用来检查截断是否正确显示"),
    (
        "https://engineering.longname-company-blog.example/a/b/c?utm_source=x",
        "A very long title that goes on and on about the many ways of harvesting energy from the sea",
    ),
    ("https://news.example/", ""),
)


def chrome_tab(tab_id: int, url: str, title: str, **more: Any) -> Record:
    """A tab as `chrome.tabs.query` returns it."""
    record: Record = {
        "id": tab_id,
        "windowId": 1,
        "index": tab_id,
        "url": url,
        "title": title,
        "active": tab_id == 1,
        "status": "complete",
        "discarded": False,
        "frozen": False,
        "incognito": False,
        "lastAccessed": NOW - tab_id * 1000.5,
    }
    return record | more


def page_row(url: str, title: str, **more: Any) -> Record:
    """A PageRow of the protocol."""
    record: Record = {
        "source": url.partition("#")[0],
        "url": url,
        "title": title,
        "n_words": 1234,
        "n_pages": 0,
        "no_captions": False,
        "n_chunks": 12,
        "n_removed": 0,
        "n_total_chars": 8000,
        "n_read_chars": 8000,
        "captured_at": NOW,
    }
    return record | more


def citation(number: int, url: str, title: str, quote: str) -> Record:
    """A Citation of the protocol."""
    return {
        "number": number,
        "source": url,
        "url": url,
        "title": title,
        "chunk_id": f"c{number}",
        "start": 0,
        "end": len(quote),
        "quote": quote,
        "before": "Engineers have long known this. ",
        "after": " The next survey is due in spring.",
        "page_number": None,
        "seconds": None,
        "link": None,
    }


def sentence(text: str, verdict: str, citations: list[int], *reasons: str) -> Record:
    """A Sentence of the protocol."""
    return {"text": text, "verdict": verdict, "citations": citations, "reasons": list(reasons)}


TIDAL, HEBREW = TITLES[0], TITLES[3]
CITATIONS = [
    citation(
        1,
        *TIDAL,
        "A tidal stream turbine turns moving water into electricity; water is 830 times denser than air",
    ),
    citation(2, *TIDAL, "The MeyGen array in Scotland has an installed capacity of 6 MW."),
    citation(3, *HEBREW, "תחנת הכוח צפויה לספק חשמל ל-155,000 בתים."),
]
SENTENCES = [
    sentence(
        "A tidal stream turbine turns moving water into power; water is about 830 times denser than air.",
        "supported",
        [1],
    ),
    sentence("תחנת הכוח צפויה לספק חשמל ל-155,000 בתים.", "supported", [3]),
    sentence(
        "The MeyGen array in Scotland has a capacity of 6 MW and powers the whole county.",
        "partly",
        [2],
        "missing:county",
    ),
    sentence("It was the first array in the world to reach 60 MW.", "contradicted", [2], "number:60"),
    sentence("Seabirds are said to avoid the turbines.", "not_found", [1]),
    sentence("Tides can be predicted years ahead.", "uncited", []),
]


def answer(question: str, sentences: list[Record], citations: list[Record], **more: Any) -> Record:
    """An Answer of the protocol."""
    timings = [
        {"stage": "plan", "ms": 1.2},
        {"stage": "retrieve", "ms": 41.0},
        {"stage": "verify", "ms": 12.5},
    ]
    plan = PLAN | {"question": question, "queries": [question]}
    told = {"question": question, "plan": plan, "timings": timings}
    return ui_driver.answer(*sentences, citations=tuple(citations), **(told | more))


class Scene:
    """One panel page with its scripted engine."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.wait_for_selector("[data-test=engine-state][data-state=ready]")

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of the stub and let the panel draw."""
        self.page.evaluate("([name, args]) => stub[name](...args)", [name, list(arguments)])
        self.settle()

    def settle(self) -> None:
        """Wait until the messages on their way have been drawn: a round trip and two frames."""
        self.page.evaluate(
            "new Promise(done => setTimeout(() =>"
            " requestAnimationFrame(() => requestAnimationFrame(done)), 80))"
        )

    def last(self, kind: str) -> Record:
        """The last request of a kind."""
        self.page.wait_for_function("kind => stub.last(kind)", arg=kind)
        request: Record = self.page.evaluate("kind => stub.last(kind)", kind)
        return request

    def pages(self, pages: list[Record]) -> None:
        """Fill the library, as if it had been saved before."""
        self.page.evaluate("pages => { stub.pages = pages }", pages)
        self.call("notice", "ready", "epoch-1")
        self.click("view-pages")
        self.click("view-chat")
        self.settle()

    def tabs(self, tabs: list[Record]) -> None:
        """Open tabs in the window."""
        self.call("setTabs", tabs)
        self.settle()

    def access(self, *origins: str) -> None:
        """Let the browser have granted these match patterns."""
        self.call("setAccess", list(origins))

    def settings(self, *rules: tuple[str, str], **stored_too: Any) -> None:
        """Go to the settings page, with some rules of the reader stored."""
        own = [{"effect": effect, "pattern": pattern} for effect, pattern in rules]
        stored = {
            "version": 1,
            "rules": own,
            "categories_off": ["mail"],
            "preferences": {"other_windows": False},
        }
        stored |= stored_too
        self.page.add_init_script(
            f"stub.settings = {json.dumps(stored)}; stub.pages = {json.dumps(saved_pages())};"
            "stub.origins = ['https://www.tidalpower.example/*', 'https://docs.python.example/*']"
        )
        self.page.goto(self.page.url.replace("panel.html", "settings.html"))
        self.page.wait_for_selector("[data-test=counts]")
        self.settle()

    def click(self, hook: str) -> None:
        """Press the first visible control of that hook."""
        self.page.locator(f"[data-test={hook}]:visible").first.click()

    def ask(self, question: str, kind: str = "ask") -> str:
        """Ask and return the id of the request, which is of this kind."""
        self.page.locator("[data-test=question]").fill(question)
        self.page.keyboard.press("Enter")
        self.settle()
        return str(self.last(kind)["id"])


def window_tabs() -> list[Record]:
    """Tabs with every kind of title, and some that cannot be read."""
    tabs = [chrome_tab(number, url, title) for number, (url, title) in enumerate(TITLES, start=1)]
    tabs.append(chrome_tab(20, "chrome://extensions/", "Extensions"))
    tabs.append(
        chrome_tab(21, "https://sleepy.example/article", "An article in a sleeping tab", discarded=True)
    )
    return tabs


def saved_pages() -> list[Record]:
    """Pages of open tabs and one that is not open."""
    return [
        page_row(*TITLES[0]),
        page_row(*TITLES[2], n_removed=3),
        page_row(*TITLES[3], n_words=1),
        page_row(
            "https://archive.example/paper",
            "The energy yield of tidal lagoons",
            n_words=20480,
            n_read_chars=4000,
        ),
    ]
