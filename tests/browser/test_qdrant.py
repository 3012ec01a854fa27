"""A Qdrant beside the real extension: tried, filled, asked, and gone without harm."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser import ExtensionBrowser
from harness.panel import Panel
from qdrant_server import FakeQdrant, served

pytestmark = [pytest.mark.native, pytest.mark.browser]

QUESTION = "How large is the tidal range in the Bay of Fundy?"
KEY = "a-planted-key"
TIMEOUT_MS = 90_000


@pytest.fixture(scope="module")
def fake() -> FakeQdrant:
    made = FakeQdrant()
    made.key = KEY
    return made


@pytest.fixture(scope="module")
def qdrant(fake: FakeQdrant) -> Iterator[str]:
    with served(fake) as address:
        yield address


@pytest.fixture(scope="module")
def panel(browser: ExtensionBrowser, site: str, open_panel: Callable[[str], Panel]) -> Panel:
    """The side panel with two pages in the library."""
    urls = [f"{site}/pages/ask/{name}.html" for name in ("bread", "tides")]
    for url in urls:
        browser.open_tab(url)
    opened = open_panel(urls[-1])
    opened.add_all(2)
    return opened


@pytest.fixture(scope="module")
def settings(browser: ExtensionBrowser, panel: Panel) -> Page:
    page = browser.open_tab("settings.html")
    page.set_default_timeout(TIMEOUT_MS)
    return page


def hook(page: Page, name: str) -> Locator:
    """The control of a test hook."""
    return page.locator(f"[data-test={name}]")


def test_it_is_tried_with_its_key_and_filled(settings: Page, fake: FakeQdrant, qdrant: str) -> None:
    hook(settings, "qdrant-address").fill(f"{qdrant}/dashboard")
    hook(settings, "qdrant-try").click()
    hook(settings, "qdrant-use").click()
    expect(hook(settings, "qdrant-error")).to_have_attribute("data-code", "key_missing", timeout=TIMEOUT_MS)
    hook(settings, "qdrant-key").fill(KEY)
    hook(settings, "qdrant-key-session").click()
    hook(settings, "qdrant-key-kept").wait_for()
    assert KEY not in settings.content()
    hook(settings, "qdrant-try").click()
    expect(hook(settings, "qdrant-found")).to_contain_text("Qdrant 1.19.0 answers.", timeout=TIMEOUT_MS)
    hook(settings, "qdrant-on").check()
    hook(settings, "qdrant-fill").click()
    hook(settings, "qdrant-send").click()
    expect(hook(settings, "qdrant-state")).to_contain_text("2 of 2 pages are there", timeout=TIMEOUT_MS)
    (name,) = fake.names()
    assert fake.n_points(name) >= 2


def test_a_question_is_answered_by_it(panel: Panel, fake: FakeQdrant, settings: Page) -> None:
    fake.requests.clear()
    assert "16.3 metres" in panel.ask(QUESTION)[0].text
    assert any(path.endswith("/points/query/groups") for _, path in fake.requests)
    assert panel.count("why-local") == 0


@pytest.mark.fault("F57")
def test_without_it_the_library_answers_and_says_so(panel: Panel, fake: FakeQdrant, settings: Page) -> None:
    fake.is_dead = True
    assert "16.3 metres" in panel.ask(QUESTION)[0].text
    assert panel.text("why-local").startswith("Searched on this computer, not in Qdrant:")
