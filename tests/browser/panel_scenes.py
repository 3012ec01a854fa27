"""The states of the panel that are looked at and checked, each brought about through the wire alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.scene import (
    CITATIONS,
    HEBREW,
    SENTENCES,
    TIDAL,
    TITLES,
    Record,
    Scene,
    answer,
    chrome_tab,
    page_row,
    saved_pages,
    window_tabs,
)


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
    "n_answered": 97,
    "n_citations": 204,
    "n_at_the_place": 163,
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
