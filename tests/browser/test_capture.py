"""What is read of a page: all a person can see, nothing a person cannot, and the page stays as it was."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser.page_scripts import CAPTURE, capture, first, text_of
from harness.browser import ExtensionBrowser
from tabwise.core.page.capture import decode_capture

pytestmark = [pytest.mark.native, pytest.mark.browser]

PAGES = Path(__file__).parent / "pages"
HIDDEN = json.loads((PAGES / "hidden" / "index.json").read_text("utf-8"))
# Visible, but not in this form: invisible characters inside the word are taken out later, in Python; the
# control has no canary.
NOT_VERBATIM = ("h24", "h25", "h40")
FOLDED = "h21"
VISIBILITY = (PAGES / "visibility.html").read_text("utf-8")


@pytest.fixture(scope="module")
def page(browser: ExtensionBrowser) -> Page:
    return browser.context.new_page()


@pytest.mark.parametrize("case", HIDDEN, ids=lambda case: f"{case['id']} {case['technique']}")
@pytest.mark.fault("I1")
def test_hidden_text_is_left_out_and_the_rest_is_read(page: Page, site: str, case: dict[str, str]) -> None:
    page.goto(f"{site}/pages/hidden/{case['id']}.html")
    text = text_of(capture(page)["root"])
    expected = case["visible_to_human"] and case["id"] not in NOT_VERBATIM
    assert (f"CANARY-{case['id']}" in text) is (expected or case["id"] == FOLDED)
    assert "Adult tickets cost twelve euros" in text
    assert "Guided tours leave at ten" in text


def test_closed_details_are_read_and_marked(page: Page, site: str) -> None:
    page.goto(f"{site}/pages/hidden/{FOLDED}.html")
    details = first(capture(page)["root"], "details")
    assert details[1] == {"role": "folded"}
    assert f"CANARY-{FOLDED}" in text_of(details)


@pytest.mark.parametrize("phrase", re.findall(r"(?<!UN)SEEN [a-z,]+(?: [a-z,]+)*", VISIBILITY))
@pytest.mark.fault("F63")
def test_what_can_be_seen_is_read(page: Page, site: str, phrase: str) -> None:
    page.goto(f"{site}/pages/visibility.html")
    assert phrase in re.sub(r"\s+", " ", text_of(capture(page)["root"]))


@pytest.mark.fault("I1")
def test_what_cannot_be_seen_is_not_read(page: Page, site: str) -> None:
    page.goto(f"{site}/pages/visibility.html")
    assert "UNSEEN" not in text_of(capture(page)["root"])


def test_text_split_over_inline_boxes_stays_one_word(page: Page, site: str) -> None:
    page.goto(f"{site}/pages/visibility.html")
    assert "SEEN letters apart" in text_of(capture(page)["root"])


@pytest.mark.fault("F62")
def test_reading_changes_nothing(page: Page, site: str) -> None:
    page.goto(f"{site}/pages/visibility.html")
    page.evaluate(
        """() => {
            globalThis.nChanges = 0;
            const options = { subtree: true, childList: true, attributes: true, characterData: true };
            const count = (records) => (globalThis.nChanges += records.length);
            new MutationObserver(count).observe(document, options);
        }"""
    )
    capture(page)
    assert page.evaluate("new Promise((done) => setTimeout(() => done(globalThis.nChanges)))") == 0


def test_structure_is_kept_and_formatting_dissolved(page: Page) -> None:
    page.set_content(
        """<base href="https://example.org/dir/"><main>
        <h2 id="top" style="x:y" onclick="1">A <em>title</em></h2>
        <ul><li>one<ul><li>inner</li></ul></li></ul>
        <table><tr><th colspan="2">Head</th></tr><tr><td></td><td>cell</td></tr></table>
        <p>See <a href="page?q=1#part" title="t">the <b>page</b></a>.<br>Next <code>x = 1</code></p>
        <pre>a\n  b</pre><div><span>in </span><span> line</span></div></main>"""
    )
    assert first(capture(page)["root"], "main") == [
        "main", {},
        ["h2", {"id": "top"}, "A title"],
        ["ul", {}, ["li", {}, "one", ["ul", {}, ["li", {}, "inner"]]]],
        ["table", {}, ["tbody", {},
            ["tr", {}, ["th", {"colspan": "2"}, "Head"]],
            ["tr", {}, ["td", {}], ["td", {}, "cell"]]]],
        ["p", {}, "See ", ["a", {"href": "https://example.org/dir/page?q=1#part"}, "the page"], ".",
            ["br", {}], "Next ", ["code", {}, "x = 1"]],
        ["pre", {}, "a\n  b"],
        ["div", {}, "in line"],
    ]  # fmt: skip


def test_links_that_stand_apart_are_not_run_together(page: Page) -> None:
    page.set_content(
        """<nav style="display: flex"><a href="https://e.org/1">One</a><a href="https://e.org/2">Two</a></nav>"""
    )
    links = [["div", {}, ["a", {"href": f"https://e.org/{n}"}, text]] for n, text in ((1, "One"), (2, "Two"))]
    assert first(capture(page)["root"], "nav") == ["nav", {}, *links]


def test_times_are_kept_apart_from_the_text_around(page: Page) -> None:
    page.set_content("<p>by Ada <time datetime=2024-01-01>3 hours ago</time></p>")
    assert first(capture(page)["root"], "p")[2:] == ["by Ada ", ["time", {}, "3 hours ago"]]


SELECT = """([from, start, to, end]) => {
    const texts = (selector) => document.querySelector(selector).firstChild;
    getSelection().setBaseAndExtent(texts(from), start, texts(to), end);
}"""


def test_selection_alone_is_read(page: Page) -> None:
    page.set_content("<h1>Title</h1><p id=a>Before, first half</p><ul><li>item</ul><p id=b>second, after</p>")
    page.evaluate(SELECT, ["#a", 8, "#b", 6])
    captured = capture(page, selection=True)
    assert captured["is_selection"] is True
    assert captured["root"] == [
        "body", {},
        ["p", {"id": "a"}, "first half"],
        ["ul", {}, ["li", {}, "item"]],
        ["p", {"id": "b"}, "second"],
    ]  # fmt: skip


def test_selection_inside_one_text(page: Page) -> None:
    page.set_content("<p id=a>one two three</p><p>four</p>")
    page.evaluate(SELECT, ["#a", 4, "#a", 7])
    assert text_of(capture(page, selection=True)["root"]).strip() == "two"


def test_with_nothing_selected_nothing_is_read(page: Page) -> None:
    page.set_content("<p>one two three</p>")
    assert text_of(capture(page, selection=True)["root"]) == ""


def test_video_is_noticed(page: Page) -> None:
    page.set_content("<p>text</p><video width=640 height=360></video>")
    assert capture(page)["has_video"] is True
    page.set_content("<p>text</p><video width=640 height=360 hidden></video><video width=90></video>")
    assert capture(page)["has_video"] is False


def test_facts_about_the_page(page: Page, site: str) -> None:
    url = f"{site}/pages/visibility.html?a=1#part"
    page.goto(url)
    captured = capture(page)
    assert captured["url"] == url
    assert captured["canonical_url"] == f"{site}/canonical"
    assert captured["title"] == "What can be seen"
    assert captured["language"] == "en"
    assert captured["n_total_chars"] == captured["n_read_chars"]


@pytest.mark.fault("F36")
def test_lone_surrogates_are_repaired(page: Page) -> None:
    page.set_content("<p id=p></p>")
    page.evaluate("document.getElementById('p').append('broken \\ud83d here', '\\udc00')")
    assert first(capture(page)["root"], "p")[2] == "broken \ufffd here\ufffd"


@pytest.mark.fault("F61")
def test_reading_stops_at_the_limit_and_counts_the_rest(page: Page) -> None:
    page.set_content("<p>aaaa bbbb</p>" * 100)
    captured = capture(page, max_chars=100)
    assert captured["n_read_chars"] == 100
    assert captured["n_total_chars"] == 900


@pytest.mark.fault("F36")
def test_the_limit_does_not_split_a_character(page: Page) -> None:
    page.set_content("<p>\U0001f600\U0001f600\U0001f600</p>")
    assert first(capture(page, max_chars=3)["root"], "p")[2] == "\U0001f600"


@pytest.mark.fault("F61")
def test_a_very_deep_page_is_flattened(page: Page) -> None:
    page.set_content("")
    page.evaluate(
        """() => {
            let inner = document.body;
            for (let i = 0; i < 500; i += 1) inner = inner.appendChild(document.createElement("div"));
            inner.append("bottom");
        }"""
    )
    captured = decode_capture(capture(page))
    assert "bottom" in str(captured.root)


def test_an_empty_page_has_no_text(page: Page) -> None:
    page.set_content("")
    captured = capture(page)
    assert captured["root"] == ["body", {}]
    assert captured["n_total_chars"] == 0


@pytest.mark.slow
@pytest.mark.fault("F61")
def test_a_page_of_ten_megabytes_leaves_the_page_running(page: Page) -> None:
    page.set_content(
        "<p>Words of a <b>very</b> large <a href='/'>page</a> that goes on and on.</p>" * 130_000
    )
    page.add_script_tag(content=CAPTURE)
    text, n_turns = page.evaluate(
        """async () => {
            const channel = new MessageChannel();
            let nTurns = 0;
            channel.port1.onmessage = () => { nTurns += 1; channel.port2.postMessage(0); };
            channel.port2.postMessage(0);
            const read = await tabwiseCapture(500_000);
            channel.port1.close();
            return [read, nTurns];
        }"""
    )
    captured = json.loads(text)
    # how much is read before the time is over depends on the machine
    assert 0 < captured["n_read_chars"] <= 500_000
    assert captured["n_read_chars"] < captured["n_total_chars"]
    assert n_turns > 50
