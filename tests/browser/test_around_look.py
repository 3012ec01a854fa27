"""The popup, saved text, first steps and the voice's frame in a real Chromium with a scripted engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from browser.axe import assert_accessible
from browser.layout import layout_faults, unforced_signs
from browser.panel_page import REPOSITORY, stubbed_pages
from browser.scene import CITATIONS, SENTENCES, answer, chrome_tab, page_row

pytestmark = [pytest.mark.native, pytest.mark.browser]

SOURCE = "https://www.tidalpower.example/report/2024"
PAGE = page_row(SOURCE, "How tidal stream turbines work")
ASKED = {"source": SOURCE, "quote": "turns slowly", "start": 7}
KINDS = [
    ("heading", 2, "Turbines", "", ""),
    ("paragraph", 0, "A rotor ", "turns slowly", " in the stream, a few times in a minute."),
    ("item", 0, "Cut-in at 0.7 m/s", "", ""),
    ("item", 1, "Rated at 2.5 m/s", "", ""),
    ("row", 1, "Site\tPower", "", ""),
    ("row", 0, "Fundy\t2 MW", "", ""),
    ("code", 0, "power = 0.5 * rho * area * v ** 3  # " + "watts " * 30, "", ""),
    ("quote", 0, "طاقة المد والجزر", "", ""),
]
SAVED = {
    "page": PAGE,
    "first": 10,
    "n_blocks": 30,
    "blocks": [
        dict(zip(("kind", "level", "before", "passage", "after"), kind, strict=True)) for kind in KINDS
    ],
    "found": True,
}
SETTINGS = {"version": 1, "preferences": {"voice": True}}
# words said and heard as a test scripts them; what was asked of them is kept
SPEECH = """(() => {
  const spoken = (globalThis.spoken = []);
  globalThis.SpeechRecognition = class {
    start() { globalThis.recogniser = this; spoken.push(["listen", this.lang]); }
    stop() { spoken.push(["stop"]); this.onend(); }
    abort() { spoken.push(["abort"]); }
  };
  const results = (texts) => texts.map((transcript) => [{ transcript }]);
  globalThis.hear = (...texts) => recogniser.onresult({ results: results(texts) });
  const voices = [{ lang: "en-US", localService: false }, { lang: "en-GB", localService: true }];
  globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const speechSynthesis = {
    getVoices: () => voices,
    speak: (said) => { globalThis.saying = said; spoken.push(["utter", said.text, said.voice.lang]); },
    cancel: () => spoken.push(["cancel"]),
  };
  Object.defineProperty(globalThis, "speechSynthesis", { value: speechSynthesis, configurable: true });
})()"""
Open = Callable[..., Page]


@pytest.fixture
def open_page(chromium: Browser, panel_address: str) -> Iterator[Open]:
    """Open a page of the extension; an uncaught error or a broken content security policy fails the test."""
    with stubbed_pages(chromium) as new_page:

        def opened(name: str, size: tuple[int, int] = (400, 600), **stub: Any) -> Page:
            page = new_page(*size)
            page.add_init_script(SPEECH)
            told = {"pages": [PAGE], "settings": SETTINGS} | stub
            page.add_init_script(f"Object.assign(stub, {json.dumps(told)})")
            page.goto(panel_address.replace("panel.html", name))
            until(page, "performance.getEntriesByName('interactive').length > 0")
            return page

        yield opened


def assert_well_made(page: Page, picture: str) -> None:
    """No violation in light or dark, nothing too wide at any width, no sign lost in forced colours."""
    assert_accessible(page, picture)
    size = page.viewport_size
    assert size is not None
    assert layout_faults(page) == []
    assert unforced_signs(page) == []
    page.set_viewport_size(size)


def until(page: Page, expression: str) -> None:
    """Wait until an expression is true; a bare one would be evaluated, which the pages forbid."""
    page.wait_for_function(f"() => ({expression})")


def request(page: Page, kind: str) -> dict[str, Any]:
    page.wait_for_function("kind => stub.last(kind)", arg=kind)
    found: dict[str, Any] = page.evaluate("kind => stub.last(kind)", kind)
    return found


def done(page: Page, kind: str, result: Any) -> None:
    page.evaluate("([id, result]) => stub.done(id, result)", [request(page, kind)["id"], result])


def told(page: Page) -> list[Any]:
    spoken: list[Any] = page.evaluate("spoken")
    return spoken


def answered(page: Page) -> None:
    done(page, "ask", answer("How?", SENTENCES, CITATIONS))
    page.wait_for_selector("[data-test=answer][data-state=done]")


def test_the_popup_asks_the_page_by_keyboard_alone(open_page: Open) -> None:
    page = open_page("popup.html", tabs=[chrome_tab(1, SOURCE, "How tidal stream turbines work")])
    until(page, "document.activeElement.id === 'question'")
    assert_well_made(page, "popup")
    page.keyboard.type("How?")
    page.keyboard.press("Enter")
    assert request(page, "ask")["question"] == "How?"
    answered(page)
    assert_well_made(page, "popup-answer")
    assert page.locator("[data-test=chip]").count() > 0


def test_saved_text_shows_the_passage_where_the_eye_is(open_page: Open) -> None:
    page = open_page("viewer.html#" + quote(json.dumps(ASKED)), (720, 500), savedText=SAVED)
    page.wait_for_selector("[data-test=passage]")
    until(page, "document.activeElement.id === 'passage'")
    assert page.locator("[data-test=passage]").inner_text() == "turns slowly"
    assert_well_made(page, "saved")
    page.locator("[data-test=later]").click()
    assert request(page, "saved_text")["first"] == 10 + len(KINDS)


@pytest.mark.fault("F67")
@pytest.mark.parametrize(
    ("words", "directive"),
    [
        ("Low-cost, safe & Sound", "Low%2Dcost%2C%20safe%20%26%20Sound"),
        ("Fundy | 16.3 metres | yes", "16.3%20metres"),
        ("First line of it\nand the last one", "First%20line%20of%20it,and%20the%20last%20one"),
        ("word " * 60 + "end", "word%20" * 5 + "word," + "word%20" * 5 + "end"),
        ("été \ud800 là", "%C3%A9t%C3%A9%20%EF%BF%BD%20l%C3%A0"),
    ],
)  # fmt: skip
def test_a_text_fragment_points_at_the_words(open_page: Open, words: str, directive: str) -> None:
    page = open_page("panel.html")
    call = "import('/js/sw/passage_show.js').then((it) => it.withTextFragment('https://a.example/x#top', %s))"
    address = page.evaluate(call % json.dumps(words))
    assert address == f"https://a.example/x#:~:text={directive}"


def test_the_first_steps_are_accessible_and_skipped_by_keyboard(open_page: Open) -> None:
    starters = [{"kind": "question", "text": "How do turbines work?", "source": SOURCE, "title": "Turbines"}]
    page = open_page("panel.html", (360, 900), starters=starters)
    page.wait_for_selector("[data-test=guide]")
    page.wait_for_selector("text=How do turbines work?")
    assert_well_made(page, "first-steps")
    page.locator("#skip-ask").focus()
    page.keyboard.press("Enter")
    until(page, "document.activeElement.id === 'skip-open'")


def test_a_question_is_dictated_and_the_answer_read_aloud(open_page: Open) -> None:
    page = open_page("panel.html", (360, 720))
    page.locator("[data-test=dictate]").click()
    until(page, "spoken.length > 0")
    page.evaluate("hear('how do', 'turbines work')")
    until(page, "document.getElementById('question').value === 'how do turbines work'")
    assert_well_made(page, "dictating")
    page.locator("[data-test=dictate]").click()
    until(page, "document.activeElement.id === 'question'")
    page.keyboard.press("Enter")
    answered(page)
    page.locator("[data-test=read-aloud]").click()
    until(page, "spoken.at(-1)[0] === 'utter'")
    assert told(page)[-1] == ["utter", SENTENCES[0]["text"], "en-GB"]
    page.evaluate("saying.onend()")
    until(page, "spoken.filter(([act]) => act === 'utter').length === 2")
    page.locator("[data-test=read-aloud]").click()
    until(page, "spoken.at(-1)[0] === 'cancel'")


def test_without_a_voice_of_this_computer_nothing_is_said_elsewhere(open_page: Open) -> None:
    page = open_page("panel.html", (360, 720))
    page.evaluate("speechSynthesis.getVoices = () => [{ lang: 'en-US', localService: false }]")
    page.locator("[data-test=question]").fill("How?")
    page.keyboard.press("Enter")
    answered(page)
    page.locator("[data-test=read-aloud]").click()
    page.wait_for_selector("text=This computer has no voice")
    assert told(page) == []


VOICE_SCRIPTS = [REPOSITORY / "extension" / "js" / name for name in ("speech.js", "voice.js")]
# the frame is a page of nobody here; what it would be told is read at its port
JOIN = """(() => {
  globalThis.heard = [];
  const { port1, port2 } = new MessageChannel();
  const real = MessageChannel;
  globalThis.MessageChannel = function () {
    port2.onmessage = ({ data }) => heard.push(JSON.parse(data));
    // fulfilled once the script has heard it: its own listener is the earlier one
    globalThis.act = (...words) => new Promise((done) => {
      port1.addEventListener("message", done, { once: true });
      port2.postMessage(JSON.stringify(words));
    }).then(() => {});
    globalThis.MessageChannel = real;
    return { port1, port2: new real().port1 };
  };
})()"""


def on_page(page: Page, markup: str) -> None:
    page.set_content(markup)
    page.evaluate(SPEECH)
    page.evaluate(JOIN)
    for path in VOICE_SCRIPTS:
        page.add_script_tag(path=path)
    assert page.evaluate("tabwiseVoice('http://frame.invalid/voice.html', 'http://frame.invalid', 'word')")
    page.evaluate("act('voice_key', 'F8')")


def test_the_key_is_held_to_talk_and_never_taken_from_a_field(chromium: Browser) -> None:
    page = chromium.new_page()
    on_page(page, "<p>Text</p><input id=field><div id=rich contenteditable>rich</div>")
    for field in ("#field", "#rich"):
        page.locator(field).focus()
        page.keyboard.press("F8")
    page.evaluate("document.activeElement.blur()")
    assert page.evaluate("heard") == []
    page.keyboard.down("F8")
    page.keyboard.down("F8")
    page.keyboard.up("F8")
    until(page, "heard.length === 2")
    assert page.evaluate("heard") == [
        {"type": "voice_key", "down": True},
        {"type": "voice_key", "down": False},
    ]
    page.evaluate("dispatchEvent(new KeyboardEvent('keydown', { code: 'F8' }))")
    page.keyboard.press("Escape")
    until(page, "heard.length === 3")
    assert page.evaluate("heard.at(-1)") == {"type": "voice_stop"}
    page.close()


def test_words_go_to_the_frame_and_what_it_says_is_spoken(chromium: Browser) -> None:
    page = chromium.new_page()
    on_page(page, "<p>Text</p>")
    page.evaluate("act('listen', 'de-DE')")
    until(page, "globalThis.recogniser")
    page.evaluate("hear('wie hoch')")
    page.evaluate("act('unlisten')")
    until(page, "heard.length === 2")
    assert page.evaluate("heard") == [{"type": "voice_heard", "text": "wie hoch"}, {"type": "voice_ended"}]
    page.evaluate("act('utter', 'Sixteen metres.', 'en-GB')")
    until(page, "globalThis.saying")
    page.evaluate("saying.onend()")
    until(page, "heard.length === 3")
    page.close()


def test_a_second_time_switches_it_off_and_leaves_nothing(chromium: Browser) -> None:
    page = chromium.new_page()
    on_page(page, "<p>Text</p>")
    assert page.evaluate("document.querySelectorAll('tabwise-voice').length") == 1
    assert (
        page.evaluate("tabwiseVoice('http://frame.invalid/voice.html', 'http://frame.invalid', 'word')")
        is False
    )
    assert page.evaluate("document.querySelectorAll('tabwise-voice').length") == 0
    page.keyboard.press("F8")
    assert page.evaluate("heard") == []
    assert told(page)[-1] == ["cancel"]
    page.close()


def test_the_frame_shows_its_state_and_takes_no_port_without_the_word(open_page: Open) -> None:
    page = open_page("voice.html", (64, 64), session={"voice": "word"})
    page.evaluate(
        "const a = new MessageChannel(); globalThis.said = []; a.port1.onmessage = (e) => said.push(e.data);"
        "postMessage('guess', '*', [a.port2])"
    )
    page.wait_for_timeout(200)
    page.evaluate(
        "const b = new MessageChannel(); globalThis.acts = []; globalThis.port = b.port1;"
        "b.port1.onmessage = (e) => acts.push(JSON.parse(e.data)); postMessage('word', '*', [b.port2])"
    )
    until(page, "acts.length > 0")
    assert page.evaluate("said") == []
    assert page.evaluate("acts") == [["voice_key", "F8"]]
    tell = "port.postMessage(JSON.stringify(%s))"
    page.evaluate(tell % "{ type: 'voice_key', down: true }")
    page.wait_for_selector("[data-test=voice-icon][data-state=listening]")
    page.evaluate(tell % "{ type: 'voice_heard', text: 'how' }")
    page.evaluate(tell % "{ type: 'voice_ended' }")
    assert request(page, "ask")["question"] == "how"
    done(page, "ask", answer("How?", SENTENCES, CITATIONS))
    page.set_viewport_size({"width": 400, "height": 520})
    page.locator("[data-test=voice-icon]").click()
    page.wait_for_selector("[data-test=voice-card]")
    assert page.evaluate("acts.at(-1)") == ["voice_open", True]
    assert_well_made(page, "voice")
