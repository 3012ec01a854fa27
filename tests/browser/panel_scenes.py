"""The states of the panel that are looked at and checked, each brought about through the wire alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

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
    record: Record = {
        "id": "answer-1",
        "question": question,
        "plan": PLAN | {"question": question, "queries": [question]},
        "found": bool(sentences),
        "engine": "extractive",
        "engine_label": "extractive",
        "semantic": True,
        "sentences": sentences,
        "citations": citations,
        "hits": [],
        "timings": [
            {"stage": "plan", "ms": 1.2},
            {"stage": "retrieve", "ms": 41.0},
            {"stage": "verify", "ms": 12.5},
        ],
        "store": "local",
        "why_local": "",
        "missing": [],
        "fallback": None,
        "given": [],
        "dropped": [],
        "notices": [],
        "agreement": None,
    }
    return record | more


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


def first_run(scene: Scene) -> None:
    scene.tabs(window_tabs())


def starters(scene: Scene) -> None:
    scene.tabs(window_tabs())
    scene.pages(saved_pages())


def pages_mixed(scene: Scene) -> None:
    starters(scene)
    scene.click("view-pages")
    scene.settle()


def indexing(scene: Scene) -> None:
    scene.access("<all_urls>")
    scene.tabs(window_tabs())
    scene.click("view-pages")
    scene.click("add-all")
    scene.settle()
    request = scene.last("index")
    ids = [t["tab_id"] for t in request["tabs"]]
    states: list[tuple[str, Record | None, str]] = [
        ("added", page_row(*TITLES[0]), ""),
        ("failed", None, "tab_needs_permission"),
        ("unchanged", page_row(*TITLES[2]), ""),
        ("failed", None, "page_empty"),
        ("reading", None, ""),
    ]
    for tab_id, (state, page, code) in zip(ids, states, strict=False):
        failure = {"code": code, "subject": "", "message": code} if code else None
        scene.call(
            "event",
            request["id"],
            "row",
            {"row": {"tab_id": tab_id, "state": state, "page": page, "failure": failure}},
        )
    scene.call(
        "event", request["id"], "progress", {"stage": "embed", "done": 120, "total": 340, "unit": "chunks"}
    )


def asking(scene: Scene) -> None:
    starters(scene)
    request = scene.ask("How do tidal stream turbines work, and how much power do they give?")
    for stage in ("plan", "retrieve"):
        scene.call("event", request, "progress", {"stage": stage, "done": 1, "total": 1, "unit": "searches"})
    scene.call("event", request, "progress", {"stage": "verify", "done": 2, "total": 6, "unit": "sentences"})
    for index in range(2):
        scene.call(
            "event",
            request,
            "sentence",
            {"index": index, "sentence": SENTENCES[index], "citations": CITATIONS},
        )


def answered(scene: Scene) -> None:
    starters(scene)
    question = "How do tidal stream turbines work, and how much power do they give?"
    scene.call("done", scene.ask(question), answer(question, SENTENCES, CITATIONS, semantic=False))


def excerpt(scene: Scene) -> None:
    answered(scene)
    scene.page.locator("[data-test=chip]").first.focus()
    scene.settle()


def excerpt_rtl(scene: Scene) -> None:
    answered(scene)
    scene.page.locator("[data-test=chip]").nth(1).hover()
    scene.settle()


def nothing_found(scene: Scene) -> None:
    starters(scene)
    question = "Who won the 1954 world cup?"
    scene.call("done", scene.ask(question), answer(question, [], []))


def stopped(scene: Scene) -> None:
    asking(scene)
    scene.click("stop")
    scene.settle()


def failed(scene: Scene) -> None:
    starters(scene)
    scene.call("error", scene.ask("What does it cost?"), "engine_lost")


def thread(scene: Scene) -> None:
    answered(scene)
    question = "And what about birds?"
    scene.call("done", scene.ask(question), answer(question, SENTENCES[:1], CITATIONS[:1]))


def restarting(scene: Scene) -> None:
    asking(scene)
    scene.call("notice", "restarting", "epoch-1")


def damaged(scene: Scene) -> None:
    scene.tabs(window_tabs())
    scene.call("notice", "failed", "epoch-1", "store_corrupt")


def too_long(scene: Scene) -> None:
    starters(scene)
    scene.page.locator("[data-test=question]").fill("word " * 2100)
    scene.page.keyboard.press("Enter")
    scene.settle()


def removed(scene: Scene) -> None:
    pages_mixed(scene)
    scene.page.locator("[data-test=library-row]").first.hover()
    scene.page.locator("[data-test=library-row] [data-test=remove]").first.click()
    scene.settle()


def filtered(scene: Scene) -> None:
    pages_mixed(scene)
    scene.page.locator("[data-test=tab-row] input").first.check()
    scene.page.locator("[data-test=filter]").fill("tidal")
    scene.settle()


def choosing_sites(scene: Scene) -> None:
    scene.tabs(window_tabs())
    scene.click("view-pages")
    scene.click("add-all")
    scene.settle()


def choosing_in_chat(scene: Scene) -> None:
    scene.tabs(window_tabs())
    scene.page.locator(".first-acts button").last.click()
    scene.settle()


def kept_out(scene: Scene) -> None:
    """Rows of pages that are read only with another word: rules, secrets, sleep, refusal; another window."""
    scene.access("<all_urls>")
    listed = [
        chrome_tab(1, *TITLES[0]),
        chrome_tab(2, "https://login.shop.example/", "Sign in to your account"),
        chrome_tab(3, "https://pay.shop.example/basket", "Your basket: pay by card"),
        chrome_tab(4, "https://www.paypal.com/myaccount/summary", "PayPal: Summary"),
        chrome_tab(5, "http://192.168.1.1/admin", "Router"),
        chrome_tab(6, "https://hr.example.com/pay", "Payslip"),
        chrome_tab(7, "https://sleepy.example/article", "An article in a sleeping tab", discarded=True),
        chrome_tab(8, "https://drowsy.example/", "A tab that is being woken", discarded=True),
        chrome_tab(9, TITLES[3][0], TITLES[3][1], discarded=True),
        chrome_tab(10, *TITLES[5], windowId=2),
    ]
    scene.tabs(listed)
    scene.pages([page_row(*TITLES[3]), page_row(*TITLES[0], n_read_chars=200_000, n_total_chars=1_234_567)])
    rules = [{"effect": "deny", "pattern": "hr.example.com"}]
    stored = {"version": 1, "rules": rules, "categories_off": [], "preferences": {"other_windows": True}}
    scene.call("setSettings", stored)
    scene.click("view-pages")
    scene.click("add-all")
    scene.settle()
    request = scene.last("index")
    for tab_id, code in ((2, "page_has_password"), (3, "page_has_payment")):
        failure = {"code": code, "subject": "", "message": ""}
        row = {"tab_id": tab_id, "state": "failed", "page": None, "failure": failure}
        scene.call("event", request["id"], "row", {"row": row})
    scene.call("event", request["id"], "cancelled")
    scene.page.locator("[data-test=wake]").last.click()
    scene.settle()


def settings_page(scene: Scene) -> None:
    scene.settings(("deny", "*.example.com"), ("allow", "127.0.0.1"), ("deny", "hr.example.org/private"))


def settings_fault(scene: Scene) -> None:
    scene.settings()
    scene.page.locator("[data-test=rule]").fill("exa*mple.com")
    scene.click("rule-deny")
    scene.click("clear")
    scene.settle()


def hit(place: int, url: str, title: str, text: str, **more: Any) -> Record:
    """A Hit of the protocol."""
    record: Record = {
        "chunk_id": f"c{place}",
        "source": url,
        "url": url,
        "title": title,
        "heading_path": ["Turbines", "How they turn"],
        "text": text,
        "start": 0,
        "end": len(text),
        "score": 1.0 / place,
        "dense": 0.72,
        "lexical": 8.4,
        "rank_dense": place,
        "rank_lexical": place + 1,
        "rank_fused": place,
        "word_order": 0.0,
        "recency": 0.0,
    }
    return record | more


HITS = [
    hit(1, *TIDAL, CITATIONS[0]["quote"] + " " + "and more words about it " * 12, word_order=0.11),
    hit(2, *HEBREW, CITATIONS[2]["quote"], rank_lexical=None, lexical=0.0, rank_fused=3),
    hit(3, *TITLES[5], "Yield per square metre.", rank_dense=None, dense=None, heading_path=[], recency=0.05),
]


def found_page(url: str, title: str, excerpt: str, **more: Any) -> Record:
    """A FoundPage of the protocol."""
    record: Record = {
        "source": url,
        "url": url,
        "title": title,
        "by_meaning": False,
        "excerpt": excerpt,
        "start": 0,
        "end": len(excerpt),
    }
    return record | more


FOUND = [
    found_page(*TIDAL, "A tidal stream turbine turns moving water into electricity; turbines last 25 years."),
    found_page(*TITLES[4], "潮汐能发电的原理是利用潮水的涨落。"),
    found_page(*HEBREW, ""),
    found_page(*TITLES[5], "Mills in the sea are turned by the moon.", by_meaning=True),
]


def finding(scene: Scene) -> None:
    """Words are found, meaning is still on its way."""
    pages_mixed(scene)
    scene.page.locator("[data-test=filter]").fill("tidal turbines 潮汐")
    request = scene.last("find")
    scene.call("event", request["id"], "found", {"pages": FOUND[:3]})


def found(scene: Scene) -> None:
    finding(scene)
    scene.call("done", scene.last("find")["id"], FOUND)
    scene.page.keyboard.press("ArrowDown")
    scene.settle()


def found_nothing(scene: Scene) -> None:
    pages_mixed(scene)
    scene.page.locator("[data-test=filter]").fill("zygote marmalade")
    scene.call("done", scene.last("find")["id"], [])


def narrowing(scene: Scene) -> None:
    starters(scene)
    scene.click("narrow")
    scene.page.locator("[data-test=span--1]").check(force=True)
    scene.page.locator("[data-test=date-from]").fill("2026-03-01")
    scene.page.locator("[data-test=date-to]").fill("2026-11-30")
    scene.page.locator("[data-test=recent]").check()
    scene.page.locator("[data-test=site]").first.click()
    scene.settle()


def narrowed(scene: Scene) -> None:
    narrowing(scene)
    scene.click("narrow")
    scene.settle()


def why(scene: Scene) -> None:
    starters(scene)
    question = "How do tidal stream turbines work?"
    scene.call("done", scene.ask(question), answer(question, SENTENCES[:2], CITATIONS, hits=HITS))
    scene.page.locator(".how summary").click()
    scene.page.locator(".why").scroll_into_view_if_needed()
    scene.settle()


def other_model(scene: Scene) -> None:
    """The stored vectors are of another model."""
    scene.page.add_init_script("stub.embedder.must_reembed = true; stub.embedder.stored = 'other'")
    scene.page.reload()
    scene.page.wait_for_selector("[data-test=offer]")
    starters(scene)


def reembedding(scene: Scene) -> None:
    other_model(scene)
    scene.click("reembed")
    progress = {"stage": "embed", "done": 120, "total": 340, "unit": "chunks"}
    scene.call("event", scene.last("reembed")["id"], "progress", progress)


MEASURED = {
    "n_questions": 100,
    "n_chunks": 340,
    "rows": [
        {
            "mode": mode,
            "recall_at_1": first,
            "recall_at_3": first + 0.1,
            "recall_at_10": first + 0.18,
            "reciprocal_rank": first + 0.07,
            "query_ms": ms,
        }
        for mode, first, ms in (
            ("convex", 0.81, 3.4),
            ("rrf", 0.78, 3.5),
            ("dense", 0.66, 2.2),
            ("lexical", 0.74, 1.1),
        )
    ],
}


def settings_measuring(scene: Scene) -> None:
    scene.settings()
    scene.click("measure")
    progress = {"stage": "retrieve", "done": 120, "total": 400, "unit": "searches"}
    scene.call("event", scene.last("self_test")["id"], "progress", progress)


def settings_measured(scene: Scene) -> None:
    settings_measuring(scene)
    scene.call("done", scene.last("self_test")["id"], MEASURED)
    scene.page.locator("[data-test=measured]").scroll_into_view_if_needed()


def settings_other_model(scene: Scene) -> None:
    scene.page.add_init_script("stub.embedder.must_reembed = true; stub.embedder.stored = 'other'")
    scene.settings()
    scene.click("reembed")
    scene.call("error", scene.last("reembed")["id"], "model_unavailable")


SCENES: dict[str, Callable[[Scene], None]] = {
    "first_run": first_run,
    "starters": starters,
    "pages_mixed": pages_mixed,
    "indexing": indexing,
    "asking": asking,
    "answered": answered,
    "excerpt": excerpt,
    "excerpt_rtl": excerpt_rtl,
    "nothing_found": nothing_found,
    "stopped": stopped,
    "failed": failed,
    "thread": thread,
    "restarting": restarting,
    "damaged": damaged,
    "too_long": too_long,
    "removed": removed,
    "filtered": filtered,
    "choosing_sites": choosing_sites,
    "choosing_in_chat": choosing_in_chat,
    "kept_out": kept_out,
    "settings": settings_page,
    "settings_fault": settings_fault,
    "finding": finding,
    "found": found,
    "found_nothing": found_nothing,
    "narrowing": narrowing,
    "narrowed": narrowed,
    "why": why,
    "other_model": other_model,
    "reembedding": reembedding,
    "settings_measuring": settings_measuring,
    "settings_measured": settings_measured,
    "settings_other_model": settings_other_model,
}
