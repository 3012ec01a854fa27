"""The panel in a real Chromium with a scripted engine: every state accessible, none too wide, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser import answer_scenes, data_scenes, panel_scenes, summary_scenes, thread_scenes
from browser import scene as hands
from browser.axe import violations
from browser.layout import layout_faults, strayed_bars, unforced_signs
from browser.panel_page import MARKED, STUB, stubbed_pages
from browser.panel_scenes import starters
from browser.scene import CITATIONS, SENTENCES, Scene, answer, chrome_tab
from tabwise.ui.view.settings.voice import KEYS, SPOKEN
from tabwise.ui.words import LANGUAGES

pytestmark = [pytest.mark.native, pytest.mark.browser]

SCENES = (
    panel_scenes.SCENES
    | answer_scenes.SCENES
    | thread_scenes.SCENES
    | data_scenes.SCENES
    | summary_scenes.SCENES
)
SOURCES = [
    *(
        Path(scenes.__file__)
        for scenes in (hands, panel_scenes, answer_scenes, thread_scenes, data_scenes, summary_scenes)
    ),
    STUB,
]
DATA = " ".join(
    [
        *(" ".join(path.read_text(encoding="utf-8").split()) for path in SOURCES),
        *(hit["text"] for hit in panel_scenes.HITS),
        *(text for texts in summary_scenes.TEXTS.values() for text in texts),
        *(" ".join(text.split()) for text in summary_scenes.INTERESTS),
        *LANGUAGES.values(),
        *SPOKEN.values(),
        *KEYS,
    ]
)
MESSAGE = re.compile("⟦[^⟦⟧]*⟧")
MEASURE = re.compile(r"[\d.,]+ (ms|s|KB|MB|GB)")
SHOWN_TEXTS = """(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  for (const element of document.querySelectorAll("body *")) {
    for (const name of ["aria-label", "title", "placeholder"]) texts.push(element.getAttribute(name) ?? "");
  }
  return texts;
})()"""
PANEL_PX = (360, 720)


@pytest.fixture
def page(chromium: Browser, panel_address: str) -> Iterator[Page]:
    """A freshly opened panel; an uncaught error or a broken content security policy fails the test."""
    with stubbed_pages(chromium) as new_page:
        opened = new_page(*PANEL_PX)
        opened.goto(panel_address)
        yield opened


@pytest.fixture
def scene(page: Page) -> Scene:
    return Scene(page)


@pytest.fixture
def marked(page: Page) -> Scene:
    """A panel that speaks in marked words."""
    page.add_init_script(f"stub.language = '{MARKED}'")
    page.reload()
    return Scene(page)


def unmarked(page: Page) -> list[str]:
    """What is shown or read aloud and stands outside every mark; numbers with their units are left out."""
    texts: list[str] = page.evaluate(SHOWN_TEXTS)
    rest = []
    for text in texts:
        bare = text
        while (shorter := MESSAGE.sub(" ", bare)) != bare:
            bare = shorter
        pieces = [" ".join(piece.split()).rstrip("…") for piece in re.split(r" · | › |, |\n", bare)]
        rest += [piece for piece in pieces if re.search(r"[^\W\d_]", piece) and not MEASURE.fullmatch(piece)]
    return rest


@pytest.mark.parametrize("name", SCENES)
def test_a_state_is_accessible_and_fits(name: str, scene: Scene) -> None:
    SCENES[name](scene)
    assert violations(scene.page) == []
    scene.page.emulate_media(color_scheme="dark")
    scene.settle()
    assert violations(scene.page, "color-contrast") == []  # all else is the same in the dark
    assert layout_faults(scene.page) == []
    assert unforced_signs(scene.page) == []


@pytest.mark.parametrize("name", SCENES)
def test_a_state_says_nothing_but_words_of_the_table_and_data(name: str, marked: Scene) -> None:
    SCENES[name](marked)
    assert [text for text in unmarked(marked.page) if text not in DATA] == []


# sentences whose last word is not beside their first citation
TORN_OFF = """[...document.querySelectorAll("[data-test=sentence]")].filter((sentence) => {
  const chip = sentence.querySelector(".chip");
  const text = sentence.querySelector("[dir=auto]").firstChild;
  const last = document.createRange();
  last.setStart(text, text.length - 1);
  last.setEnd(text, text.length);
  const [word, mark] = [last, chip ?? last].map((one) => one.getBoundingClientRect());
  const apart = Math.max(mark.left - word.right, word.left - mark.right);
  return mark.top > word.bottom || (chip && !(apart > 1 && apart < 8));
}).map((sentence) => sentence.textContent)"""


def test_a_citation_stays_with_the_last_word_of_its_sentence(scene: Scene) -> None:
    SCENES["answered"](scene)
    torn_off = {}
    for width in range(300, 420, 3):
        scene.page.set_viewport_size({"width": width, "height": 720})
        torn_off[width] = scene.page.evaluate(TORN_OFF)
    assert {width: texts for width, texts in torn_off.items() if texts} == {}


def test_a_bar_stands_in_its_track(scene: Scene) -> None:
    SCENES["why"](scene)
    assert scene.page.locator("meter").count() >= len(panel_scenes.HITS)
    assert strayed_bars(scene.page) == []


def test_another_language_is_spoken_at_once(scene: Scene) -> None:
    scene.settings()
    scene.page.locator("[data-test=language]").select_option("de")
    scene.page.get_by_role("heading", name="Einstellungen").wait_for()
    assert scene.page.evaluate("document.documentElement.lang") == "de"
    assert scene.page.title() == "Tabwise-Einstellungen"
    scene.page.locator("[data-test=appearance]").select_option("dark")
    scene.settle()
    ground = scene.page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert ground == "dark"


def test_where_there_is_room_the_settings_list_their_sections(scene: Scene) -> None:
    scene.settings()
    lines = scene.page.locator("[data-test=to-section]")
    assert not lines.first.is_visible()
    scene.page.set_viewport_size({"width": 1280, "height": 720})
    assert violations(scene.page) == []
    name = scene.page.locator("[data-test=section]").nth(10).get_attribute("id")
    lines.nth(10).focus()
    scene.page.keyboard.press("Enter")
    scene.settle()
    assert scene.page.evaluate("document.activeElement.id") == name
    top = scene.page.evaluate("document.activeElement.getBoundingClientRect().top")
    assert top == pytest.approx(0, abs=2)
    assert lines.nth(10).is_visible()


FOCUS_SEEN = """(() => {
  const ring = (element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    return outlineStyle !== "none" || boxShadow !== "none";
  };
  let at = document.activeElement;
  // the ring of a field of its own stands on the box or the label around it
  const around = at.closest(".box, .filter-box, .pill") ?? at;
  return at === document.body || ring(at) || ring(around) || [...around.querySelectorAll("*")].some(ring)
    ? ""
    : at.outerHTML.slice(0, 120);
})()"""


@pytest.mark.parametrize(
    "name", ["answered", "pages_mixed", "library_found", "history", "narrowing", "settings"]
)
def test_wherever_the_focus_goes_it_is_seen(name: str, scene: Scene) -> None:
    SCENES[name](scene)
    unseen = set()
    for _ in range(30):
        scene.page.keyboard.press("Tab")
        unseen.add(scene.page.evaluate(FOCUS_SEEN))
    assert unseen == {""}


@pytest.mark.parametrize("name", ["asking", "library_refreshing", "finding"])
def test_nothing_moves_for_a_reader_who_wants_no_motion(name: str, scene: Scene) -> None:
    SCENES[name](scene)
    lasting = """document.getAnimations().map(({ effect }) => effect.getComputedTiming())
      .filter(({ activeDuration }) => activeDuration > 10).length"""
    assert scene.page.evaluate(lasting) == 0
    scene.page.emulate_media(reduced_motion="no-preference")
    assert scene.page.evaluate(lasting) > 0


def test_everything_can_be_done_by_keyboard(scene: Scene) -> None:
    scene.tabs([chrome_tab(1, "https://a.example/", "Alpha"), chrome_tab(2, "https://b.example/", "Beta")])
    keyboard = scene.page.keyboard
    scene.page.locator("[data-test=view-chat]").focus()
    keyboard.press("ArrowRight")
    scene.settle()
    reached = set()
    for _ in range(12):
        keyboard.press("Tab")
        reached.add(scene.page.evaluate("document.activeElement.dataset.test ?? document.activeElement.type"))
    assert {"add-tab", "add-all", "filter", "checkbox", "button"} <= reached
    keyboard.press("Control+k")
    scene.settle()
    assert scene.page.evaluate("document.activeElement.id") == "question"


@pytest.mark.fault("F11")
def test_access_is_asked_for_inside_the_click(scene: Scene) -> None:
    scene.tabs([chrome_tab(1, "https://a.example/x", "Alpha")])
    scene.click("add-tab")
    scene.last("index")
    calls = scene.page.evaluate("stub.calls")
    assert ["request", ["https://a.example/*"], True] in calls


@pytest.mark.fault("F11")
def test_a_refused_site_says_what_to_do_and_an_allowed_one_goes_on_by_itself(scene: Scene) -> None:
    scene.tabs([chrome_tab(1, "https://a.example/x", "Alpha")])
    scene.page.evaluate("stub.grants = false")
    scene.click("view-pages")
    scene.click("add-tab")
    row = scene.page.locator("[data-test=tab-row]")
    row.get_by_role("button", name="Allow").wait_for()
    assert scene.page.evaluate("stub.last('index')") is None
    scene.page.evaluate("stub.grants = true")
    row.get_by_role("button", name="Allow").click()
    assert [tab["url"] for tab in scene.last("index")["tabs"]] == ["https://a.example/x"]


def test_all_sites_are_asked_for_inside_the_click_and_once(scene: Scene) -> None:
    scene.tabs([chrome_tab(n, f"https://s{n}.example/", f"Tab {n}") for n in (1, 2, 3)])
    scene.click("view-pages")
    scene.click("add-all")
    scene.settle()
    scene.page.keyboard.press("Tab")  # the focus went to the choice: from these sites to all sites
    scene.page.keyboard.press("Enter")
    assert len(scene.last("index")["tabs"]) == 3
    asked = [call for call in scene.page.evaluate("stub.calls") if call[0] == "request"]
    assert asked == [["request", ["<all_urls>"], True]]


def test_the_tab_the_button_was_pressed_over_needs_no_question(scene: Scene) -> None:
    scene.tabs([chrome_tab(1, "https://a.example/x", "Alpha")])
    scene.call("setSession", "pressed", {"1": "https://a.example"})
    scene.click("add-tab")
    scene.last("index")
    assert [call for call in scene.page.evaluate("stub.calls") if call[0] == "request"] == []


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_shift_ticks_a_range(scene: Scene, how: str) -> None:
    scene.tabs([chrome_tab(n, f"https://s{n}.example/", f"Tab {n}") for n in range(1, 7)])
    scene.click("view-pages")
    boxes = scene.page.locator("[data-test=tab-row] input")
    boxes.nth(1).click()
    if how == "mouse":
        boxes.nth(4).click(modifiers=["Shift"])
    else:
        boxes.nth(4).focus()
        scene.page.keyboard.press("Shift+Space")
    scene.settle()
    ticked = [boxes.nth(place).is_checked() for place in range(6)]
    assert ticked == [False, True, True, True, True, False]


@pytest.mark.fault("F13")
def test_a_sleeping_tab_is_loaded_again_only_when_asked_for(scene: Scene) -> None:
    scene.access("<all_urls>")
    asleep = chrome_tab(2, "https://b.example/", "Beta", discarded=True)
    scene.tabs([chrome_tab(1, "https://a.example/", "Alpha"), asleep])
    scene.click("view-pages")
    scene.click("add-all")
    scene.settle()
    assert [call for call in scene.page.evaluate("stub.calls") if call[0] == "reload"] == []
    scene.click("wake")
    scene.settle()
    assert ["reload", 2] in scene.page.evaluate("stub.calls")
    scene.tabs([chrome_tab(1, "https://a.example/", "Alpha"), asleep | {"id": 9, "discarded": False}])
    assert [tab["tab_id"] for tab in scene.last("index")["tabs"]] == [9]


def test_the_menu_brings_a_selection_and_leaves_no_word_behind(scene: Scene) -> None:
    word = {"item": "ask_selection", "tab_id": 1, "window_id": 1, "text": "<b>spring</b> tides"}
    scene.call("setSession", "menu", word | {"window_id": 2})
    assert scene.page.locator("[data-test=question]").input_value() == ""
    scene.call("setSession", "menu", word)
    assert scene.page.locator("[data-test=question]").input_value() == "About “<b>spring</b> tides”: "
    assert scene.page.evaluate("stub.session.menu") is None


def test_settings_are_saved_at_once_and_reach_an_open_panel(scene: Scene) -> None:
    scene.settings()
    page = scene.page
    page.locator("[data-test=rule]").fill("https://hr.example.com/")
    page.keyboard.press("Enter")
    scene.settle()
    assert page.evaluate("stub.settings.rules") == [{"effect": "deny", "pattern": "hr.example.com"}]
    page.locator("[data-test=category-health]").focus()
    page.keyboard.press("Space")
    scene.settle()
    assert page.evaluate("stub.settings.categories_off") == ["mail", "health"]
    scene.click("remove-rule")
    scene.settle()
    assert page.evaluate("stub.settings.rules") == []
    scene.click("undo")
    scene.settle()
    assert page.evaluate("stub.settings.rules.length") == 1


def test_settings_that_cannot_be_saved_are_shown_as_they_are_stored(scene: Scene) -> None:
    scene.settings()
    scene.page.evaluate("stub.unsaved = true")
    scene.click("category-health")
    scene.settle()
    assert "could not save" in scene.page.locator("#live").inner_text()
    assert scene.page.locator("[data-test=category-health]").is_checked()


def test_a_site_is_given_back(scene: Scene) -> None:
    scene.settings()
    scene.click("give-back")
    scene.settle()
    assert ["revoke", ["https://docs.python.example/*"]] in scene.page.evaluate("stub.calls")
    assert scene.page.locator("[data-test=granted]").count() == 1


def test_a_question_from_typing_to_the_passage(scene: Scene) -> None:
    starters(scene)
    request = scene.ask("How do tidal turbines work?")
    scene.call("event", request, "sentence", {"index": 0, "sentence": SENTENCES[0], "citations": CITATIONS})
    assert scene.page.locator("[data-test=stop]").is_visible()
    scene.call("done", request, answer("How do tidal turbines work?", SENTENCES, CITATIONS))
    assert scene.page.locator("#live").inner_text().startswith("Answer ready, 6 sentences.")
    scene.page.locator("[data-test=chip]").nth(3).hover()
    assert "installed capacity of 6 MW" in scene.page.locator("[data-test=card] mark").inner_text()
    scene.page.locator("[data-test=chip]").nth(3).click()
    assert scene.last("show")["citation"] == CITATIONS[1]


def test_what_is_typed_while_the_list_changes_stays(scene: Scene) -> None:
    starters(scene)
    scene.click("view-pages")
    box = scene.page.locator("[data-test=filter]")
    box.fill("tidl")
    scene.page.keyboard.press("ArrowLeft")
    scene.tabs(
        [chrome_tab(1, "https://a.example/", "tidal"), chrome_tab(2, "https://b.example/", "tidal too")]
    )
    scene.page.keyboard.type("a")
    scene.settle()
    assert box.input_value() == "tidal"
    assert scene.page.locator("[data-test=tab-row]").count() == 2


def test_a_row_that_moves_keeps_the_focus(scene: Scene) -> None:
    tabs = [chrome_tab(number, f"https://site{number}.example/", f"Tab {number}") for number in range(1, 6)]
    scene.tabs(tabs)
    scene.click("view-pages")
    scene.settle()
    scene.page.locator("[data-test=tab-row] .opener").nth(3).focus()
    scene.tabs([tab | {"active": tab["id"] == 4} for tab in tabs])
    rows = scene.page.locator("[data-test=tab-row] .opener .title")
    assert rows.first.inner_text() == "Tab 4"
    assert scene.page.evaluate("document.activeElement.title") == "Tab 4"


def test_a_long_list_is_drawn_whole(scene: Scene) -> None:
    scene.tabs(
        [chrome_tab(number, f"https://s{number}.example/", f"Tab {number}") for number in range(1, 201)]
    )
    scene.click("view-pages")
    scene.page.locator("[data-test=tab-row]").nth(199).wait_for()
    titles = scene.page.locator("[data-test=tab-row] .title").all_text_contents()
    assert titles == [f"Tab {number}" for number in range(1, 201)]


@pytest.mark.fault("F70")
def test_hostile_titles_and_answers_stay_text(scene: Scene) -> None:
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    scene.tabs([chrome_tab(1, "javascript:alert(3)", hostile), chrome_tab(2, "https://b.example/", hostile)])
    scene.click("view-pages")
    scene.settle()
    assert scene.page.locator("[data-test=tab-row] .title").first.inner_text() == hostile
    assert scene.page.locator("main script, main img[onerror]").count() == 0


@pytest.mark.fault("F04")
def test_an_engine_that_comes_late_is_found(chromium: Browser, panel_address: str) -> None:
    page = chromium.new_page()
    page.add_init_script(path=STUB)
    page.add_init_script("stub.silent = true")
    page.goto(panel_address)
    page.locator("[data-test=engine-state][data-state=starting]").wait_for()
    page.evaluate("stub.silent = false")
    page.locator("[data-test=engine-state][data-state=ready]").wait_for()
    page.close()
