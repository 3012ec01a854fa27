"""PDFs in the real extension: read, asked, cited by page, turned to; what cannot be read says why."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.engine_client import Client
from buildlib.paths import EXTENSION
from buildlib.serve import serve
from harness.browser import ExtensionBrowser, extension_with_access, until
from harness.panel import Panel
from pdf_writer import Text, paragraph, write_pdf

pytestmark = [pytest.mark.native, pytest.mark.browser]

PAGES = Path(__file__).parent / "pages" / "pdf"
CHINESE = "法国的朗斯潮汐电站是世界上第一座大型潮汐发电站。"
SOFTWARE = "What is the most expensive part of the Maeslantkering?"
ESTIMATES = "By what factor were the estimates of the upkeep too low?"
HEADER = "Coastal workshop, proceedings"
OpenPanel = Callable[[str], Panel]


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built extension with access to the loopback site and to local files."""
    folder = tmp_path_factory.mktemp("pdf") / "extension"
    return extension_with_access(EXTENSION, folder, ("http://127.0.0.1/*", "file:///*"))


@pytest.fixture(scope="module")
def columns(browser: ExtensionBrowser) -> bytes:
    """A paper of two pages in two columns, with running heads and page numbers, as Chromium prints it."""
    page = browser.context.new_page()
    page.goto((PAGES / "columns.html").as_uri())
    small = "font-size:8pt;width:100%;text-align:center"
    printed = page.pdf(
        prefer_css_page_size=True,
        display_header_footer=True,
        header_template=f'<div style="{small}">{HEADER}</div>',
        footer_template=f'<div style="{small}"><span class="pageNumber"></span></div>',
    )
    page.close()
    return printed


@pytest.fixture(scope="module")
def pdf_site(columns: bytes) -> Iterator[str]:
    """Address of a site with PDFs of every kind."""
    routes: dict[str, Path | bytes] = {
        "/barriers.pdf": columns,
        "/scan.pdf": write_pdf([[], []]),
        "/locked.pdf": (PAGES / "locked.pdf").read_bytes(),
        "/damaged.pdf": columns[: len(columns) // 3].replace(b"obj", b"job"),
        "/chinese.pdf": write_pdf([[Text(72, 700, CHINESE, font="chinese")]]),
    }
    with serve(routes) as address:
        yield address


@pytest.fixture(scope="module")
def panel(browser: ExtensionBrowser, open_panel: OpenPanel, pdf_site: str) -> Panel:
    """The side panel with the paper added."""
    url = f"{pdf_site}/barriers.pdf"
    browser.open_tab(url)
    opened = open_panel(url)
    opened.add_all(1)
    return opened


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser, panel: Panel) -> Client:
    """A page that speaks to the engine the panel has started."""
    return Client(browser)


def test_a_pdf_tab_is_read_and_its_row_counts_pages_and_words(panel: Panel) -> None:
    panel.click("view-pages")
    row = panel.text("tab-row")
    assert "2 pages" in row
    assert "680 words" in row


def test_an_answer_from_a_pdf_is_checked_and_names_its_page(panel: Panel) -> None:
    first = panel.ask(SOFTWARE)[0]
    assert "not steel but software" in first.text
    assert first.verdict == "supported"
    assert "p. 1" in panel.last_answer()
    assert any("low by a factor of two to four" in sentence.text for sentence in panel.ask(ESTIMATES))
    assert "p. 2" in panel.last_answer()


def test_columns_are_read_in_order_without_what_the_pages_repeat(client: Client, pdf_site: str) -> None:
    hits = client.ask("search", query="barriers", sources=[f"{pdf_site}/barriers.pdf"], k=50, mode="lexical")
    text = "\n".join(hit["text"] for hit in sorted(hits, key=lambda hit: hit["start"]))
    assert (
        "ships pass and the tide keeps its rhythm, which is what distinguishes a barrier from a dam." in text
    )
    assert HEADER not in text


def viewer_of(client: Client, browser: ExtensionBrowser) -> Page:
    """The tab of our viewer, once a passage is marked in it."""
    address = browser.url("pdf.html")
    until(
        client.page,
        "async (url) => (await chrome.tabs.query({})).some((tab) => tab.url.startsWith(url))",
        arg=address,
    )
    (page,) = [page for page in browser.context.pages if page.url.startswith(address)]
    page.locator(".pdf-mark.current").first.wait_for()
    return page


def test_a_citation_opens_our_viewer_at_its_page_with_the_passage_marked(
    client: Client, browser: ExtensionBrowser, pdf_site: str
) -> None:
    url = f"{pdf_site}/barriers.pdf"
    answer = client.ask("ask", question=ESTIMATES, sources=[url])
    assert client.ask("show", citation=answer["citations"][0])["found"]
    viewer = viewer_of(client, browser)
    assert viewer.locator("[data-test=pdf-page]").input_value() == "2"
    here = viewer.evaluate("document.querySelector('.pdf-mark.current').getBoundingClientRect().top")
    assert 0 < here < viewer.evaluate("innerHeight")
    # the reader's own tab stays as it was
    assert url in [page.url for page in browser.context.pages]
    first = client.ask("ask", question=SOFTWARE, sources=[url])
    client.ask("show", citation=first["citations"][0])
    viewer.wait_for_function("() => document.querySelector('[data-test=pdf-page]').value === '1'")
    assert viewer_of(client, browser) == viewer


def test_a_local_pdf_is_shown_with_the_passage_marked(
    client: Client, browser: ExtensionBrowser, columns: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "barriers here.pdf"
    path.write_bytes(columns)
    url = path.as_uri()
    browser.open_tab(url)
    (row,) = client.ask("index", tabs=[client.tab(url)])
    assert row["state"] == "added", row
    answer = client.ask("ask", question=ESTIMATES, sources=[row["page"]["source"]])
    client.ask("show", citation=answer["citations"][0])
    viewer = viewer_of(client, browser)
    viewer.wait_for_function(
        "() => document.querySelector('.pdf-title .site').textContent.includes('barriers')"
    )
    viewer.locator(".pdf-mark.current").first.wait_for()


def failure_of(client: Client, browser: ExtensionBrowser, url: str) -> str:
    """The code with which reading the PDF of a tab fails."""
    tab = browser.open_tab(url)
    (row,) = client.ask("index", tabs=[client.tab(url)])
    tab.close()
    code: str = row["failure"]["code"]
    return code


@pytest.mark.parametrize(
    ("name", "code"),
    [("scan", "page_has_no_text"), ("locked", "page_locked"), ("damaged", "page_unreadable")],
)
@pytest.mark.fault("F17")
def test_what_cannot_be_read_says_why(
    client: Client, browser: ExtensionBrowser, pdf_site: str, name: str, code: str
) -> None:
    assert failure_of(client, browser, f"{pdf_site}/{name}.pdf") == code


@pytest.mark.fault("F17")
def test_a_site_that_gives_something_else_the_second_time_is_out_of_reach(
    client: Client, browser: ExtensionBrowser, columns: bytes
) -> None:
    routes: dict[str, Path | bytes] = {"/report.pdf": columns}
    with serve(routes) as address:
        tab = browser.open_tab(f"{address}/report.pdf")
    (row,) = client.ask("index", tabs=[client.tab(f"{address}/report.pdf")])
    tab.close()
    assert row["failure"]["code"] == "file_unreachable"


def test_chinese_without_an_embedded_font_is_read(
    client: Client, browser: ExtensionBrowser, pdf_site: str
) -> None:
    url = f"{pdf_site}/chinese.pdf"
    browser.open_tab(url)
    (row,) = client.ask("index", tabs=[client.tab(url)])
    assert row["state"] == "added", row
    (hit,) = client.ask("search", query="潮汐发电站", sources=[url], k=1, mode="lexical")
    assert hit["text"] == CHINESE


def give(page: Page, data: bytes) -> str:
    """Let a page of the extension hold a file; returns its blob URL."""
    url: str = page.evaluate("(bytes) => URL.createObjectURL(new Blob([new Uint8Array(bytes)]))", list(data))
    return url


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("tides.pdf", write_pdf([paragraph(72, 700, "The Severn bore was measured at 2.8 metres in 1966.")])),
        ("tides.html", b"<h1>Bore</h1><p>The Severn bore was measured at 2.8 metres in 1966.</p>"),
        ("tides.md", b"# Bore\n\nThe Severn bore was measured at 2.8 metres in 1966.\n"),
        ("tides.txt", b"The Severn bore was measured at 2.8 metres in 1966.\n"),
    ],
)
def test_a_given_file_is_asked_like_a_page(client: Client, name: str, data: bytes) -> None:
    row = client.ask("add_file", name=name, url=give(client.page, data))
    assert (row["state"], row["page"]["url"]) == ("added", f"file:{name}"), row
    question = "How high was the Severn bore that was measured in 1966?"
    answer = client.ask("ask", question=question, sources=[row["page"]["source"]])
    assert "2.8 metres" in answer["sentences"][0]["text"]
    assert answer["citations"][0]["page_number"] == (1 if name.endswith(".pdf") else None)
    end = client.end_of(client.send("show", citation=answer["citations"][0]))
    assert end["code"] == "file_not_kept"


def test_a_given_file_that_is_gone_or_too_large_says_so(client: Client) -> None:
    row = client.ask("add_file", name="a.pdf", url="blob:chrome-extension://gone/gone")
    assert row["failure"]["code"] == "file_missing"
    large = client.page.evaluate("URL.createObjectURL(new Blob([new Uint8Array(50_000_001)]))")
    row = client.ask("add_file", name="b.pdf", url=large)
    assert row["failure"]["code"] == "file_too_large"


@pytest.mark.fault("F18")
def test_a_local_file_needs_the_switch_for_local_files(
    client: Client, browser: ExtensionBrowser, columns: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "local.pdf"
    path.write_bytes(columns)
    browser.open_tab(path.as_uri())
    tab = client.tab(path.as_uri())
    # Extensions loaded from the command line have the switch on, and only a person can turn it off.
    browser.service_worker.evaluate("chrome.extension.isAllowedFileSchemeAccess = async () => false")
    call = json.dumps(
        {"to": "sw", "verb": "tab_capture", "args": {"tab_id": tab["tab_id"], "max_chars": 100}}
    )
    reply: dict[str, Any] = client.page.evaluate(f"chrome.runtime.sendMessage({call})")
    assert reply["name"] == "FileAccessOff"


@pytest.mark.fault("F17")
def test_the_engine_reads_on_after_every_failure(
    client: Client, browser: ExtensionBrowser, pdf_site: str
) -> None:
    url = f"{pdf_site}/barriers.pdf?again"
    browser.open_tab(url)
    (row,) = client.ask("index", tabs=[client.tab(url)])
    assert (row["state"], row["page"]["n_pages"]) == ("added", 2)
