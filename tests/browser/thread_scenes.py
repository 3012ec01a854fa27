"""States of conversations: an open one, its versions, the list of saved ones, through the wire alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from browser.panel_scenes import starters
from browser.scene import CITATIONS, SENTENCES, TITLES, Scene, answer
from tabwise.protocol.tables.answers import NO_FILTER

Record = dict[str, Any]
DAY_MS = 86_400_000
QUESTIONS = (
    "How do tidal stream turbines work, and how much power do they give?",
    "And what about birds?",
    "מהי אנרגיית גאות ושפל?",
    "Which countries plan to build more of them in the coming years, and what will that cost?",
)


def row(name: str, title: str, days_ago: float, **more: Any) -> Record:
    """A ThreadRow of the protocol, changed some days ago."""
    at = time.time() * 1000 - days_ago * DAY_MS
    record: Record = {"id": name, "title": title, "created_at": at, "updated_at": at, "pinned": False}
    return record | {"n_turns": 3, "head": "t3"} | more


def turn(name: str, parent: str, question: str, **more: Any) -> Record:
    """A ThreadTurn of the protocol that was answered."""
    request: Record = {"type": "ask", "question": question, "sources": [], "filter": NO_FILTER, "k": 8}
    request |= {"mode": "convex", "style": "auto", "engine": "", "strict": None}
    record: Record = {
        "id": name,
        "parent": parent,
        "question": question,
        "state": "done",
        "asked_at": time.time() * 1000,
        "request": request | {"thread": "sea", "parent": parent},
        "answer": answer(question, SENTENCES[:3], CITATIONS),
        "sentences": [],
        "citations": [],
        "error": "",
        "has_receipt": True,
        "whole": True,
    }
    return record | more


def chain(n: int, *, n_whole: int = 8) -> list[Record]:
    """A conversation of n turns, the first ones without their answers."""
    turns = []
    for place in range(n):
        more: Record = {} if n - place <= n_whole else {"whole": False, "answer": None}
        question = QUESTIONS[place % len(QUESTIONS)]
        turns.append(turn(f"t{place}", f"t{place - 1}" if place else "", question, **more))
    return turns


def open_thread(scene: Scene, turns: list[Record]) -> None:
    """Open the panel anew while this conversation is the last one."""
    shown = row("sea", QUESTIONS[0], 0, n_turns=len(turns), head=turns[-1]["id"])
    stored = {"row": shown, "turns": turns}
    scene.page.add_init_script(f"stub.thread = {json.dumps(stored)}; stub.threads = {json.dumps([shown])};")
    scene.page.reload()
    scene.page.wait_for_selector("[data-test=answer]")
    starters(scene)


def list_threads(scene: Scene) -> None:
    """Look at the history of some months."""
    rows = [
        row("sea", QUESTIONS[0], 0.01, n_turns=12),
        row("pin", "Questions for the thesis", 90, pinned=True),
        row("ar", TITLES[2][1], 0.02, n_turns=1),
        row("yesterday", TITLES[5][1], 1),
        row("week", TITLES[4][1], 4),
        row("old", "Rent and heating", 45),
        row("older", "What the new asyncio does", 420),
    ]
    starters(scene)
    scene.page.evaluate("rows => { stub.threads = rows }", rows)
    scene.click("view-history")
    scene.settle()


def thread_long(scene: Scene) -> None:
    """More questions than are drawn, the second last asked in two versions."""
    turns = chain(12)
    turns.append(turn("v", "t10", "And what about fish?"))
    open_thread(scene, turns)


def thread_interrupted(scene: Scene) -> None:
    part = {"answer": None, "sentences": SENTENCES[:1], "citations": CITATIONS[:1]}
    open_thread(scene, [turn("t0", "", QUESTIONS[0], state="interrupted", **part)])


def thread_editing(scene: Scene) -> None:
    open_thread(scene, chain(2))
    scene.page.locator("[data-test=edit]").last.focus()
    scene.page.keyboard.press("Enter")
    scene.settle()


def history(scene: Scene) -> None:
    list_threads(scene)
    scene.page.locator("[data-test=past-open]").nth(2).focus()


def history_found(scene: Scene) -> None:
    list_threads(scene)
    text = "…water is about 830 times denser than air, so that a turbine of the same size gives more…"
    start = text.index("denser")
    match = {"thread": "sea", "turn": "t1", "excerpt": text, "start": start, "end": start + 6}
    title = {"thread": "older", "turn": "", "excerpt": "What the new asyncio does", "start": 0, "end": 4}
    scene.page.evaluate("matches => { stub.matches = matches }", [match, title])
    scene.page.locator("[data-test=past-filter]").fill("denser")
    scene.settle()


def history_found_nothing(scene: Scene) -> None:
    list_threads(scene)
    scene.page.locator("[data-test=past-filter]").fill("zygote marmalade")
    scene.settle()


def history_naming(scene: Scene) -> None:
    list_threads(scene)
    scene.page.locator("[data-test=past-open]").nth(1).focus()
    scene.page.keyboard.press("F2")
    scene.settle()


def history_clearing(scene: Scene) -> None:
    list_threads(scene)
    scene.click("past-clear")
    scene.settle()


def history_removed(scene: Scene) -> None:
    list_threads(scene)
    scene.page.locator("[data-test=past-open]").nth(1).focus()
    scene.page.keyboard.press("Delete")
    scene.settle()


def history_empty(scene: Scene) -> None:
    starters(scene)
    scene.click("view-history")
    scene.settle()


SCENES: dict[str, Callable[[Scene], None]] = {
    "thread_long": thread_long,
    "thread_interrupted": thread_interrupted,
    "thread_editing": thread_editing,
    "history": history,
    "history_found": history_found,
    "history_found_nothing": history_found_nothing,
    "history_naming": history_naming,
    "history_clearing": history_clearing,
    "history_removed": history_removed,
    "history_empty": history_empty,
}
