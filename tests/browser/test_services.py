"""Services from the real extension: keys nobody reads, causes, the gate, a stop that the server sees."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.engine_client import Client
from harness.browser import ExtensionBrowser, launched
from loopback import Loopback, in_a_thread, reply, stalls, stream
from tabwise.protocol.settings import default_settings

pytestmark = [pytest.mark.native, pytest.mark.browser]

KEY = "sk-planted-in-the-browser"
QUESTION = "How large is the tidal range in the Bay of Fundy?"
CHAT = "/v1/chat/completions"
WAIT_S = 20


def says(text: str) -> bytes:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n".encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with in_a_thread() as found:
        found.script["/v1/models"] = reply(200, {"data": [{"id": "m-1"}]})
        found.script["/login"] = reply(302, "", {"location": "/elsewhere"})
        yield found


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser, site: str) -> Client:
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    client = Client(browser)
    client.ensure_engine()
    client.ask("index", tabs=[client.tab(url)])
    return client


def host(client: Client, verb: str, **args: Any) -> Any:
    script = "([verb, args]) => chrome.runtime.sendMessage({ to: 'sw', verb, args })"
    return client.page.evaluate(script, [verb, args])


def provider(server: Loopback, **changes: Any) -> dict[str, Any]:
    row = {
        "id": "p",
        "kind": "compatible",
        "label": "Mine",
        "address": f"{server.url}/v1",
        "model": "m-1",
        "context_tokens": 8192,
        "calls_tools": False,
    }
    return {**row, **changes}


def refusal(client: Client, row: dict[str, Any]) -> dict[str, Any]:
    end = client.end_of(client.send("provider_test", provider=row))
    assert end["type"] == "error", end
    return end


# keys


@pytest.mark.fault("S3")
def test_a_key_is_set_by_a_page_and_handed_out_to_none(client: Client) -> None:
    assert host(client, "key_set", name="provider:p", value=KEY, kept=False)["ok"]
    assert host(client, "key_places")["value"] == {"session": ["provider:p"], "kept": []}
    refused = host(client, "key_get", name="provider:p")
    assert not refused["ok"]
    assert KEY not in json.dumps(refused)


@pytest.mark.fault("S3")
def test_a_key_moves_to_where_it_is_kept_and_is_forgotten(client: Client) -> None:
    host(client, "key_set", name="provider:moved", value="sk-1", kept=False)
    host(client, "key_set", name="provider:moved", value="sk-2", kept=True)
    places = host(client, "key_places")["value"]
    assert places["kept"] == ["provider:moved"]
    assert "provider:moved" not in places["session"]
    host(client, "key_forget", name="provider:moved")
    assert host(client, "key_places")["value"]["kept"] == []


@pytest.mark.fault("F59")
def test_a_script_in_a_web_page_reads_no_storage(client: Client, site: str) -> None:
    tab_id = client.tab(f"{site}/pages/ask/tides.html")["tab_id"]
    script = """async (tabId) => {
        const func = async () => {
            const seen = {};
            for (const area of ["local", "session"]) {
                seen[area] = await chrome.storage[area].get().then(() => "read", (error) => error.message);
            }
            return seen;
        };
        return (await chrome.scripting.executeScript({ target: { tabId }, func }))[0].result;
    }"""
    seen = client.page.evaluate(script, tab_id)
    assert set(seen) == {"local", "session"}
    assert all("Access to storage is not allowed" in said for said in seen.values())


# causes


@pytest.mark.fault("F56")
def test_a_service_is_tested_with_its_key(client: Client, server: Loopback) -> None:
    found = client.ask("provider_test", provider=provider(server))
    assert found["models"] == [{"id": "m-1", "context_tokens": 0}]
    assert server.seen[-1].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.fault("F55")
def test_an_answer_that_the_browser_keeps_from_us_is_not_nobody(client: Client, server: Loopback) -> None:
    hidden = provider(server, address=f"{server.url.replace('127.0.0.1', 'localhost')}/v1")
    assert refusal(client, hidden)["code"] == "network_blocked"
    nobody = provider(server, address="http://localhost:1/v1")
    assert refusal(client, nobody)["code"] == "network_refused"


@pytest.mark.fault("F55")
def test_a_service_that_lets_browsers_in_needs_no_access(client: Client, server: Loopback) -> None:
    allow = {"access-control-allow-origin": "*", "access-control-allow-headers": "*"}
    server.script["/open/models"] = reply(200, {"data": [{"id": "m-1"}]}, allow)
    server.script["/api/version"] = reply(404, {}, allow)
    address = f"{server.url.replace('127.0.0.1', 'localhost')}/open"
    assert client.ask("provider_test", provider=provider(server, address=address))["models"]


@pytest.mark.fault("F60")
def test_a_redirect_is_not_followed(client: Client, server: Loopback) -> None:
    server.script["/away/models"] = reply(302, "", {"location": "/v1/models"})
    n_before = len(server.seen)
    end = refusal(client, provider(server, address=f"{server.url}/away"))
    assert end["code"] == "service_foreign"
    assert "/v1/models" not in [seen.path for seen in server.seen[n_before:]]


@pytest.mark.fault("F54")
def test_an_ollama_that_refuses_us_is_told_our_exact_origin(client: Client, server: Loopback) -> None:
    # The browser names our origin only where it sends a body; an Ollama lets the rest through.
    server.script["/api/tags"] = reply(200, {"models": [{"name": "m-1"}]})
    server.script["/api/show"] = reply(403, "")
    end = refusal(client, provider(server, kind="ollama", address=server.url, model=""))
    assert server.seen[-1].headers["origin"] == client.browser.url("").rstrip("/")
    assert end["code"] == "origin_refused"
    assert end["subject"] == client.browser.url("").rstrip("/")


# answers


@pytest.fixture(scope="module")
def engine(client: Client, server: Loopback) -> str:
    stored = {**default_settings(), "providers": [provider(server)]}
    assert host(client, "settings_set", settings=stored)["ok"]
    return "provider:p"


@pytest.mark.fault("S4")
def test_nothing_of_a_page_leaves_before_it_was_shown_and_agreed_to(
    client: Client, server: Loopback, engine: str
) -> None:
    server.script[CHAT] = stream([says("It is 16.3 metres [1]."), b"data: [DONE]\n\n"])
    answer = client.ask("ask", question=QUESTION, sources=[], engine=engine)
    assert answer["found"]
    assert answer["fallback"]["code"] == "egress_refused"
    assert server.bodies(CHAT) == []

    preview = client.ask("egress_preview", origin=server.url)
    assert "Bay of Fundy" in preview["text"]
    assert [page["title"] for page in preview["pages"]] == ["Tides of the Bay of Fundy"]
    client.ask("egress_agree", destination=preview["destination"], once=False)

    asking = client.send("ask", question=QUESTION, sources=[], engine=engine)
    answer = client.end_of(asking)["result"]
    assert "16.3 metres" in answer["sentences"][0]["text"]
    assert server.bodies(CHAT)
    sent = client.page.evaluate("(id) => heard.find((m) => m.re === id && m.type === 'egress')", asking)
    assert sent["totals"][0]["sent_bytes"] >= len(server.seen[-1].body)


@pytest.mark.fault("F52")
def test_a_stop_is_seen_by_the_server(client: Client, server: Loopback, engine: str) -> None:
    server.script[CHAT] = stalls([says("It is 16.3 metres [1]. It ")])
    asking = client.send("ask", question=QUESTION, sources=[], engine=engine)
    first = "(id) => heard.some((m) => m.re === id && m.type === 'sentence')"
    client.page.wait_for_function(first, arg=asking)
    client.ask("cancel", target=asking)
    assert client.end_of(asking)["type"] == "cancelled"
    closed = server.exchanges[-1].closed
    for _ in range(WAIT_S * 20):
        if closed.is_set():
            break
        client.page.wait_for_timeout(50)
    assert closed.is_set()


@pytest.mark.fault("F58")
def test_the_key_is_nowhere_but_in_its_place(client: Client, server: Loopback) -> None:
    assert KEY not in json.dumps(client.page.evaluate("heard"))
    kept = client.page.evaluate("chrome.storage.local.get()")
    assert KEY not in json.dumps(kept)
    assert all(
        KEY not in f"{seen.path}?{seen.query}" and KEY.encode() not in seen.body for seen in server.seen
    )


def test_the_doctor_sees_this_browser(client: Client) -> None:
    lines = {line["topic"]: line for line in client.ask("doctor", check=True, test=False)}
    assert lines["library"]["reason"] == "sound"
    assert lines["embedder"]["reason"] == "ready"
    assert lines["isolation"]["reason"] == "on"
    assert lines["storage"]["reason"] == "kept"
    assert lines["prompt_api"]["state"] in ("good", "limited", "off")
    assert lines["provider"]["reason"] == "untested"


# the browser's own model

MODEL = """self.LanguageModel = class {
    static asked = [];
    static open = 0;
    static state = "available";
    static availability = async () => LanguageModel.state;
    static create = async ({ initialPrompts }) => (LanguageModel.open++, new LanguageModel(initialPrompts));
    contextWindow = 3000;
    contextUsage = 10;
    constructor(turns) { this.turns = turns; }
    measureContextUsage = async (text) => text.length / 4;
    promptStreaming = (text) => {
        LanguageModel.asked.push([...this.turns.map((turn) => turn.content), text]);
        const pieces = ["It is 16.3 ", "metres [1]."];
        const pull = (end) => (pieces.length ? end.enqueue(pieces.shift()) : end.close());
        return new ReadableStream({ pull });
    };
    destroy() { LanguageModel.open--; }
}"""


@pytest.mark.fault("F48")
def test_the_browsers_own_model_writes_an_answer_and_nothing_leaves(
    client: Client, server: Loopback, browser: ExtensionBrowser
) -> None:
    offscreen = browser.attach("offscreen.html")
    offscreen.evaluate(f"void ({MODEL})")
    n_before = len(server.seen)
    answer = client.ask("ask", question=QUESTION, sources=[], engine="prompt_api")
    assert answer["fallback"] is None
    assert "16.3 metres" in answer["sentences"][0]["text"]
    asked = json.loads(offscreen.evaluate("JSON.stringify(LanguageModel.asked)"))
    assert any("Bay of Fundy" in text for text in asked[0])
    assert offscreen.evaluate("LanguageModel.open") == 0
    assert len(server.seen) == n_before

    states = {
        "unavailable": "model_unavailable",
        "downloadable": "model_not_downloaded",
        "downloading": "model_downloading",
    }
    for state, code in states.items():
        offscreen.evaluate(f"void (LanguageModel.state = '{state}')")
        answer = client.ask("ask", question=QUESTION, sources=[], engine="prompt_api")
        assert answer["fallback"]["code"] == code
        assert answer["found"]
        lines = {line["topic"]: line for line in client.ask("doctor", check=False, test=False)}
        assert lines["prompt_api"]["reason"] == state
    offscreen.close()


# nothing leaves


@pytest.mark.fault("S4")
def test_a_session_without_a_service_asks_nobody_but_the_pages_themselves(
    extension: Path, site: str, tmp_path: Path
) -> None:
    log = tmp_path / "net.json"
    urls = [f"{site}/pages/ask/{name}.html" for name in ("bread", "tides")]
    with launched(extension, tmp_path / "profile", arguments=(f"--log-net-log={log}",)) as browser:
        browser.allow_site("127.0.0.1")
        for url in urls:
            browser.open_tab(url)
        client = Client(browser)
        client.ensure_engine()
        client.ask("index", tabs=[client.tab(url) for url in urls])
        client.ask("ask", question=QUESTION, sources=[])
        client.ask("find", text="tidal", k=5)
        client.ask("doctor", check=True, test=True)
        own = browser.url("")
        panel: Page = browser.open_tab("panel.html")
        panel.wait_for_timeout(1_000)
        browser.open_tab("settings.html").wait_for_timeout(1_000)
        # One on purpose: the log would see another.
        seen = f"{site}/pages/ask/tides.html?seen"
        client.page.evaluate("(url) => fetch(url)", seen)
    assert _web_requests_of(log, own.rstrip("/")) == [seen]


def _web_requests_of(log: Path, origin: str) -> list[str]:
    """Addresses on the web that an origin asked for, as the browser's own network log has them."""
    text = log.read_text("utf-8")
    record = json.loads(text if text.rstrip().endswith("}") else text.rstrip().rstrip(",") + "]}")
    starts = record["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    params = [event.get("params", {}) for event in record["events"] if event["type"] == starts]
    found = [param for param in params if "url" in param]
    return [param["url"] for param in found if param.get("initiator") == origin]
