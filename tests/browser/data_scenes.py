"""States of the library and of the settings about data, through the wire alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.panel_scenes import found_page
from browser.scene import TITLES, Scene, page_row, saved_pages, window_tabs
from browser.summary_scenes import TEXTS, summary

Record = dict[str, Any]
SITES = ("shore.example", "harbour.example", "a-very-long-name-of-a-site.example")
NONE = {"added": 0, "newer": 0, "older": 0, "same": 0, "only_here": 0}
# 14 November 2023 and the days before
BACKUPS = [
    {"name": f"backup-{n}.db", "made_at": 1_699_920_000_000 - n * 86_400_000, "size_bytes": 18_400_000}
    for n in range(3)
]
KEPT: Record = {"backups": BACKUPS, "n_lost": 0, "can_undo": True, "stats": None}
REPORT: Record = {
    "pages": NONE | {"added": 1204, "newer": 12, "same": 340, "only_here": 3},
    "threads": NONE | {"added": 28, "older": 2},
    "damaged": ["A page whose text is not the one that was stored, with a title that goes on and on", "גלים"],
    "n_damaged": 2,
    "written_at": 1_699_920_000_000,
    "program": "0.1.0",
    "schema_version": 1,
    "vectors": False,
    "settings": True,
}


def library(scene: Scene) -> None:
    """Many pages, in windows."""
    scene.tabs(window_tabs())
    pages = [
        page_row(f"https://{SITES[n % 3]}/{n}", "Notes on tides", captured_at=1_699_920_000_000)
        for n in range(240)
    ]
    scene.pages(saved_pages() + pages)
    scene.click("view-shelf")
    scene.settle()


def library_told(scene: Scene) -> None:
    """Pages with their summaries, one of them unfolded."""
    library(scene)
    scene.call("done", scene.last("summaries")["id"], [summary(source) for source in TEXTS])
    scene.page.locator("[data-test=summary]").first.click()
    scene.settle()


def library_looking(scene: Scene) -> None:
    """A title passes, the texts are still looked through."""
    library(scene)
    scene.page.locator("[data-test=shelf-text]").fill("lagoons")
    scene.settle()


def library_found(scene: Scene) -> None:
    """A word in a title and in the texts of other pages."""
    library_looking(scene)
    held = [
        found_page(*TITLES[0], "A wall that closes a bay makes lagoons of it, and tides turn turbines."),
        found_page(*TITLES[3], "תחנת הכוח הראשונה: lagoons"),
    ]
    scene.call("done", scene.last("find")["id"], held)


def library_filtered(scene: Scene) -> None:
    """Filters that nothing passes."""
    library(scene)
    scene.page.locator("[data-test=shelf-text]").fill("nowhere")
    scene.call("done", scene.last("find")["id"], [])


def library_empty(scene: Scene) -> None:
    """No page yet."""
    scene.click("view-shelf")
    scene.settle()


def library_refreshing(scene: Scene) -> None:
    """Saved pages are read again."""
    scene.access("<all_urls>")
    library(scene)
    scene.click("refresh-all")
    scene.settle()


def library_lost(scene: Scene) -> None:
    """The browser cleared its storage."""
    scene.call("done", scene.last("data_state")["id"], KEPT | {"n_lost": 1240})
    scene.settle()


def settings_data(scene: Scene) -> None:
    """Backups are there, an import can be undone, wiping is asked about."""
    scene.settings()
    scene.call("done", scene.last("data_state")["id"], KEPT)
    scene.click("wipe")
    scene.settle()


def settings_import(scene: Scene) -> None:
    """What a backup would change, some of it damaged."""
    scene.settings()
    scene.call("done", scene.last("data_state")["id"], KEPT)
    scene.click("backup-look")
    scene.call("done", scene.last("look_at_import")["id"], REPORT)
    scene.settle()


SCENES: dict[str, Callable[[Scene], None]] = {
    "library": library,
    "library_told": library_told,
    "library_looking": library_looking,
    "library_found": library_found,
    "library_filtered": library_filtered,
    "library_empty": library_empty,
    "library_refreshing": library_refreshing,
    "library_lost": library_lost,
    "settings_data": settings_data,
    "settings_import": settings_import,
}
