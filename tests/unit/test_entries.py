"""Entries of listings and threads: found by their shape, read as whole items."""

from typing import Any

import pytest

from tabwise.core.model import BlockKind, Capture, Node, Page
from tabwise.core.page.blocks import build_page
from tabwise.core.page.chunking import chunk_page

Tree = tuple[Any, ...]


def node(tag: str, *children: Node | str, **attributes: str) -> Node:
    return Node(tag, tuple((name.strip("_"), value) for name, value in attributes.items()), children)


def page_of(*children: Node | str, url: str = "https://example.com/list") -> Page:
    return build_page(Capture(url, "", "A page", "en", node("body", *children), 0, 0), None, 0.0)


def blocks_of(page: Page) -> list[tuple[str, int, str]]:
    return [(str(block.kind), block.level, page.text[block.start : block.end]) for block in page.blocks]


def items_of(page: Page) -> list[tuple[int, str]]:
    return [(level, text) for kind, level, text in blocks_of(page) if kind == BlockKind.ITEM]


def story(number: int) -> tuple[Node, Node, Node]:
    """A story of a news list in three table rows: title, points and author, space."""
    return (
        node(
            "tr",
            node("td", f"{number}."),
            node("td", node("a", f"Story number {number}", href="https://news.example/s"), " (news.example)"),
            class_="athing submission",
        ),
        node(
            "tr",
            node("td"),
            node(
                "td",
                f"{number}00 points by ",
                node("a", "ada", href="/user"),
                " ",
                node("a", "3 hours ago", href="/item"),
                " | ",
                node("a", "45 comments", href="/item"),
            ),
        ),
        node("tr", class_="spacer"),
    )


def test_story_in_two_rows_is_one_item() -> None:
    rows = [row for number in range(1, 5) for row in story(number)]
    page = page_of(node("table", node("tbody", *rows)))
    told = "00 points by ada 3 hours ago | 45 comments"
    assert items_of(page) == [
        (0, f"{number}. Story number {number} (news.example)\n{number}{told}") for number in range(1, 5)
    ]


def result(number: int) -> Node:
    return node(
        "div",
        node("h3", node("a", f"Result number {number}", href=f"https://site.example/{number}")),
        node("div", f"site.example › {number}"),
        node("p", "A snippet that says what the page is about."),
        class_="g",
    )


def test_search_result_with_heading_is_one_item() -> None:
    page = page_of(node("h1", "Results"), *(result(number) for number in range(3)))
    snippet = "A snippet that says what the page is about."
    assert blocks_of(page) == [
        ("heading", 1, "Results"),
        *(("item", 0, f"Result number {number}\nsite.example › {number}\n{snippet}") for number in range(3)),
    ]


def test_two_results_are_no_list() -> None:
    assert items_of(page_of(result(1), result(2))) == []


def comment(author: str, *replies: Node) -> Node:
    return node(
        "div",
        node("div", author, " ", node("a", "2 days ago", href="#c")),
        node("p", f"What {author} thinks about it, in a sentence or two."),
        *([node("div", *replies, class_="replies")] if replies else []),
        class_="comment",
    )


def test_replies_are_items_of_their_own_one_level_deeper() -> None:
    page = page_of(
        comment("ada", comment("ben", comment("cleo"))),
        comment("dan"),
        comment("eve"),
    )
    assert [(level, text.split()[0]) for level, text in items_of(page)] == [
        (0, "ada"),
        (1, "ben"),
        (2, "cleo"),
        (0, "dan"),
        (0, "eve"),
    ]
    assert items_of(page)[1][1] == "ben 2 days ago\nWhat ben thinks about it, in a sentence or two."


LONG = "A sentence with a date such as 2024 and with a fair number of words in it. " * 4


@pytest.mark.parametrize(
    "parts",
    [
        [node("p", LONG, node("a", "a link", href="/x")) for _ in range(5)],
        [node("section", node("h2", "A chapter"), node("p", LONG), node("p", LONG)) for _ in range(5)],
        [
            node("section", node("h2", node("a", "A chapter of it", href="#c")), node("p", LONG))
            for _ in range(5)
        ],
        [node("li", node("a", "A menu entry to go", href="/x")) for _ in range(9)],
        [
            node("article", node("h2", "A"), node("p", LONG), node("h2", "B"), node("p", LONG))
            for _ in range(3)
        ],
        [
            node("div", node("p", "See ", node("a", "the manual of it", href="/x")), node("pre", "x = 1"))
            for _ in "abc"
        ],
    ],
    ids=["paragraphs", "chapters", "chapters with anchors", "menu", "articles", "steps with code"],
)
def test_other_repeated_parts_stay_what_they_are(parts: list[Node]) -> None:
    kinds = [kind for kind, _, text in blocks_of(page_of(*parts)) if "\n" in text or kind == "item"]
    assert kinds in ([], ["item"] * 9)


def test_rows_below_headers_stay_rows() -> None:
    head = node("tr", node("th", "Bug"), node("th", "Summary"))
    rows = [
        node(
            "tr",
            node("td", str(number)),
            node("td", node("a", "Crash when opened", href="/bug"), " reported 3 days ago by ada"),
            class_="bug",
        )
        for number in range(5)
    ]
    kinds = {kind for kind, _, _ in blocks_of(page_of(node("table", head, *rows)))}
    assert kinds == {"row"}


def test_items_are_not_cut_by_chunks_and_know_the_title_of_their_list() -> None:
    page = page_of(node("h1", "Latest"), *(result(number) for number in range(40)))
    chunks = chunk_page(page, lambda text: 2 + len(text.split()))
    whole = {text for _, text in items_of(page)}
    for chunk in chunks:
        assert chunk.embedding_text.startswith("A page\n")
        assert "Latest" in chunk.embedding_text
        pieces = chunk.text.removeprefix("Latest\n").split("\nResult")
        assert {piece if piece.startswith("Result") else f"Result{piece}" for piece in pieces} <= whole


def line(time: str, text: str) -> Node:
    return node("div", node("div", node("div", time), node("span", text)), class_="segment")


def test_lines_of_a_transcript_are_items_without_their_printed_time() -> None:
    said = [
        "welcome to the lecture",
        "today we talk about tides",
        "they come twice a day",
        "in most places",
        "bye",
    ]
    times = ["0:00", "0:07", "1:02", "12:59", "1:00:03"]
    lines = [line(time, text) for time, text in zip(times, said, strict=True)]
    page = page_of(node("div", node("h2", "Chapter 1"), *lines))
    assert blocks_of(page) == [("heading", 2, "Chapter 1"), *(("item", 0, text) for text in said)]


def test_times_that_go_up_and_down_are_no_transcript() -> None:
    lines = [line(time, "kick-off of a match") for time in ("18:30", "20:45", "15:30", "18:30", "20:45")]
    assert "18:30" in page_of(*lines).text


def test_a_deep_thread_is_read() -> None:
    inner = comment("last")
    for number in range(60):
        inner = comment(f"user{number}", inner)
    levels = [level for level, _ in items_of(page_of(inner))]
    assert levels == list(range(60))


def links_of(page: Page) -> list[tuple[str, str]]:
    return [(page.text[link.start : link.end].split("\n")[0], link.url) for link in page.links]


def test_a_story_leads_to_its_article_not_to_its_author_or_its_comments() -> None:
    rows = [row for number in range(1, 4) for row in story(number)]
    page = page_of(node("table", node("tbody", *rows)))
    assert links_of(page) == [
        (f"{number}. Story number {number} (news.example)", "https://news.example/s")
        for number in range(1, 4)
    ]
    second = page.text.index("200 points")
    assert page.link(second) == "https://news.example/s"
    assert page.link(page.text.index("\n3.")) is None


def test_a_link_without_a_host_leads_to_the_site_of_the_page() -> None:
    found = [
        node(
            "li",
            node("a", "the author's name", href="/users/ada"),
            node("a", f"Issue number {number}", href=f"/issues/{number}"),
            " opened 3 days ago by ada",
        )
        for number in range(3)
    ]
    page = page_of(node("ul", *found))
    assert [url for _, url in links_of(page)] == [f"https://example.com/issues/{n}" for n in range(3)]


def test_a_link_that_is_no_web_page_is_not_kept() -> None:
    found = [
        node("li", node("a", "Run this script now", href="javascript:go()"), " 12 comments, 3 days ago")
        for _ in range(3)
    ]
    page = page_of(node("ul", *found))
    assert len(items_of(page)) == 3
    assert page.links == ()


def test_a_reply_leads_to_itself_and_not_where_its_text_points() -> None:
    replies = [
        node(
            "div",
            node("a", "ada.lovelace", href="/user?id=ada"),
            " ",
            node("a", "3 hours ago", href=f"/item?id={number}"),
            node(
                "p", "I found it in ", node("a", "this long report", href="https://far.example/report"), "."
            ),
            class_="comment",
        )
        for number in range(3)
    ]
    page = page_of(*replies)
    assert [url for _, url in links_of(page)] == [f"https://example.com/item?id={n}" for n in range(3)]


def test_text_outside_of_entries_has_no_link() -> None:
    page = page_of(
        node("p", "Before the list, with ", node("a", "a link of its own", href="https://b.example/")),
        *(result(number) for number in range(3)),
    )
    assert page.link(0) is None
    assert [url for _, url in links_of(page)] == [f"https://site.example/{n}" for n in range(3)]
