"""Answers by a service on another computer, in the real panel: what is shown, sent and checked."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import PANEL_SIZE_PX
from browser.scripted_service import NO_PLAN, PLANS, ScriptedService, scripted_service
from buildlib.paths import EXTENSION
from harness.browser import ExtensionBrowser, extension_with_access, launched
from harness.panel import Panel
from tabwise.protocol.settings import default_settings

pytestmark = [pytest.mark.native, pytest.mark.browser]

SERVICE, NOTES = "llm.example", "notes.example"  # both lead to this machine, and the extension does not know
RANGE = "How large is the tidal range in the Bay of Fundy?"
BREAD = "How long is a sourdough loaf baked?"
AGENT = "Look into them with the tools."
TRUE = "In the Bay of Fundy the water rises and falls by up to 16.3 metres [1]."
LAST = "[...document.querySelectorAll('[data-test=answer]')].at(-1)"


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[ScriptedService, str]]:
    """The scripted service and its port."""
    with scripted_service() as (scripted, server):
        yield scripted, server.url.rpartition(":")[2]


@pytest.fixture(scope="module")
def llm(service: tuple[ScriptedService, str]) -> ScriptedService:
    return service[0]


@pytest.fixture(scope="module")
def place(service: tuple[ScriptedService, str]) -> str:
    """Host and port as the panel names them."""
    return f"{SERVICE}:{service[1]}"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExtensionBrowser]:
    """A Chromium for which two more hosts lead to this machine."""
    hosts = ("127.0.0.1", SERVICE, NOTES)
    folder = tmp_path_factory.mktemp("service")
    built = extension_with_access(
        EXTENSION, folder / "extension", tuple(f"http://{host}/*" for host in hosts)
    )
    rules = ",".join(f"MAP {host} 127.0.0.1" for host in hosts[1:])
    with launched(built, folder / "profile", arguments=(f"--host-resolver-rules={rules}",)) as opened:
        yield opened


def store(browser: ExtensionBrowser, place: str, **preferences: Any) -> None:
    """Keep settings with the service as the one that writes, and some preferences."""
    settings = default_settings()
    settings["rules"] = [{"effect": "allow", "pattern": "127.0.0.1"}]
    settings["providers"] = [
        {
            "id": "p",
            "kind": "compatible",
            "label": "Far",
            "address": f"http://{place}/v1",
            "model": "m-1",
            "context_tokens": 32_000,
            "calls_tools": True,
        }
    ]
    settings["preferences"].update({"engine": "provider:p", "auto_summaries": False} | preferences)
    browser.service_worker.evaluate("(settings) => chrome.storage.local.set({ settings })", settings)


@pytest.fixture(scope="module")
def opened_panel(browser: ExtensionBrowser, site: str, place: str) -> Panel:
    """The panel with three pages added: tides, bread, and the bread of another site."""
    store(browser, place)
    browser.open_tab(f"{site}/pages/ask/bread.html")
    browser.open_tab(f"http://{NOTES}:{site.rpartition(':')[2]}/tidal-power.html")
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    target = browser.open_side_panel(url)
    target.resize(*PANEL_SIZE_PX)
    panel = Panel(target)
    panel.add_all(3)
    return panel


@pytest.fixture
def panel(opened_panel: Panel, browser: ExtensionBrowser, place: str) -> Panel:
    """The panel on a new conversation, with the settings as they were."""
    store(browser, place)
    opened_panel.click("view-chat")
    if opened_panel.count("answer"):
        opened_panel.click("new-thread")
        opened_panel.target.wait_for("!document.querySelector('[data-test=answer]')")
    answer_by(opened_panel, "ask")
    return opened_panel


def answer_by(panel: Panel, manner: str) -> None:
    panel.target.evaluate(
        f"(list => {{ list.value = '{manner}';"
        " list.dispatchEvent(new Event('change', { bubbles: true })); })"
        "(document.querySelector('[data-test=manner]'))"
    )


def shown(panel: Panel, hook: str) -> str:
    """The text of a part of the last answer once it is there."""
    part = f"{LAST}?.querySelector('[data-test={hook}]')"
    return str(panel.target.wait_for(f"{part}?.innerText?.trim()", what=hook))


def press(panel: Panel, hook: str) -> None:
    part = f"{LAST}?.querySelector('[data-test={hook}]')"
    panel.target.wait_for(f"!!{part}", what=hook)
    panel.target.evaluate(f"{part}.click()", user_gesture=True)


def settled(panel: Panel) -> str:
    """The state of the last answer at its end."""
    return str(panel.target.wait_for(f"(s => s !== 'working' && s)({LAST}?.dataset.state)", timeout_s=60.0))


def settings_tab(browser: ExtensionBrowser) -> Page:
    page = browser.open_tab("settings.html")
    page.locator("[data-test=counts]").wait_for()
    return page


def without_keys(text: str) -> str:
    """A text without the word that each request has of its own."""
    return " ".join(re.sub(r"\b[0-9a-f]{16}\b", "KEY", text).split())


@pytest.mark.fault("S4")
def test_what_would_go_is_shown_word_for_word_before_anything_goes(
    panel: Panel, llm: ScriptedService, place: str
) -> None:
    llm.says(RANGE, TRUE)
    sentences = panel.ask(RANGE)
    assert "16.3 metres" in sentences[0].text
    assert llm.bodies() == []
    assert "nothing has been sent" in shown(panel, "fallback")
    assert f"Send this to http://{place}?" in shown(panel, "egress")
    press(panel, "egress-text")
    promised = without_keys(shown(panel, "egress"))
    assert "Tides of the Bay of Fundy" in promised
    press(panel, "egress-always")
    said = panel.target.wait_for(f"{LAST}?.querySelector('[data-test=made-by]')?.innerText.includes('Far')")
    assert said
    (body,) = llm.bodies()
    for message in body["messages"]:
        assert without_keys(message["content"]) in promised
    assert panel.sentences()[0].verdict == "supported"
    assert re.fullmatch(rf"\d KB to {place}", shown(panel, "sent"))


def test_the_account_tells_place_purpose_and_bytes(
    panel: Panel, browser: ExtensionBrowser, llm: ScriptedService, place: str
) -> None:
    page = settings_tab(browser)
    row = page.locator("[data-test=leaves-totals] tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(f"http://{place}")
    expect(row).to_contain_text("questions and passages, for answers")
    page.close()


@pytest.mark.fault("S4")
def test_pages_of_a_site_that_never_leaves_are_answered_from_here(
    panel: Panel, browser: ExtensionBrowser, llm: ScriptedService, place: str
) -> None:
    llm.says("tidal", TRUE)
    page = settings_tab(browser)
    page.locator("[data-test=never-leaves]").fill(NOTES)
    page.locator("[data-test=leaves-add]").click()
    page.locator("[data-test=stays]").wait_for()
    n_before = len(llm.texts())
    question = "How far does the water rise and fall, and what would the lagoon at Swansea Bay have had?"
    panel.ask(question)
    sent = llm.texts()[n_before:]
    assert sent
    assert all("lagoon" not in text.partition("Question:")[0] for text in sent)
    panel.click("how-open")
    assert "a rule of yours keeps it on this computer" in shown(panel, "receipt")
    page.locator("[data-test=stays]").get_by_role("button").click()
    expect(page.locator("[data-test=stays]")).to_have_count(0)
    page.close()
    n_before = len(llm.texts())
    panel.ask(question)
    assert any("lagoon" in text.partition("Question:")[0] for text in llm.texts()[n_before:])


def test_a_sentence_that_its_source_does_not_bear_out_is_written_anew_once(
    panel: Panel, llm: ScriptedService
) -> None:
    llm.says(RANGE, "The tidal range in the Bay of Fundy reaches 61 metres [1].")
    llm.says("Sentence: The tidal range in the Bay of Fundy reaches 61", TRUE)
    (sentence,) = panel.ask(RANGE)
    assert "16.3 metres" in sentence.text
    assert sentence.verdict == "supported"
    assert len([text for text in llm.texts() if "You correct one sentence" in text]) == 1


def test_what_fails_stays_with_its_verdict_and_strict_mode_leaves_it_out(
    panel: Panel, browser: ExtensionBrowser, llm: ScriptedService, place: str
) -> None:
    wrong = "Spring tides come on every Tuesday in the year 1755 [1]."
    llm.says(RANGE, f"{TRUE} {wrong}")
    llm.says("Sentence: Spring tides", "NOT IN THE SOURCES")
    doubted = panel.ask(RANGE)
    assert [one.verdict for one in doubted] == ["supported", "not_found"]
    page = settings_tab(browser)
    page.locator("[data-test=strict]").check()
    page.close()
    (sentence,) = panel.ask(RANGE)
    assert sentence.verdict == "supported"
    assert "1" in shown(panel, "notice")


def test_an_answer_in_another_language_has_the_original_words_beneath(
    panel: Panel, llm: ScriptedService
) -> None:
    question = "Wie hoch steigt das Wasser in der Bay of Fundy?"
    plan = json.dumps({"question": question, "queries": ["how far the water rises in the Bay of Fundy"]})
    llm.says(PLANS, plan)
    llm.says(question, "In der Bay of Fundy steigt und fällt das Wasser um bis zu 16,3 Meter [1].")
    (sentence,) = panel.ask(question)
    llm.says(PLANS, NO_PLAN)
    assert "Answer in German" in llm.texts()[-1]
    assert sentence.verdict == "partly"
    assert "16.3 metres" in shown(panel, "original")


def test_things_that_are_compared_come_as_a_table_with_cited_cells(
    panel: Panel, llm: ScriptedService
) -> None:
    llm.says("Compare", TRUE)
    panel.ask("Compare spring tides and neap tides")
    table = shown(panel, "agreement")
    assert "spring tides" in table.lower()
    assert "Neap tides follow about seven days later" in table
    cells = f"[...{LAST}.querySelectorAll('[data-test=agreement] td[data-verdict]')]"
    assert panel.target.evaluate(f"{cells}.every(cell => cell.querySelector('[data-test=chip]'))")


def test_research_looks_step_by_step_and_its_answer_is_checked(panel: Panel, llm: ScriptedService) -> None:
    llm.says(
        RANGE,
        ("todo", {"operation": "add", "items": ["the range"]}),
        ("search_pages", {"query": "tidal range Bay of Fundy", "k": 2}),
        ("calculator", {"expression": "16.3 * 2"}),
        ("researcher", {"question": "When was Annapolis Royal closed?"}),
        TRUE,
    )
    llm.says(
        "When was Annapolis Royal closed?",
        ("search_pages", {"query": "Annapolis Royal station closed", "k": 1}),
        "The Annapolis Royal station was closed in 2019 [3].",
    )
    answer_by(panel, "research")
    sentences = panel.ask(RANGE)
    assert [one.verdict for one in sentences] == ["supported"]
    steps = panel.target.evaluate(f"{LAST}.querySelector('[data-test=steps]').textContent")
    assert "16.3 * 2" in steps
    n_steps = panel.target.evaluate(f"{LAST}.querySelectorAll('[data-test=step]').length")
    assert n_steps >= 4


def test_research_that_runs_out_of_steps_is_left_to_the_usual_way_and_says_so(
    panel: Panel, browser: ExtensionBrowser, llm: ScriptedService, place: str
) -> None:
    page = settings_tab(browser)
    page.locator("[data-test=agent-steps]").select_option("10")
    page.close()
    llm.says(RANGE, TRUE)
    llm.says(AGENT, *(("search_pages", {"query": f"the tide at place {n}"}) for n in range(12)))
    answer_by(panel, "research")
    n_before = len(llm.bodies())
    panel.ask(RANGE)
    n_rounds = sum("tools" in body for body in llm.bodies()[n_before:])
    assert 5 < n_rounds <= 10
    assert "steps for research were used up" in shown(panel, "fallback")
    assert panel.sentences()[0].verdict == "supported"


def test_text_for_summaries_is_asked_about_and_the_service_writes_them(
    panel: Panel, browser: ExtensionBrowser, llm: ScriptedService, place: str
) -> None:
    store(browser, place, summary_engine="provider:p", auto_summaries=True)
    llm.says("You summarise text", "Bake the loaf at 240 degrees Celsius for 35 minutes.")
    llm.says(RANGE, TRUE)
    panel.ask(RANGE)
    n_before = len(llm.bodies())
    panel.click("view-pages")
    panel.click("summarise")
    panel.wait_for("egress")
    assert "text of pages, for summaries" in panel.text("egress")
    assert len(llm.bodies()) == n_before
    panel.click("view-chat")
    panel.click("new-thread")
    panel.click("view-pages")
    panel.click("egress-always")
    lines = "[...document.querySelectorAll('[data-test=summary]')].map(one => one.innerText).join(' ')"
    panel.target.wait_for(f"({lines}).includes('240 degrees Celsius for 35')", timeout_s=60.0)
    assert len(llm.bodies()) > n_before
