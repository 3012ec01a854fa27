"""The service worker: who may ask it, and what it says when the browser says no."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from buildlib.serve import serve
from harness.browser import ExtensionBrowser, entered, until

pytestmark = [pytest.mark.native, pytest.mark.browser]

Ask = Callable[[str, dict[str, Any]], dict[str, Any]]
TabId = Callable[[str], int]
STUCK_FOR_MS = 14_000
STUCK = (
    f"<p>Busy</p><script>const end = Date.now() + {STUCK_FOR_MS}; while (Date.now() < end);</script>".encode()
)
LARGE = b"<title>Large</title>" + b"<p>A paragraph of a page that takes a while to read</p>" * 20_000

# what makes a page go away, with the address of the sample site
LEAVING: dict[str, Callable[[Page, str], object]] = {
    "another-page": lambda page, site: page.goto(f"{site}/pages/visibility.html?next"),
    "unreadable-page": lambda page, site: page.goto("chrome://version/"),
    "same-page-again": lambda page, site: page.reload(),
    "another-address-of-its-own": lambda page, site: page.evaluate(
        "history.pushState(null, '', '?elsewhere')"
    ),
}


@pytest.fixture(scope="module")
def own_page(browser: ExtensionBrowser) -> Page:
    """A document of the extension that is no part of the product."""
    return browser.open_tab("manifest.json")


@pytest.fixture(scope="module")
def ask(own_page: Page) -> Ask:
    """Ask the service worker as a page of the extension does."""
    script = "([verb, args]) => chrome.runtime.sendMessage({ to: 'sw', verb, args })"
    return lambda verb, args: own_page.evaluate(script, [verb, args])


@pytest.fixture(scope="module")
def tab_id(own_page: Page) -> TabId:
    """Id of the tab whose address begins like this."""
    script = "async (url) => (await chrome.tabs.query({})).find((tab) => tab.url.startsWith(url))?.id"
    return lambda url: until(own_page, script, url)


@pytest.fixture(scope="module")
def odd_site() -> Iterator[str]:
    """A server with pages that try the patience."""
    with serve({"/stuck.html": STUCK, "/large.html": LARGE}) as address:
        yield address


def capture(ask: Ask, tab_id: int) -> dict[str, Any]:
    return ask("tab_capture", {"tab_id": tab_id, "max_chars": 100_000, "selection": False})


@pytest.mark.fault("F03")
def test_three_callers_make_one_offscreen_document(own_page: Page, browser: ExtensionBrowser) -> None:
    once = "chrome.runtime.sendMessage({ to: 'sw', verb: 'ensure_engine', args: {} })"
    replies = own_page.evaluate(f"Promise.all([{once}, {once}, {once}])")
    assert [reply["ok"] for reply in replies] == [True, True, True]
    shown = [target["url"] for target in browser.targets() if target["url"] == browser.url("offscreen.html")]
    assert len(shown) == 1


def test_an_unknown_verb_is_refused(ask: Ask) -> None:
    assert ask("constructor", {})["ok"] is False


@pytest.mark.fault("F20")
def test_a_script_inside_a_web_page_is_not_answered(
    own_page: Page, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html"
    browser.open_tab(url)
    forged = """async (tabId) => {
        const send = () => chrome.runtime.sendMessage({ to: "sw", verb: "ensure_engine", args: {} })
            .then((reply) => reply ?? "no answer", () => "no answer");
        const [{ result }] = await chrome.scripting.executeScript({ target: { tabId }, func: send });
        return result;
    }"""
    assert own_page.evaluate(forged, tab_id(url)) == "no answer"


def test_a_tab_is_read(ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId) -> None:
    url = f"{site}/pages/visibility.html"
    browser.open_tab(url)
    reply = capture(ask, tab_id(url))
    assert reply["value"]["url"] == url
    assert reply["value"]["title"] == "What can be seen"
    assert reply["value"]["root"][0] == "body"


@pytest.mark.fault("F06")
def test_nothing_of_ours_stays_in_the_page(
    own_page: Page, ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html"
    browser.open_tab(url)
    tab = tab_id(url)
    capture(ask, tab)
    left = """async (tabId) => {
        const func = () => typeof globalThis.tabwiseCapture;
        return (await chrome.scripting.executeScript({ target: { tabId }, func }))[0].result;
    }"""
    assert own_page.evaluate(left, tab) == "undefined"


@pytest.mark.fault("F14")
def test_a_closed_tab_is_gone(ask: Ask) -> None:
    assert capture(ask, 987_654_321)["name"] == "TabGone"


@pytest.mark.fault("F16")
def test_a_browser_page_is_a_system_page(ask: Ask, browser: ExtensionBrowser, tab_id: TabId) -> None:
    browser.open_tab("chrome://version/")
    assert capture(ask, tab_id("chrome://version/"))["name"] == "SystemPage"


@pytest.mark.fault("F16")
def test_a_page_of_an_extension_is_a_system_page(ask: Ask, browser: ExtensionBrowser, tab_id: TabId) -> None:
    assert capture(ask, tab_id(browser.url("manifest.json")))["name"] == "SystemPage"


@pytest.mark.fault("F19")
def test_a_tab_of_a_private_window_is_not_read(
    ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html?private"
    browser.open_tab(url)
    # In a private window the extension is not there at all: the browser has to be made to show one.
    browser.service_worker.evaluate(
        """() => {
            const { get } = chrome.tabs;
            globalThis.showTabs = () => { chrome.tabs.get = get; };
            chrome.tabs.get = async (id) => ({ ...(await get.call(chrome.tabs, id)), incognito: true });
        }"""
    )
    private = capture(ask, tab_id(url))
    browser.service_worker.evaluate("showTabs()")
    assert private["name"] == "TabIsPrivate"
    assert capture(ask, tab_id(url))["ok"] is True


@pytest.mark.fault("F11")
def test_a_site_without_a_grant_needs_permission(
    ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html".replace("127.0.0.1", "localhost")
    browser.open_tab(url)
    assert capture(ask, tab_id(url))["name"] == "NeedsPermission"


@pytest.mark.fault("F10")
def test_the_page_over_which_the_panel_was_opened_may_be_read(
    ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html?pressed".replace("127.0.0.1", "localhost")
    browser.open_tab(url)
    browser.open_side_panel(url).close()
    assert capture(ask, tab_id(url))["ok"] is True


@pytest.mark.fault("F13")
def test_a_discarded_tab_is_asleep(
    own_page: Page, ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html?asleep"
    browser.open_tab(url)
    own_page.bring_to_front()
    discarded = own_page.evaluate("async (id) => (await chrome.tabs.discard(id)).id", tab_id(url))
    assert capture(ask, discarded)["name"] == "TabAsleep"


def begin_capture(own_page: Page, page: Page, tab_id: int) -> None:
    """Start reading a tab, and go on once it is entered; the reply is awaited as `reply` in our own page."""
    script = """(tab_id) => {
        const args = { tab_id, max_chars: 100_000_000 };
        globalThis.reply = chrome.runtime.sendMessage({ to: "sw", verb: "tab_capture", args });
    }"""
    with entered(page, own_page.evaluate("origin")):
        own_page.evaluate(script, tab_id)


@pytest.mark.fault("F15")
@pytest.mark.parametrize("how", sorted(LEAVING))
def test_a_page_that_is_left_while_it_is_read_has_navigated(
    own_page: Page, browser: ExtensionBrowser, odd_site: str, site: str, tab_id: TabId, how: str
) -> None:
    url = f"{odd_site}/large.html?{how}"
    page = browser.open_tab(url)
    begin_capture(own_page, page, tab_id(url))
    LEAVING[how](page, site)
    assert own_page.evaluate("reply")["name"] == "TabNavigated"


@pytest.mark.fault("F14")
def test_a_tab_that_is_closed_while_it_is_read_is_gone(
    own_page: Page, browser: ExtensionBrowser, odd_site: str, tab_id: TabId
) -> None:
    page = browser.open_tab(f"{odd_site}/large.html?closing")
    begin_capture(own_page, page, tab_id(f"{odd_site}/large.html?closing"))
    page.close()
    assert own_page.evaluate("reply")["name"] == "TabGone"


@pytest.mark.slow
@pytest.mark.fault("F12")
def test_a_tab_that_does_not_answer_runs_into_the_time_limit(
    ask: Ask, browser: ExtensionBrowser, odd_site: str, tab_id: TabId
) -> None:
    page = browser.context.new_page()
    page.goto(f"{odd_site}/stuck.html", wait_until="commit")
    reply = capture(ask, tab_id(f"{odd_site}/stuck.html"))
    assert reply["name"] == "TabTimeout", reply
    page.close()


def show(ask: Ask, url: str, quote: str, moment_url: str | None = None) -> dict[str, Any]:
    passage = {"quote": quote, "before": "", "after": "", "page_number": None}
    args = {"url": url, "passages": [passage], "source": url, "title": "", "start": 0}
    args["moment_url"] = moment_url
    reply = ask("passage_show", args)
    assert reply["ok"], reply
    value: dict[str, Any] = reply["value"]
    return value


def test_a_passage_is_shown_in_the_tab_that_is_open(
    ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html?show"
    browser.open_tab(f"{url}#part")
    browser.open_tab(f"{site}/pages/visibility.html?other")
    assert show(ask, url, "far below") == {"found": True, "tab_id": tab_id(url)}


def test_a_recording_is_brought_to_the_moment(
    ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html?v=1"
    tab = browser.open_tab(url)
    here = tab_id(url)
    assert show(ask, url, "far below", f"{url}&t=754s") == {"found": True, "tab_id": here}
    tab.wait_for_url(f"{url}&t=754s")


def test_a_page_that_is_not_open_is_opened_for_its_passage(
    ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html?reopened"
    shown = show(ask, url, "text over a dark layer")
    assert shown == {"found": True, "tab_id": tab_id(url)}


@pytest.mark.fault("F67")
def test_a_passage_that_is_gone_is_not_found(
    ask: Ask, browser: ExtensionBrowser, site: str, tab_id: TabId
) -> None:
    url = f"{site}/pages/visibility.html?gone"
    browser.open_tab(url)
    assert show(ask, url, "words that stood here yesterday")["found"] is False
