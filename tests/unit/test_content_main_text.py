"""The main-content adapter: what it hands on, and what it does when the extractor cannot."""

import asyncio
import logging
from typing import Any

import pytest

from tabwise.adapters.content import main_text
from tabwise.adapters.content.main_text import MAX_HTML_CHARS, TrafilaturaContent
from tabwise.core.model import Capture
from tabwise.core.page.capture import decode_capture

pytestmark = pytest.mark.native

ARTICLE = (
    "The tidal power station on the Rance was opened in 1966 and was the first of its kind in the world.",
    "Its twenty-four bulb turbines turn in both directions and feed about half a terawatt hour a year.",
    "The lock beside it lets several thousand boats pass every summer, and a road leads across the barrage.",
)
MENU = [
    "nav",
    {},
    ["ul", {}, *(["li", {}, ["a", {"href": "/"}, word]] for word in ("Home", "Travel", "Login"))],
]


def capture_of(*children: Any) -> Capture:
    value = {
        "v": 1,
        "url": "https://example.com/rance",
        "canonical_url": "",
        "title": "Rance",
        "language": "en",
        "n_total_chars": 0,
        "n_read_chars": 0,
        "has_password": False,
        "has_payment": False,
        "has_video": False,
        "is_selection": False,
        "root": ["body", {}, *children],
    }
    return decode_capture(value)


def article() -> Capture:
    paragraphs = (["p", {}, text] for text in ARTICLE)
    footer = ["footer", {}, ["p", {}, "All rights reserved by nobody in particular."]]
    return capture_of(MENU, ["article", {}, ["h1", {}, "Rance"], *paragraphs], footer)


def select(capture: Capture, **options: Any) -> str | None:
    return asyncio.run(TrafilaturaContent(**options).select(capture))


def test_article_is_selected_and_navigation_is_not() -> None:
    text = select(article())
    assert text is not None
    assert [line for line in text.splitlines() if line != "Rance"] == list(ARTICLE)


def test_page_without_text_has_no_main_part() -> None:
    assert select(capture_of()) is None


def test_failing_extractor_is_logged_and_leaves_the_whole_page(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(html: str) -> str:
        raise RecursionError("too deep")

    monkeypatch.setattr(main_text, "_extract", fail)
    with caplog.at_level(logging.WARNING):
        assert select(article()) is None
    assert caplog.messages == [
        "main content of https://example.com/rance not found: RecursionError: too deep"
    ]


def test_giant_page_is_not_given_to_the_extractor(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(main_text, "_extract", lambda html: given.append(len(html)))
    select(capture_of(["p", {}, "x" * MAX_HTML_CHARS]))
    select(capture_of(["p", {}, "x" * (MAX_HTML_CHARS - 200)]))
    assert len(given) == 1


def test_packages_are_prepared_once_before_the_first_page() -> None:
    calls: list[str] = []

    async def prepare() -> None:
        calls.append("prepared")

    async def two_pages() -> None:
        content = TrafilaturaContent(prepare=prepare)
        await content.select(article())
        await content.select(article())

    asyncio.run(two_pages())
    assert calls == ["prepared"]


def test_failing_preparation_leaves_the_whole_page_and_is_tried_again() -> None:
    calls: list[str] = []

    async def prepare() -> None:
        calls.append("tried")
        if len(calls) == 1:
            raise OSError("archive is gone")

    async def two_pages() -> list[str | None]:
        content = TrafilaturaContent(prepare=prepare)
        return [await content.select(article()), await content.select(article())]

    first, second = asyncio.run(two_pages())
    assert first is None
    assert second is not None
