"""States of the cards with summaries and hints, and of their settings, through the wire alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.answer_scenes import PREVIEW, SERVICES
from browser.scene import NOW, TITLES, Scene, saved_pages, window_tabs

Record = dict[str, Any]
INTERESTS = ["Tidal power in Europe", "الطاقة المتجددة", "The price of a very long list of things " * 3]
TEXTS: dict[str, list[str]] = {
    TITLES[0][0]: [
        "Tidal stream turbines turn in the current as wind turbines do in the wind.",
        "A turbine of 20 metres gives up to 2 MW where the current reaches 3 metres a second.",
        "Four of them have worked in the Pentland Firth since 2016.",
    ],
    TITLES[2][0]: ["تولد محطات المد والجزر الكهرباء من حركة مياه البحر مرتين في اليوم."],
    "https://archive.example/paper": [
        "A lagoon holds water back with a wall and lets it out through turbines when the sea is low, which",
        "Power comes four times a day, on a timetable that is known for centuries.",
    ],
}


def summary(source: str, **more: Any) -> Record:
    """A Summary of one of the pages."""
    sentences: list[Record] = [
        {"text": text, "start": 0, "end": len(text), "verdict": "supported"} for text in TEXTS[source]
    ]
    record: Record = {
        "source": source,
        "url": source,
        "title": "A title",
        "engine": "extractive",
        "headline": sentences[0],
        "sentences": sentences,
        "made_at": NOW,
        "read_share": 1.0,
    }
    return record | more


def told(scene: Scene, *sources: str) -> None:
    """Show the Pages view with these summaries."""
    scene.tabs(window_tabs())
    scene.pages(saved_pages())
    scene.click("view-pages")
    scene.settle()
    scene.call("done", scene.last("summaries")["id"], [summary(source) for source in sources])


def summaries(scene: Scene) -> None:
    """Every page but one has its line."""
    told(scene, *TEXTS)


def summary_unfolded(scene: Scene) -> None:
    """The sentences of one, by a writer who read a part of it, one of them doubted."""
    told(scene)
    scene.click("view-pages")
    scene.settle()
    written = summary(TITLES[0][0], engine="summarizer", read_share=0.62)
    written["sentences"][1]["verdict"] = "partly"
    scene.call("done", scene.last("summaries")["id"], [written, summary(TITLES[2][0])])
    for place in (0, 1):
        scene.page.locator("[data-test=summary]").nth(place).click()
    scene.settle()


def summarising(scene: Scene) -> None:
    """Those that are missing are made: part of a long page is written."""
    told(scene, TITLES[2][0])
    scene.click("summarise")
    scene.settle()
    request = scene.last("summarise")["id"]
    scene.call("event", request, "progress", {"stage": "summarise", "done": 0, "total": 3, "unit": "pages"})
    part = {"source": TITLES[0][0], "text": " ".join(TEXTS[TITLES[0][0]][:2]), "number": 2, "n_parts": 5}
    scene.call("event", request, "summary_part", part)


def summaries_sending(scene: Scene) -> None:
    """A service is to write them: what would go there is shown first."""
    engine = "provider:" + SERVICES[0]["id"]
    scene.call("setSettings", {"providers": SERVICES, "preferences": {"summary_engine": engine}})
    summaries(scene)
    destination = {"origin": PREVIEW["destination"]["origin"], "purpose": "summary"}
    preview = PREVIEW | {"destination": destination}
    scene.call("done", scene.last("egress_preview")["id"], preview)


def tab_hints(scene: Scene) -> None:
    """Tabs that are likely of interest, and one that can be closed."""
    summaries(scene)
    scene.call("setSettings", {"version": 1, "interests": INTERESTS})
    hint = {"source": "", "similarity": 0.5, "interest": "", "days_unused": 0.0}
    near = {"flag": "interesting", "reasons": ["near_interest"]}
    far = {"flag": "closable", "reasons": ["no_interest_near", "unused", "saved"], "days_unused": 12.5}
    found = [
        hint | near | {"url": TITLES[0][0], "interest": INTERESTS[0]},
        hint | near | {"url": TITLES[2][0], "interest": INTERESTS[2]},
        hint | far | {"url": TITLES[3][0]},
    ]
    scene.call("done", scene.last("interest")["id"], found)


def settings_interests(scene: Scene) -> None:
    """Interests, and one that cannot be added."""
    scene.settings(interests=INTERESTS)
    scene.click("interest-add")
    scene.settle()


SCENES: dict[str, Callable[[Scene], None]] = {
    "summaries": summaries,
    "summary_unfolded": summary_unfolded,
    "summarising": summarising,
    "summaries_sending": summaries_sending,
    "tab_hints": tab_hints,
    "settings_interests": settings_interests,
}
