"""How long work goes on, and how that is said."""

from collections.abc import Iterator
from typing import Any

import pytest

from tabwise.protocol import codec
from tabwise.ui.progress import left_ms, stage_left_ms, stage_of
from tabwise.ui.text import duration
from ui_driver import NOW_MS, Driver, page, tab, text_of

A, B, C = (f"https://{name}.example/" for name in "abc")


def progress(stage: str, done: int, total: int) -> dict[str, Any]:
    return {"stage": stage, "done": done, "total": total, "unit": "chunks"}


def test_what_is_left_takes_as_long_for_each_as_what_was_done() -> None:
    assert left_ms(30, 120, 10_000) == 30_000


@pytest.mark.parametrize(("done", "total", "spent_ms"), [(0, 9, 9e3), (9, 9, 9e3), (3, 9, 2e3), (1, 99, 9e3)])
def test_too_early_and_at_the_end_nothing_is_told(done: int, total: int, spent_ms: float) -> None:
    assert left_ms(done, total, spent_ms) == 0


def test_a_stage_is_timed_from_where_it_began_and_counts_down_between_its_events() -> None:
    read = stage_of(None, progress("read", 2, 2), 1_000)
    began = stage_of(read, progress("embed", 20, 100), 2_000)
    later = stage_of(began, progress("embed", 60, 100), 12_000)
    assert stage_left_ms(began, 2_000) == 0
    assert stage_left_ms(later, 12_000) == 10_000
    assert stage_left_ms(later, 15_000) == 7_000
    assert stage_left_ms(later, 40_000) == 0


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (1, "5 s"),
        (5_000, "5 s"),
        (5_100, "10 s"),
        (55_000, "55 s"),
        (56_000, "1 min"),
        (61_000, "2 min"),
        (3_540_000, "59 min"),
        (3_600_000, "1 h 0 min"),
        (4_800_000, "1 h 20 min"),
    ],
)
def test_a_rough_duration(ms: float, said: str) -> None:
    assert duration(ms) == said


def test_adding_pages_tells_text_read_and_time_left_of_each_stage() -> None:
    driver = Driver()
    driver.ready()
    driver.do("tabs", tabs=[tab(1, A, active=True), tab(2, B), tab(3, C)])
    driver.do("view", value="pages")
    driver.press("add-all")
    driver.granted(driver.press("allow-sites"))
    request = driver.last("index")
    for tab_id, url in ((1, A), (2, B)):
        row = {"tab_id": tab_id, "state": "added", "page": page(url), "failure": None}
        driver.event(request, "row", row=row)
    driver.do("tick", now=NOW_MS + 20_000)
    shown = text_of(driver.shown("progress")[0])
    assert "2 of 3 · 16 KB" in shown
    assert "about 10 s left" in shown
    row = {"tab_id": 3, "state": "added", "page": page(C), "failure": None}
    driver.event(request, "row", row=row)
    for done, at in ((0, 21_000), (10, 31_000)):
        event = codec.encode_event(
            request["id"], "progress", stage="embed", done=done, total=40, unit="chunks"
        )
        driver.do("wire", text=event, now=NOW_MS + at)
    driver.do("tick", now=NOW_MS + 31_000)
    shown = text_of(driver.shown("progress")[0])
    assert "10 of 40 passages" in shown
    assert "about 30 s left" in shown
    (bar,) = [node for node in _nodes(driver.shown("progress")[0]) if node[0] == "progress"]
    assert bar[1]["value"] == "250"


def _nodes(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        yield node
        for child in node[2]:
            yield from _nodes(child)
