"""Saved conversations as the engine tells them, and a panel in which one is open."""

from typing import Any

from ui_driver import NOW_MS, Driver, Record, answer, citation, page, sentence, tab, text_of

A = "https://a.example/"
FILTER: Record = {"sites": [], "after": 0, "before": 0, "prefer_recent": False}
TOLD = answer(sentence("It is so."), citations=(citation(1),))


def row(name: str, **more: Any) -> Record:
    record: Record = {
        "id": name,
        "title": f"About {name}",
        "created_at": NOW_MS,
        "updated_at": NOW_MS,
        "pinned": False,
        "n_turns": 1,
        "head": "t1",
    }
    return record | more


def turn(name: str, parent: str = "", *, state: str = "done", kind: str = "ask", **more: Any) -> Record:
    request: Record = {"type": kind, "question": f"What is {name}?", "sources": [], "filter": FILTER}
    request |= {"thread": "sea", "parent": parent, "mode": "convex", "engine": "", "strict": None}
    if kind == "ask":
        request |= {"k": 8, "style": "auto"}
    record: Record = {
        "id": name,
        "parent": parent,
        "question": f"What is {name}?",
        "state": state,
        "asked_at": NOW_MS,
        "request": request,
        "answer": TOLD if state == "done" else None,
        "sentences": [],
        "citations": [],
        "error": "",
        "has_receipt": True,
        "whole": True,
    }
    return record | more


def opened(*turns: Record, head: str = "", rows: tuple[Record, ...] = (), name: str = "id") -> Driver:
    """A panel in which a saved conversation is open."""
    driver = Driver(name)
    driver.saved = [row("sea"), *rows]
    driver.ready(page(A))
    driver.do("tabs", tabs=[tab(1, A)])
    shown = row("sea", head=head or turns[-1]["id"], n_turns=len(turns))
    driver.done(driver.last("thread"), {"row": shown, "turns": list(turns)})
    return driver


def asked(driver: Driver) -> list[str]:
    """The questions that are drawn, in order."""
    return [text_of(node[2][0][2][0]) for node in driver.shown("answer")]


def states(driver: Driver) -> list[str]:
    return [node[1]["data-state"] for node in driver.shown("answer")]
