"""The PDF viewer in a real Chromium with a scripted engine: pages, marks, sizes, messages, by keyboard."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Route

from browser.axe import PICTURES, assert_accessible
from browser.layout import layout_faults, unforced_signs
from browser.panel_page import stubbed_pages
from browser.scene import page_row
from pdf_writer import Text, paragraph, write_pdf
from tabwise.core.page.pdf.capture import decode_pdf_pages
from tabwise.core.page.pdf.passages import Sought, find_passages

pytestmark = [pytest.mark.native, pytest.mark.browser]

URL = "https://papers.example/tides/barriers-of-the-north-sea.pdf"
PAGES = Path(__file__).parent / "pages" / "pdf"
TITLE = "How the barriers of the North Sea are kept, and what that costs: a report of forty years"
N_PAGES = 30
MAESLANT = "The Maeslantkering closes by itself when the water is expected to rise by three metres."
UPKEEP = "The upkeep of a barrier costs one hundredth of its price in every year."
FILL = [
    "A storm surge barrier stands open for most of its life, so that ships can pass and",
    "the tide keeps its rhythm, which is what distinguishes a barrier from a dam. It is",
    "closed a few times in a year, and every closing is a test of all of its parts.",
]


def report(*, changed: bool = False) -> bytes:
    """A paper with a passage on page 2 that goes on over the line, and one on page 25."""
    pages = []
    for number in range(1, N_PAGES + 1):
        texts = [Text(72, 720, f"Chapter {number}", size=18), *paragraph(72, 690, *FILL * 3)]
        if number == 2 and not changed:
            first, second = MAESLANT[:48].rstrip(), MAESLANT[48:].lstrip()
            texts += paragraph(72, 500, f"It is so. {first}", f"{second} And it opens again.")
        if number == 25:
            texts += paragraph(72, 500, UPKEEP)
        pages.append(texts)
    return write_pdf(pages)


def asked(*passages: tuple[str, int], url: str = URL) -> str:
    """The address of the viewer."""
    told = {
        "url": url,
        "source": url,
        "title": TITLE,
        "start": 7,
        "passages": [
            {"quote": words, "before": "", "after": "", "page_number": page} for words, page in passages
        ],
    }
    return "pdf.html#" + quote(json.dumps(told))


# the colours along the edges of a picture, each once
EDGES = """async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const { width, height } = image;
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  context.drawImage(image, 0, 0);
  const edges = [[0, 0, width, 1], [0, height - 1, width, 1], [0, 0, 1, height], [width - 1, 0, 1, height]];
  const colours = new Set();
  for (const edge of edges) {
    const { data } = context.getImageData(...edge);
    for (let at = 0; at < data.length; at += 4) colours.add(`rgb(${[...data.slice(at, at + 3)].join(", ")})`);
  }
  return [...colours];
}"""

Open = Callable[..., Page]


@pytest.fixture
def open_page(chromium: Browser, panel_address: str) -> Iterator[Open]:
    """Open the viewer; an uncaught error or a broken content security policy fails the test.

    body: what the address of the file gives, None for nothing.
    """
    origin = panel_address.rpartition("/")[0]
    headers = {"access-control-allow-origin": origin, "access-control-allow-credentials": "true"}
    with stubbed_pages(chromium, hears_console=False) as new_page:

        def opened(
            name: str, size: tuple[int, int] = (900, 700), body: bytes | None = None, **stub: Any
        ) -> Page:
            page = new_page(*size)
            told = {"pages": [page_row(URL, TITLE)], "origins": ["https://papers.example/*"]} | stub
            page.add_init_script(f"Object.assign(stub, {json.dumps(told)})")

            def give(route: Route) -> None:
                route.fulfill(status=404 if body is None else 200, headers=headers, body=body or b"")

            page.route("https://papers.example/**", give)
            page.goto(panel_address.replace("panel.html", name))
            page.wait_for_function("() => performance.getEntriesByName('interactive').length > 0")
            return page

        yield opened


def answer(page: Page) -> dict[str, Any]:
    """Answer the last question where passages stand as the engine does; returns the question."""
    page.wait_for_function("() => stub.last('pdf_passages') && !stub.last('pdf_passages').answered")
    request: dict[str, Any] = page.evaluate("stub.last('pdf_passages')")
    sought = [Sought(told["quote"], told["before"], told["after"]) for told in request["passages"]]
    steps = find_passages(decode_pdf_pages(request["pages"]), sought)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found = [[asdict(span) for span in spans] for spans in end.value]
            break
    page.evaluate(
        "([id, result]) => { stub.last('pdf_passages').answered = true; stub.done(id, result); }",
        [request["id"], found],
    )
    return request


def shown(page: Page) -> None:
    """Wait until the passage that was asked for is marked and stands still in the window."""
    page.locator(".pdf-mark.current").first.wait_for()
    page.wait_for_function(
        """() => {
            const { top, bottom } = document.querySelector(".pdf-mark.current").getBoundingClientRect();
            return top > 0 && bottom < innerHeight;
        }"""
    )


def number(page: Page) -> str:
    """The page that the head names."""
    return page.locator("[data-test=pdf-page]").input_value()


def assert_well_made(page: Page, picture: str) -> None:
    """No violation in light or dark, nothing too wide, no sign with a colour of its own; leaves pictures."""
    assert_accessible(page, picture)
    assert unforced_signs(page) == []


def test_the_passage_is_marked_where_it_stands_and_in_the_window(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2), (UPKEEP, 25)), body=report())
    assert [each["number"] for each in answer(page)["pages"]] == [2, 3, 25, 26]
    shown(page)
    assert number(page) == "2"
    assert page.title() == TITLE
    # a mark covers the words: the text that is selected by its box is the passage
    words = page.evaluate(
        """() => [...document.querySelectorAll(".pdf-mark.current")].map((mark) => {
            const { left, right, top, bottom } = mark.getBoundingClientRect();
            const middle = (top + bottom) / 2;
            const from = document.caretPositionFromPoint(left + 3, middle);
            const to = document.caretPositionFromPoint(right - 3, middle);
            return from.offsetNode.data.slice(from.offset, to.offset);
        })"""
    )
    assert " ".join(words).replace("wat er", "water").strip().startswith(MAESLANT[:40])
    assert len(words) == 2
    assert_well_made(page, "pdf")


def test_a_passage_far_away_is_gone_to_and_few_pages_are_drawn(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2), (UPKEEP, 25)), body=report())
    answer(page)
    shown(page)
    page.locator("[data-test=passage-after]").click()
    page.wait_for_function("() => document.querySelector('[data-test=pdf-page]').value === '25'")
    shown(page)
    assert page.locator("[data-test=passage-place]").inner_text() == "2 / 2"
    assert page.locator(".pdf-sheet").count() == N_PAGES
    assert page.locator(".pdf-sheet canvas").count() <= 5


def test_while_the_words_are_looked_for_their_page_is_there(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2), (UPKEEP, 25)), (360, 640), body=report())
    page.locator(".pdf-sheet:nth-child(2) canvas").wait_for()
    page.locator("[data-test=waiting]").wait_for()
    assert number(page) == "2"
    assert_well_made(page, "pdf-looking")
    assert layout_faults(page) == []


@pytest.mark.fault("F17")
def test_a_file_without_the_words_says_so_and_has_the_saved_text(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2)), (360, 700), body=report(changed=True))
    for _ in range(5):
        answer(page)
    page.locator("[data-test=gone]").wait_for()
    assert_well_made(page, "pdf-gone")
    page.locator("[data-test=see-saved]").click()
    calls = page.evaluate("stub.calls.filter(([name]) => name === 'create')")
    assert calls[-1][1]["url"].startswith("viewer.html#")


@pytest.mark.parametrize(
    ("body", "code", "picture"),
    [
        (None, "file_unreachable", "pdf-unreachable"),
        (b"<html>please log in</html>", "file_unreachable", "pdf-login"),
        (b"%PDF-1.4 broken", "page_unreadable", "pdf-broken"),
        ((PAGES / "locked.pdf").read_bytes(), "page_locked", "pdf-locked"),
    ],
)
@pytest.mark.fault("F17")
def test_what_cannot_be_shown_says_why(open_page: Open, body: bytes | None, code: str, picture: str) -> None:
    page = open_page(asked((MAESLANT, 2)), (360, 600), body=body)
    page.locator(f"[data-test=error][data-code={code}]").wait_for()
    assert_well_made(page, picture)
    assert layout_faults(page) == []
    page.locator("[data-test=outside]").click()
    opened = page.evaluate("stub.calls.filter(([name]) => name === 'create')")[-1][1]["url"]
    assert opened.startswith(f"{URL}#page=2&:~:text=")


@pytest.mark.fault("F11")
def test_access_that_is_lacking_is_asked_for_inside_the_click(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2)), (360, 600), body=None, origins=[])
    box = page.locator("[data-test=error][data-code=tab_needs_permission]")
    box.get_by_role("button").click()
    page.locator("[data-test=error][data-code=file_unreachable]").wait_for()
    calls = page.evaluate("stub.calls")
    assert ["request", ["https://papers.example/*"], True] in calls


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_that_is_stored_turned_is_marked_where_it_is_drawn(open_page: Open, turn: int) -> None:
    # the passage ends near the right edge of the upper half, so that every turn puts it somewhere else
    straight = write_pdf([paragraph(300, 700, "An upright line.", UPKEEP[:40])])
    turned = straight.replace(b"/Type /Page /Parent", b"/Type /Page /Rotate %d /Parent" % turn)
    page = open_page(asked((UPKEEP[:40], 1)), body=turned)
    answer(page)
    shown(page)
    inked = """() => {
        const sheet = document.querySelector(".pdf-sheet");
        const canvas = sheet.querySelector("canvas");
        const paper = sheet.getBoundingClientRect();
        const mark = document.querySelector(".pdf-mark.current").getBoundingClientRect();
        const [x, y] = [canvas.width / paper.width, canvas.height / paper.height];
        const [left, top] = [(mark.left - paper.left) * x, (mark.top - paper.top) * y];
        const box = [left, top, mark.width * x, mark.height * y];
        const { data } = canvas.getContext("2d").getImageData(...box.map(Math.round));
        return data.filter((value, place) => place % 4 === 0 && value < 128).length;
    }"""
    assert page.evaluate(inked) > 100


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_the_head_fits_and_pages_are_scrolled_where_they_are_wider(open_page: Open, width: int) -> None:
    page = open_page(asked((MAESLANT, 2), (UPKEEP, 25)), (width, 640), body=report())
    answer(page)
    shown(page)
    page.screenshot(path=PICTURES / f"pdf-{width}.png")
    fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(fits)
    assert page.evaluate(
        "document.querySelector('#pdf').scrollWidth <= document.querySelector('#pdf').clientWidth"
    )


def test_everything_can_be_done_by_keyboard(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2), (UPKEEP, 25)), body=report())
    answer(page)
    shown(page)
    assert page.evaluate("document.activeElement.id") == "pdf"
    before = page.evaluate("document.activeElement.scrollTop")
    page.keyboard.press("PageDown")
    page.wait_for_function("(before) => document.querySelector('#pdf').scrollTop > before", arg=before)
    reached = []
    for _ in range(11):
        page.keyboard.press("Shift+Tab")
        reached.append(page.evaluate("document.activeElement.dataset.test ?? ''"))
    assert [name for name in reached if name] == [
        "passage-after", "passage-before", "pdf-fit", "pdf-larger", "pdf-smaller", "pdf-after", "pdf-page",
        "pdf-before", "pdf-outside", "pdf-saved",
    ]  # fmt: skip
    field = page.locator("[data-test=pdf-page]")
    field.fill("20")
    field.press("Enter")
    page.wait_for_function(
        "() => Math.abs(document.querySelectorAll('.pdf-sheet')[19].getBoundingClientRect().top"
        " - document.querySelector('#pdf').getBoundingClientRect().top) < 20"
    )


def test_the_ring_of_the_room_lies_above_its_pages(open_page: Open, chromium: Browser) -> None:
    page = open_page(asked((MAESLANT, 2)), (360, 640), body=report())
    answer(page)
    shown(page)
    page.emulate_media(color_scheme="light")
    box = page.locator("#pdf").bounding_box()
    assert box is not None
    picture = base64.b64encode(page.screenshot(clip=box)).decode()
    canvas = chromium.new_page()
    colours = canvas.evaluate(EDGES, picture)
    canvas.close()
    accent = page.evaluate("getComputedStyle(document.body, '::after').outlineColor")
    assert colours == [accent]


def test_pages_grow_in_steps_and_keep_their_place_and_their_marks(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2)), body=report())
    answer(page)
    shown(page)
    width = "document.querySelectorAll('.pdf-sheet')[1].getBoundingClientRect().width"
    marked = """(() => {
        const sheet = document.querySelectorAll(".pdf-sheet")[1].getBoundingClientRect();
        const mark = document.querySelector(".pdf-mark.current").getBoundingClientRect();
        return [(mark.left - sheet.left) / sheet.width, mark.width / sheet.width];
    })()"""
    before = page.evaluate(marked)
    page.locator("[data-test=pdf-fit]").click()
    page.locator("[data-test=pdf-larger]").click()
    page.locator("[data-test=pdf-larger]").click()
    assert page.locator("[data-test=pdf-percent]").inner_text() == "125%"
    assert page.evaluate(width) == pytest.approx(612 * 96 / 72 * 1.25, abs=1)
    # drawn anew at its size, and marked in the same place
    page.wait_for_function(
        "() => document.querySelectorAll('.pdf-sheet')[1].querySelector('canvas').width === 1020"
    )
    assert page.evaluate(marked) == pytest.approx(before, abs=0.002)
    assert number(page) == "2"


def test_forced_colours_reach_the_paper_and_the_mark_keeps_a_line(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2)), body=report())
    answer(page)
    shown(page)
    page.emulate_media(forced_colors="active")
    page.wait_for_function(
        """() => {
            const style = getComputedStyle(document.querySelector(".pdf-mark.current"));
            return style.outlineStyle === "solid" && style.outlineWidth === "2px";
        }"""
    )
    page.screenshot(path=PICTURES / "pdf-forced.png")


def test_another_citation_of_the_file_is_shown_in_the_open_viewer(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2)), body=report())
    answer(page)
    shown(page)
    page.evaluate("(hash) => { location.hash = hash; }", asked((UPKEEP, 25)).partition("#")[2])
    page.wait_for_function("() => stub.last('pdf_passages').passages[0].page_number === 25")
    answer(page)
    page.wait_for_function("() => document.querySelector('[data-test=pdf-page]').value === '25'")
    shown(page)


def test_a_file_that_may_not_be_fetched_is_not_shown_as_the_one_before_it(open_page: Open) -> None:
    page = open_page(asked((MAESLANT, 2)), body=report())
    answer(page)
    shown(page)
    kept_out = asked((MAESLANT, 2), url="https://netbanking.example/statement.pdf")
    page.evaluate("(hash) => { location.hash = hash; }", kept_out.partition("#")[2])
    page.locator("[data-test=error][data-code=page_never_read]").wait_for()
    assert page.locator(".pdf-sheet").count() == 0
