"""Tokens that are asked for in shared memory: the same ones, and whoever else asks is not kept waiting."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from buildlib.chromium import find_chromium
from buildlib.paths import EXTENSION
from buildlib.serve import serve
from harness.browser import playwright_running

pytestmark = [pytest.mark.native, pytest.mark.browser]

# The real client and the real worker; `sent` counts the messages between them.
PAGE = b"""<!doctype html><script type="module">
import { ModelClient } from "/js/model_client.js";
globalThis.sent = 0;
globalThis.client = new ModelClient(({ type }) => type === "model_wanted" && start());
function start() {
  globalThis.worker = new Worker("/js/model_worker.js", { type: "module" });
  const { port1, port2 } = new MessageChannel();
  const post = port1.postMessage.bind(port1);
  port1.postMessage = (message, transfer) => { sent += 1; post(message, transfer); };
  worker.postMessage({ type: "connect", port: port2 }, [port2]);
  client.connect(port1);
}
const open = { place: "packaged:smollm2", files: ["model_int8.onnx"], device: "wasm" };
const likeliest = (decoder, tokens, past) =>
  client.ask("run", { decoder, tokens: Int32Array.from(tokens), past, want: "top", k: 1, allow: null });
globalThis.opened = async () => (await client.ask("open", open)).decoder;
/** The likeliest tokens behind a prompt, each with its logit; `meanwhile` is done behind the third. */
globalThis.written = async (decoder, prompt, n, meanwhile = () => {}) => {
  await likeliest(decoder, prompt.slice(0, 1), 0);
  let reply = await likeliest(decoder, prompt.slice(1), 1);
  const told = [[...reply.tokens, ...reply.logits]];
  sent = 0;
  while (told.length < n) {
    if (told.length === 3) meanwhile();
    reply = await likeliest(decoder, reply.tokens, prompt.length + told.length - 1);
    told.push([...reply.tokens, ...reply.logits]);
  }
  return told;
};
globalThis.likeliest = likeliest;
globalThis.loaded = true;
</script>"""
PROMPT = (504, 3575, 282, 4649, 314)  # any five tokens
N_WRITTEN = 12


@pytest.fixture(scope="module")
def pages() -> Iterator[dict[bool, Page]]:
    """A page without shared memory and one with it, by whether it is isolated."""
    routes: dict[str, Path | bytes] = {"/": EXTENSION, "/client.html": PAGE}
    with (
        serve(routes) as plain,
        serve(routes, isolated=True) as isolated,
        playwright_running() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        made = {}
        for address, is_isolated in ((plain, False), (isolated, True)):
            page = chromium.new_page()
            page.set_default_timeout(120_000)
            page.goto(f"{address}/client.html")
            page.wait_for_function("() => globalThis.loaded")
            page.evaluate("async () => { globalThis.decoder = await opened(); }")
            made[is_isolated] = page
        yield made
        chromium.close()


@pytest.fixture(scope="module")
def by_message(pages: dict[bool, Page]) -> list[list[float]]:
    """What is written where every token is asked for by a message."""
    told = written(pages[False])
    assert pages[False].evaluate("sent") == N_WRITTEN - 1
    return told


def written(page: Page, meanwhile: str = "() => {}", prompt: Sequence[int] = PROMPT) -> list[list[float]]:
    told: list[list[float]] = page.evaluate(
        f"([prompt, n]) => written(decoder, prompt, n, {meanwhile})", [list(prompt), N_WRITTEN]
    )
    return told


def test_tokens_are_the_same_and_take_few_messages(
    pages: dict[bool, Page], by_message: list[list[float]]
) -> None:
    assert written(pages[True]) == by_message
    assert pages[True].evaluate("sent") < N_WRITTEN - 1  # on a slow machine the worker may be away at times


def test_a_message_is_answered_while_tokens_are_written(
    pages: dict[bool, Page], by_message: list[list[float]]
) -> None:
    page = pages[True]
    meanwhile = """async () => {
        globalThis.order = [];
        await client.ask("about", {});
        order.push("about");
    }"""
    assert written(page, meanwhile) == by_message
    assert page.evaluate("order") == ["about"]


def test_another_text_may_begin_where_a_token_was_computed_ahead(
    pages: dict[bool, Page], by_message: list[list[float]]
) -> None:
    other = [*PROMPT[:3], 198]
    assert written(pages[True], prompt=other) == written(pages[False], prompt=other)
    assert written(pages[True]) == by_message


def test_a_failure_is_told_and_the_next_token_is_written(
    pages: dict[bool, Page], by_message: list[list[float]]
) -> None:
    page = pages[True]
    failed: Any = page.evaluate(
        """async (prompt) => {
            await written(decoder, prompt, 3);
            return likeliest(decoder + 1000, [1], prompt.length + 2).then(() => "", ({ name }) => name);
        }""",
        list(PROMPT),
    )
    assert failed == "ModelLost"
    assert written(page) == by_message


@pytest.mark.fault("F37")
def test_a_worker_that_dies_while_it_is_asked_fails_the_call(
    pages: dict[bool, Page], by_message: list[list[float]]
) -> None:
    page = pages[True]
    failed: Any = page.evaluate(
        """async (prompt) => {
            const die = () => { worker.terminate(); client.lost(); };
            const dying = written(decoder, prompt, 1000, () => setTimeout(die));
            return dying.then(() => "", ({ name }) => name);
        }""",
        list(PROMPT),
    )
    assert failed == "ModelLost"
    page.evaluate("async () => { globalThis.decoder = await opened(); }")
    assert written(page) == by_message
