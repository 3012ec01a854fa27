"""Around the page in the real extension: popup, saved text, starters, a linked page, talking on a page."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.test_around_look import SPEECH
from harness.browser import ExtensionBrowser, launched
from harness.panel import Panel
from tabwise.protocol.settings import default_settings

pytestmark = [pytest.mark.native, pytest.mark.browser]

QUESTION = "How large is the tidal range in the Bay of Fundy?"
OpenPanel = Callable[[str], Panel]


def choose(browser: ExtensionBrowser, **preferences: Any) -> None:
    """Store settings that let the loopback site be read, with some preferences."""
    settings = default_settings()
    settings["rules"] = [{"effect": "allow", "pattern": "127.0.0.1"}]
    settings["preferences"].update(preferences)
    browser.service_worker.evaluate("(settings) => chrome.storage.local.set({ settings })", settings)


@pytest.fixture
def fresh(extension: Path, tmp_path: Path) -> Iterator[ExtensionBrowser]:
    """A Chromium on a profile of this test alone."""
    with launched(extension, tmp_path / "profile") as opened:
        yield opened


def test_the_popup_adds_the_page_it_is_opened_over_and_asks_it(fresh: ExtensionBrowser, site: str) -> None:
    choose(fresh, toolbar="popup")
    fresh.service_worker.evaluate(
        "new Promise((done) => { const ask = async () =>"
        " await chrome.action.getPopup({}) ? done() : setTimeout(ask, 20); ask(); })"
    )
    url = f"{site}/pages/ask/tides.html"
    fresh.open_tab(url)
    fresh.press_action(url)
    popup = fresh.attach("popup.html")
    note = "document.querySelector('[data-test=popup-note]')?.innerText"
    popup.wait_for(f"({note} ?? '').startsWith('Adds this page')", what="the page to be known")
    popup.evaluate(
        "(field => { field.value = 'How large is the tidal range in the Bay of Fundy?';"
        " field.dispatchEvent(new Event('input', { bubbles: true })); })(document.getElementById('question'))"
    )
    popup.wait_for("!!document.querySelector('.send.ready')")
    popup.evaluate("document.querySelector('[data-test=ask]').click()", user_gesture=True)
    shown = "document.querySelector('[data-test=answer][data-state=done] [data-test=sentence]')?.innerText"
    assert "16.3 metres" in popup.wait_for(shown, timeout_s=120)
    assert popup.evaluate(note) == ""


def test_words_that_are_gone_are_read_in_the_saved_text(
    browser: ExtensionBrowser, open_panel: OpenPanel, site: str
) -> None:
    url = f"{site}/pages/ask/tides.html"
    page = browser.open_tab(url)
    panel = open_panel(url)
    panel.add_all(1)
    panel.ask(QUESTION)
    page.evaluate("document.body.replaceChildren('Nothing is left of what stood here.')")
    panel.press_chip(0)
    with browser.context.expect_page() as opened:
        panel.click("undo")
    viewer = opened.value
    mark = viewer.wait_for_selector("[data-test=passage]")
    assert mark is not None
    assert "16.3 metres" in mark.inner_text()
    assert viewer.url.partition("#")[0] == browser.url("viewer.html")
    viewer.close()
    page.close()


def test_starter_questions_are_answered_by_the_page_they_are_about(
    browser: ExtensionBrowser, open_panel: OpenPanel, site: str
) -> None:
    url = f"{site}/tidal-power.html"
    browser.open_tab(url)
    panel = open_panel(url)
    panel.add_all(1)
    panel.target.evaluate("location.reload()")
    # the conversation of a moment ago is open again
    panel.target.wait_for("!!document.querySelector('[data-test=new-thread], .starter')", what="the chat")
    panel.target.evaluate("document.querySelector('[data-test=new-thread]')?.click()", user_gesture=True)
    panel.target.wait_for("!!document.querySelector('.starter')", what="starter questions")
    panel.target.evaluate("document.querySelector('.starter').click()", user_gesture=True)
    state = "document.querySelector('[data-test=answer]')?.dataset.state"
    panel.target.wait_for(f"({state}) === 'done'", timeout_s=120)
    assert panel.count("sentence") > 0


# our scripts and these words share a world of their own in the page
SCRIPTED = f"""async (url) => {{
  const [tab] = await chrome.tabs.query({{ url }});
  await chrome.scripting.executeScript({{ target: {{ tabId: tab.id }}, func: () => {{ {SPEECH}; }} }});
  chrome.commands.onCommand.dispatch("talk", tab);
}}"""
HEARD = """async (url) => {
  const [tab] = await chrome.tabs.query({ url });
  const func = () => globalThis.hear("How large is the tidal range in the Bay of Fundy?");
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, func });
}"""
SPOKEN = """async (url) => {
  const [tab] = await chrome.tabs.query({ url });
  const func = () => globalThis.spoken;
  const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func });
  return result;
}"""


def hold(page: Page, key: str) -> None:
    """Press a key until the page does not hear of it: that it is the key to talk may not be known yet."""
    page.evaluate("globalThis.n = 0; document.addEventListener('keydown', () => n++)")
    for n_heard in range(1000):
        page.keyboard.down(key)
        if page.evaluate("n") == n_heard:
            return
        page.keyboard.up(key)
    raise AssertionError(f"{key} was never taken")


def test_a_question_is_spoken_on_a_page_and_the_answer_said(
    browser: ExtensionBrowser, open_panel: OpenPanel, site: str
) -> None:
    url = f"{site}/pages/ask/tides.html?talk"
    page = browser.open_tab(url)
    open_panel(url).add_all(1)
    choose(browser, voice=True)
    page.bring_to_front()
    browser.service_worker.evaluate(SCRIPTED, url)
    frame = browser.attach("voice.html")
    state = "document.querySelector('[data-test=voice-icon]')?.dataset.state"
    frame.wait_for(f"({state}) === 'idle'")
    hold(page, "F8")
    frame.wait_for(f"({state}) === 'listening'")
    browser.service_worker.evaluate(HEARD, url)
    page.keyboard.up("F8")
    frame.wait_for(f"({state}) === 'speaking'", timeout_s=120)
    acts = browser.service_worker.evaluate(SPOKEN, url)
    assert [act[0] for act in acts] == ["listen", "stop", "utter"]
    assert "16.3 metres" in acts[-1][1]
    page.goto(f"{site}/pages/ask/bread.html")
    assert page.evaluate("document.querySelectorAll('tabwise-voice').length") == 0
    page.close()


def test_a_linked_page_is_opened_behind_and_asks_for_its_site(
    browser: ExtensionBrowser, open_panel: OpenPanel, site: str
) -> None:
    url = f"{site}/pages/ask/bread.html?link"
    page = browser.open_tab(url)
    panel = open_panel(url)
    linked = f"{site}/sqlite-from-python.html"
    browser.service_worker.evaluate(
        "async ([url, linkUrl]) => { const [tab] = await chrome.tabs.query({ url });"
        " chrome.contextMenus.onClicked.dispatch({ menuItemId: 'add_link', linkUrl }, tab); }",
        [url, linked],
    )
    panel.click("view-pages")
    state = f"[...document.querySelectorAll('[data-test=tab-row]')].find(r => r.dataset.url === '{linked}')"
    panel.target.wait_for(f"({state})?.dataset.state === 'added'", timeout_s=120)
    assert page.evaluate("document.visibilityState") == "visible"
    page.close()
