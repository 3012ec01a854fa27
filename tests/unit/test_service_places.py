"""A citation knows its place: tab, page of a PDF, time of a transcript, entry of a list, selection."""

import re
from dataclasses import replace
from typing import Any

from desk import TIDES, Desk, states
from fakes import (
    capture_of,
    tab_record,
)
from tabwise.core.model import Node
from tabwise.core.page.pdf.capture import PdfCapture, PdfItem, PdfPage
from tabwise.errors import InputError


def pdf_page(number: int, *lines: str) -> PdfPage:
    items = [PdfItem(line, 60, 100 + 13 * row, 5 * len(line), 10) for row, line in enumerate(lines)]
    return PdfPage(number, 600, 800, tuple(items))


FUNDY = "How large is the tidal range in Fundy?"


REPORT = PdfCapture(
    "https://sea.example/report.pdf",
    "Tides",
    "en",
    2,
    (
        pdf_page(1, "Spring tides occur around the new moon and the full moon."),
        pdf_page(2, "The largest tidal range is found in the Bay of Fundy", "where it reaches 16.3 metres."),
    ),
)


FUNDY_ENTRY = "The largest tidal range of the Bay of Fundy is 16.3 metres"


SPOKEN = "The tidal range in the Bay of Fundy is as large as sixteen metres."


def line(time: str, text: str) -> Node:
    return Node("div", (), (Node("div", (), (time,)), Node("span", (), (text,))))


def test_showing_a_citation_passes_its_place_on(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        answer = (await desk.ask("ask", question="When do spring tides occur?", sources=[]))["result"]
        cited = answer["citations"][0]
        end = await desk.ask("show", citation=cited)
        assert end["result"] == {"found": True, "tab_id": 7}
        ((url, (passage,)),) = desk.viewer.shown
        assert (url, passage.quote) == (TIDES.url, cited["quote"])
        assert desk.viewer.place == (cited["source"], cited["title"], cited["start"])

    run(scenario)


def test_a_citation_of_a_pdf_names_its_page_and_leads_there(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        (row,) = (await desk.add(1))["result"]
        assert (row["state"], row["page"]["n_pages"]) == ("added", 2)
        answer = (await desk.ask("ask", question=FUNDY, sources=[]))["result"]
        assert [citation["page_number"] for citation in answer["citations"]] == [2]
        other = answer["citations"][0] | {"quote": "Spring tides", "page_number": 1}
        await desk.ask("show", citation=answer["citations"][0], others=[other])
        ((_, passages),) = desk.viewer.shown
        assert [passage.page_number for passage in passages] == [2, 1]

    run(scenario, {1: REPORT})


def test_the_passages_of_a_pdf_are_found_in_the_text_of_its_pages(run: Any) -> None:
    items = ["Spring tides are large. Neap tides", "are small."]
    page = {
        "number": 4,
        "width": 600,
        "height": 800,
        "items": [[text, 60, 100 + 13 * n, 5 * len(text), 10, 0, "f"] for n, text in enumerate(items)],
    }
    told = {"before": "", "after": "", "page_number": 4}

    async def scenario(desk: Desk) -> None:
        passages = [{"quote": "Neap tides are small."} | told, {"quote": "Other words"} | told]
        found = (await desk.ask("pdf_passages", pages=[page], passages=passages))["result"]
        spans = [
            {"page": 4, "item": 0, "start": 24, "end": 34},
            {"page": 4, "item": 1, "start": 0, "end": 10},
        ]
        assert found == [spans, []]
        broken = await desk.ask("pdf_passages", pages=[{}], passages=passages)
        assert (broken["type"], broken["code"]) == ("error", "page_unreadable")

    run(scenario)


def test_a_given_file_is_asked_like_a_page_and_not_opened(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.files.files["blob:1"] = replace(REPORT, url="file:tides%20%231.pdf")
        row = (await desk.ask("add_file", name="tides #1.pdf", url="blob:1"))["result"]
        assert (row["tab_id"], row["state"], row["page"]["url"]) == (-1, "added", "file:tides%20%231.pdf")
        answer = (await desk.ask("ask", question=FUNDY, sources=[]))["result"]
        end = await desk.ask("show", citation=answer["citations"][0])
        assert (end["type"], end["code"]) == ("error", "file_not_kept")
        assert desk.viewer.shown == []

    run(scenario)


def test_given_files_of_one_name_are_one_page_only_when_they_say_the_same(run: Any) -> None:
    other = capture_of("file:notes.txt", "Notes", "Bake the loaf at 240 degrees Celsius for 35 minutes.")

    async def scenario(desk: Desk) -> None:
        first = replace(REPORT, url="file:notes.txt")
        desk.files.files = {"blob:1": first, "blob:2": other, "blob:3": first}
        rows = [(await desk.ask("add_file", name="notes.txt", url=f"blob:{n}"))["result"] for n in (1, 2, 3)]
        assert [row["state"] for row in rows] == ["added", "added", "unchanged"]
        sources = [row["page"]["source"] for row in rows]
        assert sources[0] == sources[2] != sources[1]
        assert re.fullmatch("file:notes\\.txt#[0-9a-f]{12}", sources[0])
        listed = (await desk.ask("library"))["result"]
        assert [page["source"] for page in listed] == sources[:2]
        answer = (await desk.ask("ask", question=FUNDY, sources=[sources[0]]))["result"]
        assert {citation["source"] for citation in answer["citations"]} == {sources[0]}
        await desk.ask("remove", source=sources[1])
        assert len((await desk.ask("library"))["result"]) == 1

    run(scenario)


def test_a_given_file_that_is_gone_fails_in_its_row(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.files.files["blob:1"] = InputError("file_missing", subject="a.pdf")
        row = (await desk.ask("add_file", name="a.pdf", url="blob:1"))["result"]
        assert (row["state"], row["failure"]["code"]) == ("failed", "file_missing")

    run(scenario)


def test_a_citation_of_a_transcript_knows_the_time_and_leads_there(run: Any) -> None:
    others = ["Hello and welcome.", "Let us begin.", "That was the first part.", "Thank you for watching."]
    lines = [line(f"{minute}:05", text) for minute, text in enumerate([*others[:2], SPOKEN, *others[2:]])]
    url = "https://www.youtube.com/watch?v=tides"
    lecture = replace(capture_of(url, "Tides"), root=Node("body", (), tuple(lines)), has_video=True)

    async def scenario(desk: Desk) -> None:
        (row,) = (await desk.add(1))["result"]
        assert row["page"]["no_captions"] is False
        answer = (await desk.ask("ask", question=FUNDY, sources=[]))["result"]
        assert answer["citations"][0]["seconds"] == 125
        await desk.ask("show", citation=answer["citations"][0])
        assert desk.viewer.moment_url == f"{url}&t=125s"

    run(scenario, {1: lecture})


def test_a_citation_of_an_entry_of_a_list_knows_where_the_entry_leads(run: Any) -> None:
    told = [FUNDY_ENTRY, "The moon and its pull on the water", "A day of fishing at the northern coast"]
    entries = [
        Node(
            "li",
            (),
            (Node("a", (("href", f"/item/{n}"),), (text,)), " 40 points by ada, 3 hours ago"),
        )
        for n, text in enumerate(told)
    ]
    root = Node("body", (), (Node("ul", (), tuple(entries)),))
    news = replace(capture_of("https://news.example/", "News"), root=root)

    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        answer = (await desk.ask("ask", question=FUNDY, sources=["https://news.example/"]))["result"]
        assert answer["citations"][0]["link"] == "https://news.example/item/0"
        article = (await desk.ask("ask", question=FUNDY, sources=["https://sea.example/tides"]))["result"]
        assert article["citations"][0]["link"] is None

    run(scenario, {1: news, 2: TIDES})


def test_a_selection_is_added_beside_its_page(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        desk.tabs[1] = replace(capture_of(TIDES.url, "Tides", SPOKEN), is_selection=True)
        end = await desk.ask("index", tabs=[tab_record(1, TIDES.url, selection=True)])
        assert states(end["result"]) == ["added"]
        assert end["result"][0]["page"]["title"] == "Selection from Tides"
        assert (await desk.ask("hello"))["result"]["stats"]["n_pages"] == 2

    run(scenario, {1: TIDES})


def test_a_video_without_a_transcript_is_said_to_have_no_captions(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert [row["page"]["no_captions"] for row in (await desk.add(1, 2))["result"]] == [True, False]

    run(scenario, {1: replace(TIDES, has_video=True), 2: REPORT})
