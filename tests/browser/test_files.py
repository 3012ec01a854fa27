"""Files given to the real side panel, by its button or dropped; entries of a list opened from it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from buildlib.serve import serve
from harness.browser import ExtensionBrowser
from harness.panel import Panel
from pdf_writer import paragraph, write_pdf

pytestmark = [pytest.mark.native, pytest.mark.browser]

FIRST_PAGE = "The Maeslantkering was opened in 1997 and closes when the water rises by three metres."
SECOND_PAGE = "The Severn bore was measured at 2.8 metres near Stonebench in October 1966."
NOTES = "The lighthouse keeper of Bell Rock kept forty-two hens on the mainland."
STORIES = (
    "A lighthouse made of dovetailed granite",
    "Why tin whiskers bring satellites down",
    "Old maps of the northern sea found again",
)
OpenPanel = Callable[[str], Panel]


@pytest.fixture(scope="module")
def news_site() -> Iterator[str]:
    """Address of a site with a list of stories and the stories."""
    entries = "".join(
        f"<li><a href='/story/{n}'>{title}</a> 40 points by <a href='/user?id=ada'>ada</a> 3 hours ago</li>"
        for n, title in enumerate(STORIES)
    )
    routes: dict[str, Path | bytes] = {
        "/news.html": f"<!doctype html><title>News</title><ol>{entries}</ol>".encode()
    }
    routes |= {f"/story/{n}": title.encode() for n, title in enumerate(STORIES)}
    with serve(routes) as address:
        yield address


@pytest.fixture(scope="module")
def panel(browser: ExtensionBrowser, open_panel: OpenPanel, news_site: str) -> Panel:
    """The side panel over the list of stories, showing its pages."""
    url = f"{news_site}/news.html"
    browser.open_tab(url)
    opened = open_panel(url)
    opened.click("view-pages")
    opened.wait_for("add-files")
    return opened


def choose(panel: Panel, *paths: Path) -> None:
    """Choose files in the dialog that the button opens."""
    panel.click("view-pages")
    panel.wait_for("add-files")
    found = panel.target.send("Runtime.evaluate", {"expression": "document.querySelector('#files')"})
    chosen = {"files": [str(path) for path in paths], "objectId": found["result"]["objectId"]}
    panel.target.send("DOM.setFileInputFiles", chosen)


def drag(panel: Panel, kind: str, files: dict[str, str]) -> None:
    """Dispatch a drag event that carries text files by name."""
    panel.target.evaluate(
        f"((files) => {{ const dataTransfer = new DataTransfer();"
        " for (const [name, text] of Object.entries(files)) dataTransfer.items.add(new File([text], name));"
        f" document.querySelector('.views').dispatchEvent(new DragEvent({json.dumps(kind)},"
        f" {{ dataTransfer, bubbles: true, cancelable: true }})); }})({json.dumps(files)})"
    )


def rows_when_done(panel: Panel, n_files: int) -> dict[str, str]:
    """Text of each file's row by its first line, once all are read or have failed."""
    rows = "[...document.querySelectorAll('[data-test=file-row]')]"
    ended = (
        f"{rows}.filter((row) => !['waiting', 'reading'].includes(row.dataset.state)).length === {n_files}"
    )
    panel.target.wait_for(f"{ended} && !document.querySelector('[data-test=progress]')", timeout_s=120)
    texts: list[list[str]] = panel.target.evaluate(
        f"{rows}.map((row) => [row.querySelector('.title').textContent, row.textContent])"
    )
    return dict(texts)


def test_chosen_files_are_read_and_an_answer_names_the_page_of_the_pdf(panel: Panel, tmp_path: Path) -> None:
    report, notes = tmp_path / "barriers.pdf", tmp_path / "notes.txt"
    report.write_bytes(write_pdf([[*paragraph(72, 700, text)] for text in (FIRST_PAGE, SECOND_PAGE)]))
    notes.write_text(NOTES, encoding="utf-8")
    choose(panel, report, notes)
    rows = rows_when_done(panel, 2)
    assert "2 pages" in rows["barriers.pdf"]
    assert "12 words" in rows["notes.txt"]
    first = panel.ask("How high was the Severn bore when it was measured in 1966?")[0]
    assert "2.8 metres" in first.text
    assert first.verdict == "supported"
    assert "barriers.pdf · p. 2" in panel.last_answer()
    (told, *_) = panel.ask("How many hens did the lighthouse keeper of Bell Rock keep?")
    assert "forty-two hens" in told.text


def test_the_same_file_again_is_unchanged_and_another_of_its_name_is_added(
    panel: Panel, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text(NOTES, encoding="utf-8")
    choose(panel, notes)
    panel.target.wait_for("!!document.querySelector('[data-test=file-row][data-state=unchanged]')")
    assert "unchanged" in rows_when_done(panel, 2)["notes.txt"]
    notes.write_text("The ferry to Texel leaves every half hour, in summer also at night.", encoding="utf-8")
    choose(panel, notes)
    rows_when_done(panel, 3)
    assert panel.count("file-row") == 3


def test_a_file_that_is_dropped_is_added_and_one_of_another_kind_turned_away(panel: Panel) -> None:
    panel.click("view-chat")
    dropped = {"ferry.md": "# Ferries\n\nThe ferry to Vlieland takes ninety minutes.", "photo.png": "no"}
    drag(panel, "dragover", dropped)
    panel.wait_for("drop")
    drag(panel, "drop", dropped)
    panel.wait_for("file-row")
    assert "“photo.png” was not added" in panel.target.evaluate("document.querySelector('.toast').innerText")
    assert "ferry.md" in rows_when_done(panel, 4)
    assert panel.count("drop") == 0
    (told, *_) = panel.ask("How long does the ferry to Vlieland take?")
    assert "ninety minutes" in told.text


def test_a_file_that_cannot_be_read_says_why(panel: Panel, tmp_path: Path) -> None:
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(write_pdf([[], []]))
    choose(panel, scan)
    assert "This PDF holds pictures of text only." in rows_when_done(panel, 5)["scan.pdf"]


def test_an_address_of_a_file_is_given_back(panel: Panel) -> None:
    panel.target.evaluate(
        "(() => { const make = URL.createObjectURL; globalThis.made = [];"
        " URL.createObjectURL = (file) => made[made.push(make.call(URL, file)) - 1]; })()"
    )
    drag(panel, "drop", {"short.txt": "The tide turns at noon tomorrow, says the almanac.", "a.zip": "x"})
    rows_when_done(panel, 6)
    panel.target.evaluate("URL.createObjectURL(new Blob(['kept']))")
    reached = "Promise.all(made.map((url) => fetch(url).then(() => true, () => false)))"
    assert panel.target.evaluate(reached) == [False, False, True]


def test_a_cited_entry_of_a_list_is_opened(panel: Panel, browser: ExtensionBrowser, news_site: str) -> None:
    panel.add_all(1)
    panel.ask("What is said about tin whiskers and satellites?")
    assert "Open entry" in panel.text("entry-link")
    with browser.context.expect_page() as opened:
        panel.click("entry-link")
    opened.value.wait_for_url(f"{news_site}/story/1")
