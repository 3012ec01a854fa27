"""What stands behind an answer, in the real side panel: receipt, replay, freshness, page by page."""

from collections.abc import Callable

import pytest

from harness.browser import ExtensionBrowser
from harness.panel import Panel

pytestmark = [pytest.mark.native, pytest.mark.browser]

RANGE_QUESTION = "How large is the tidal range in the Bay of Fundy?"
FIRST_CHIP = "[...document.querySelectorAll('[data-test=answer]')].at(-1).querySelector('[data-test=chip]')"
CHIP = "[...document.querySelectorAll('[data-test=chip]')].at(-1)"
OpenPanel = Callable[[str], Panel]


@pytest.fixture(scope="module")
def tides(browser: ExtensionBrowser, site: str) -> str:
    """Address of the page that answers, open in a tab beside another one."""
    browser.open_tab(f"{site}/pages/ask/bread.html")
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    return url


@pytest.fixture(scope="module")
def panel(open_panel: OpenPanel, tides: str) -> Panel:
    """The side panel with both tabs added and the question answered."""
    opened = open_panel(tides)
    opened.add_all(2)
    opened.ask(RANGE_QUESTION)
    return opened


def shown_text(panel: Panel, hook: str) -> str:
    """The text of a part once it is there."""
    panel.wait_for(hook)
    return panel.text(hook)


def test_nothing_left_this_computer(panel: Panel) -> None:
    assert shown_text(panel, "sent") == "nothing left this computer"


def test_the_receipt_tells_how_and_its_searches_come_out_the_same_again(panel: Panel) -> None:
    panel.click("how-open")
    receipt = shown_text(panel, "receipt")
    assert RANGE_QUESTION in receipt
    assert panel.count("search") >= 1
    panel.click("replay")
    assert shown_text(panel, "replayed").startswith("The same again:")


def test_a_cited_passage_is_looked_at_on_its_page_as_that_is_now(
    panel: Panel, browser: ExtensionBrowser, tides: str
) -> None:
    panel.target.evaluate(f"{CHIP}.focus()")
    assert shown_text(panel, "fresh") == "Still on the page, word for word"
    panel.target.evaluate(f"{CHIP}.blur()")
    page = next(page for page in browser.context.pages if page.url == tides)
    page.evaluate("document.body.replaceChildren('Nothing of what was here is here any more. '.repeat(40))")
    panel.ask(RANGE_QUESTION)
    panel.target.evaluate(f"{CHIP}.focus()")
    assert shown_text(panel, "fresh") == "No longer on the page"


MOVED_ALONE = """
const cited = main.querySelector("p");
cited.textContent = cited.textContent.split(". ")[0] + ".";
main.append(cited);
"""
SIDES = (("ins", "16.3"), ("del", "16.8"))


def difference_without(panel: Panel, tag: str) -> str:
    """What the difference says when the words in `tag` are left out: the text before, or the text now."""
    script = (
        "(part => { const copy = part?.cloneNode(true);"
        f" copy?.querySelectorAll('{tag}').forEach(one => one.remove()); return copy?.textContent ?? ''; }})"
        "(document.querySelector('[data-test=difference]'))"
    )
    return " ".join(str(panel.target.evaluate(script)).split())


def test_what_was_reworded_is_told_with_the_difference(
    panel: Panel, browser: ExtensionBrowser, tides: str
) -> None:
    page = next(page for page in browser.context.pages if page.url == tides)
    page.reload()
    panel.target.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
    for change, said in (
        ("main.querySelector('b').textContent = '16.8 metres'", "Reworded since it was read"),
        (MOVED_ALONE, "Still on the page, at another place"),
    ):
        page.evaluate(f"const main = document.querySelector('main'); {change}")
        panel.ask(RANGE_QUESTION)
        panel.target.evaluate(f"{FIRST_CHIP}.focus()")
        assert shown_text(panel, "fresh") == said
        told = [f"by up to {metres} metres" in difference_without(panel, tag) for tag, metres in SIDES]
        assert told == [said.startswith("Reworded")] * 2
        panel.target.evaluate(f"{FIRST_CHIP}.blur()")
        page.reload()


def test_every_page_is_asked_by_itself(panel: Panel) -> None:
    panel.target.evaluate(
        "(list => { list.value = 'ask_each'; list.dispatchEvent(new Event('change', { bubbles: true })); })"
        "(document.querySelector('[data-test=manner]'))"
    )
    panel.submit(RANGE_QUESTION)
    panel.target.wait_for("document.querySelectorAll('[data-test=each-page]').length === 1", timeout_s=60.0)
    panel.wait_for("each-other")
    assert "16.3 metres" in panel.text("each-page")
    assert (
        "bread"
        in panel.target.evaluate("document.querySelector('[data-test=each-other]').textContent").lower()
    )
