"""The passage a citation points at is found on the live page and lit up without changing it."""

import pytest
from playwright.sync_api import Page

from browser.page_scripts import capture, highlight, text_of
from harness.browser import ExtensionBrowser

pytestmark = [pytest.mark.native, pytest.mark.browser]

LIT = "() => [...(CSS.highlights.get('tabwise-passage') ?? [])].map((range) => range.toString()).join('')"


@pytest.fixture(scope="module")
def page(browser: ExtensionBrowser) -> Page:
    return browser.context.new_page()


def test_a_quote_is_lit_up_and_nothing_else(page: Page) -> None:
    page.set_content("<p>The tide turns at noon. The boats leave.</p>")
    assert highlight(page, "turns at noon.")
    assert page.evaluate(LIT) == "turns at noon."


@pytest.mark.fault("F67")
def test_a_quote_across_elements_and_line_breaks_is_found(page: Page) -> None:
    page.set_content("<p>The <b>tide</b>\n   tur<i>ns</i></p>\n<p>at noon</p>")
    assert highlight(page, "The tide turns\nat noon")
    assert page.evaluate(LIT).split() == ["The", "tide", "turns", "at", "noon"]


def test_cells_of_a_row_are_found_by_the_quote_that_joins_them(page: Page) -> None:
    page.set_content("<table><tr><td>Fundy</td><td>16.3 m</td></tr></table>")
    assert highlight(page, "Fundy | 16.3 m")


def test_invisible_characters_of_the_page_do_not_matter(page: Page) -> None:
    page.set_content("<p>un\u00adbreak\u200bable \U000e0041words \U0001f600 end</p>")
    assert highlight(page, "unbreakable words \U0001f600 end")
    assert page.evaluate(LIT).endswith("\U0001f600 end")


def test_the_neighbourhood_decides_between_equal_quotes(page: Page) -> None:
    page.set_content(
        "<p>Low tide: see the table.</p><p id=high>High tide: see the table.</p><p>See also.</p>"
    )
    assert highlight(page, "see the table.", before="High tide: ", after="See also.")
    script = """() => [...CSS.highlights.get('tabwise-passage')][0].startContainer.parentElement.id"""
    assert page.evaluate(script) == "high"


@pytest.mark.fault("F63")
def test_text_in_a_shadow_root_is_found(page: Page) -> None:
    page.set_content("<p>before</p><div id=host></div>")
    page.evaluate("document.getElementById('host').attachShadow({ mode: 'open' }).append('the shadow side')")
    assert highlight(page, "shadow side")
    assert page.evaluate(LIT) == "shadow side"


def test_a_quote_that_is_not_there_is_not_found_and_the_last_one_goes_dark(page: Page) -> None:
    page.set_content("<p>The tide turns at noon.</p>")
    assert highlight(page, "The tide")
    assert not highlight(page, "The tide turns at night.")
    assert page.evaluate(LIT) == ""


@pytest.mark.parametrize("quote", ["", "  \u200b "])
def test_an_empty_quote_is_not_found(page: Page, quote: str) -> None:
    page.set_content("<p>The tide turns at noon.</p>")
    assert not highlight(page, quote)


def test_scripts_and_styles_are_not_text(page: Page) -> None:
    page.set_content("<style>.canary { }</style><script>'canary'</script><p>nothing</p>")
    assert not highlight(page, "canary")


@pytest.mark.fault("F62")
def test_the_passage_is_scrolled_to_and_no_element_changes(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_content("<p>top</p><div style='height: 5000px'></div><p>far below</p>")
    before = page.evaluate("document.documentElement.outerHTML")
    assert highlight(page, "far below")
    assert page.evaluate("scrollY") > 4000
    assert page.evaluate("document.documentElement.outerHTML") == before


def test_a_passage_in_closed_details_is_opened(page: Page) -> None:
    page.set_content("<details><summary>Question</summary><p>The answer is here</p></details>")
    assert highlight(page, "answer is here")
    assert page.evaluate("document.querySelector('details').open")


def test_one_style_sheet_however_often_it_is_called(page: Page) -> None:
    page.set_content("<p>one two three</p>")
    for word in ("one", "two", "three"):
        assert highlight(page, word)
    assert page.evaluate("document.adoptedStyleSheets.length") == 1


OTHERS = LIT.replace("tabwise-passage", "tabwise-others")
BAR = "() => document.querySelectorAll('tabwise-passages').length"


def test_several_passages_are_marked_and_can_be_stepped_through(page: Page) -> None:
    page.set_content("<p>one tide</p><p style='margin: 3000px 0'>two boats</p><pre>three\n  lines</pre>")
    assert highlight(page, "two boats", others=["three lines", "one tide", "not there"])
    assert (page.evaluate(LIT), page.evaluate(OTHERS)) == ("two boats", "one tidethree\n  lines")
    page.wait_for_function("() => scrollY > 1000")
    for key in ("Tab", "Tab", "Enter"):  # the tree of the bar is closed to scripts
        page.keyboard.press(key)
    assert page.evaluate(LIT).split() == ["three", "lines"]
    page.keyboard.press("Enter")
    assert page.evaluate(LIT) == "one tide"
    page.wait_for_function("() => scrollY < 500")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("CSS.highlights.size") == 0
    assert page.evaluate(BAR) == 0


def test_the_bar_is_no_text_of_the_page(page: Page) -> None:
    page.set_content("<p>one tide</p><p>two boats</p>")
    assert highlight(page, "one tide", others=["two boats"])
    assert "1 / 2" not in text_of(capture(page)["root"])


def test_one_passage_adds_no_element(page: Page) -> None:
    page.set_content("<p>one tide</p>")
    markup = page.evaluate("document.documentElement.outerHTML")
    assert highlight(page, "one tide", others=["not there"])
    assert page.evaluate("document.documentElement.outerHTML") == markup


def test_what_the_page_draws_anew_is_lit_up_again(page: Page) -> None:
    page.set_content("<div id=app><p>one <b>tide</b> only</p></div>")
    assert highlight(page, "one tide only")
    page.evaluate("document.getElementById('app').replaceChildren()")
    page.wait_for_function(f"() => !({LIT})()")
    redrawn = "Object.assign(document.createElement('p'), { textContent: 'Here: one tide only' })"
    page.evaluate(f"document.getElementById('app').append({redrawn})")
    page.wait_for_function(f"() => ({LIT})() === 'one tide only'")


def test_a_shadow_tree_that_is_drawn_anew_is_lit_up_again(page: Page) -> None:
    page.set_content("<div id=host></div>")
    page.evaluate("document.getElementById('host').attachShadow({ mode: 'open' }).append('the shadow side')")
    assert highlight(page, "shadow side")
    page.evaluate("document.getElementById('host').shadowRoot.replaceChildren('a new shadow side')")
    page.wait_for_function(f"() => ({LIT})() === 'shadow side'")


def test_a_page_that_becomes_another_one_goes_dark(browser: ExtensionBrowser, site: str) -> None:
    page = browser.open_tab(f"{site}/pages/ask/tides.html")
    assert highlight(page, "Bay of Fundy")
    page.evaluate("history.pushState(null, '', '/elsewhere')")
    page.wait_for_function("() => CSS.highlights.size === 0")
    page.close()


def test_escape_clears_what_is_lit_up(page: Page) -> None:
    page.set_content("<p>one tide</p>")
    assert highlight(page, "one tide")
    page.keyboard.press("Escape")
    assert page.evaluate("CSS.highlights.size") == 0
