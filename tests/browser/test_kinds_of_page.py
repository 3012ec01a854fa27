"""Lists, transcripts and selections in the built extension: added from a tab, asked about, shown again."""

from collections.abc import Iterator

import pytest

from browser.engine_client import Client
from buildlib.serve import serve
from golden.golden_pages import FOLDER
from harness.browser import ExtensionBrowser

pytestmark = [pytest.mark.native, pytest.mark.browser]


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser) -> Client:
    opened = Client(browser)
    opened.ensure_engine()
    return opened


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve({"/": FOLDER}) as site:
        yield site


def test_an_entry_of_a_list_is_found_whole(client: Client, browser: ExtensionBrowser, address: str) -> None:
    url = f"{address}/feed--news-list-in-table-rows.html"
    browser.open_tab(url)
    assert client.ask("index", tabs=[client.tab(url)])[0]["state"] == "added"
    hits = client.ask("search", query="clock that follows the moon", sources=[], k=1, mode="convex")
    story = "2. ▲ Show: a clock that follows the moon (github.example/moonclock)\n"
    assert f"{story}98 points by ines 5 hours ago | hide | 12 comments" in hits[0]["text"]


def test_an_answer_from_a_transcript_knows_its_time(
    client: Client, browser: ExtensionBrowser, address: str
) -> None:
    url = f"{address}/video--open-transcript.html"
    browser.open_tab(url)
    row = client.ask("index", tabs=[client.tab(url)])[0]
    assert row["page"]["no_captions"] is False
    answer = client.ask("ask", question="How much has the mean level risen?", sources=[row["page"]["source"]])
    assert 754 in [citation["seconds"] for citation in answer["citations"]]


def test_a_selection_is_added_alone(client: Client, browser: ExtensionBrowser, address: str) -> None:
    url = f"{address}/news--quotes-and-captions.html"
    tab = browser.open_tab(url)
    tab.evaluate("getSelection().selectAllChildren(document.querySelector('blockquote'))")
    (row,) = client.ask("index", tabs=[client.tab(url) | {"selection": True}])
    assert row["page"]["title"] == "Selection from The last lamp factory"
    assert row["page"]["url"] == url
    hits = client.ask("search", query="lamps", sources=[row["page"]["source"]], k=5, mode="lexical")
    quote = "We could sell three times as many lamps. But nobody wants to learn the trade."
    assert [hit["text"] for hit in hits] == [quote]
