"""The engine's line to the model worker, with scripted ports and a clock that is moved by hand."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from buildlib.paths import EXTENSION_SOURCE
from buildlib.serve import serve
from harness.browser import ExtensionBrowser

pytestmark = [pytest.mark.native, pytest.mark.browser]

SET_UP = """async () => {
    const { ModelClient } = await import("/js/model_client.js");
    globalThis.told = [];
    globalThis.client = new ModelClient((message) => told.push(message.type));
    globalThis.outcomes = [];
    globalThis.embed = () => {
        const at = outcomes.push("pending") - 1;
        client.embed(new Int32Array([101, 102]), new Int32Array([2])).then(
            (vectors) => { outcomes[at] = Array.from(vectors); },
            (error) => { outcomes[at] = error.name; },
        );
    };
    globalThis.connect = () => {
        const { port1, port2 } = new MessageChannel();
        globalThis.asked = [];
        port2.onmessage = ({ data }) => asked.push(data);
        globalThis.answer = (fields) => port2.postMessage({ call: asked.at(-1).call, ...fields });
        client.connect(port1);
    };
}"""


class Line:
    """A model client in a page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def do(self, script: str) -> Any:
        return self._page.evaluate(script)

    def wait_for(self, script: str) -> None:
        self._page.wait_for_function(script)

    def pass_s(self, seconds: int) -> None:
        self._page.clock.run_for(seconds * 1000)


@pytest.fixture(scope="module")
def scripts() -> Iterator[str]:
    with serve({"/js/": EXTENSION_SOURCE / "js", "/": b"<title>line</title>"}) as address:
        yield address


@pytest.fixture
def line(browser: ExtensionBrowser, scripts: str) -> Iterator[Line]:
    page = browser.context.new_page()
    page.clock.install()
    page.goto(f"{scripts}/")
    page.evaluate(SET_UP)
    yield Line(page)
    page.close()


def test_the_model_is_asked_for_by_the_first_call_only(line: Line) -> None:
    assert line.do("told") == []
    line.do("embed(); embed()")
    assert line.do("told") == ["model_wanted"]


def test_a_call_made_before_the_model_is_there_is_answered(line: Line) -> None:
    line.do("embed()")
    line.do("connect()")
    line.wait_for("asked.length === 1")
    line.do("answer({ vectors: new Float32Array([0.5, 0.25]) })")
    line.wait_for("outcomes[0] !== 'pending'")
    assert line.do("outcomes[0]") == [0.5, 0.25]


@pytest.mark.fault("F37")
def test_an_error_keeps_its_name(line: Line) -> None:
    line.do("embed(); connect()")
    line.wait_for("asked.length === 1")
    line.do("answer({ name: 'RangeError', message: 'too long' })")
    line.wait_for("outcomes[0] === 'RangeError'")


@pytest.mark.fault("F37")
def test_calls_in_hand_fail_when_the_model_is_lost_and_the_next_one_asks_anew(line: Line) -> None:
    line.do("embed(); embed(); connect()")
    line.do("client.lost()")
    line.wait_for("outcomes.every((outcome) => outcome === 'ModelLost')")
    line.do("embed()")
    assert line.do("told") == ["model_wanted", "model_wanted"]


@pytest.mark.fault("F37")
def test_a_model_that_does_not_answer_is_given_up(line: Line) -> None:
    line.do("embed(); connect()")
    line.pass_s(61)
    line.wait_for("outcomes[0] === 'ModelLost'")
    assert line.do("told") == ["model_wanted", "model_lost"]
