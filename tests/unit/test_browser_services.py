"""HTTP, keys, facts and the browser's own model over a scripted JavaScript side."""

import asyncio
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from tabwise.core.chat import Finish, Message, Prompt, Role
from tabwise.core.host_facts import Gpu
from tabwise.core.network.http import HttpRequest, Purpose
from tabwise.errors import AppError
from tabwise.protocol.tables.host import HOST_CALLS

# Under Pyodide the real `pyodide.ffi` is there; these tests put one of their own in its place.
pytestmark = pytest.mark.native

ADDRESS = "https://api.example/v1"


class JsError(Exception):
    """Stands in for pyodide.ffi.JsException."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name, self.message = name, "said so"


class JsBytes:
    """A Uint8Array as Python sees it."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def to_py(self) -> memoryview:
        return memoryview(self._data)


class Host:
    """The module the engine worker registers: one exchange, and verbs answered from a table."""

    origin = "chrome-extension://abc"

    def __init__(self) -> None:
        self.status = 200
        self.pieces: list[bytes | str] = []
        self.fails = False
        self.hangs = False
        self.online = True
        self.sent: list[dict[str, Any]] = []
        self.closed: list[int] = []
        self.verbs: dict[str, Any] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []

    async def httpSend(self, exchange: int, head: str, body: bytes) -> str:
        self.sent.append({**json.loads(head), "body": body, "exchange": exchange})
        if self.hangs:
            await asyncio.sleep(60)
        if self.fails:
            raise JsError("TypeError")
        return json.dumps({"status": self.status, "headers": [["Retry-After", "3"]]})

    async def httpRead(self, exchange: int) -> JsBytes | None:
        piece = self.pieces.pop(0) if self.pieces else None
        if piece == "broken":
            raise JsError("TypeError")
        if piece == "silent":
            await asyncio.sleep(60)
        return None if piece is None else JsBytes(piece)  # type: ignore[arg-type]

    def httpClose(self, exchange: int) -> None:
        self.closed.append(exchange)

    def isOnline(self) -> bool:
        return self.online

    async def surroundings(self) -> str:
        gpu = {"name": "apple metal-3", "is_software": False, "has_f16": True}
        return json.dumps(
            {
                "n_threads": 8,
                "is_isolated": True,
                "storage_used_bytes": 5,
                "storage_quota_bytes": 10,
                "gpu": gpu,
            }
        )

    def heapBytes(self) -> int:
        return 7

    async def call(self, verb: str, args: str) -> str:
        fields = json.loads(args)
        assert set(fields) == set(HOST_CALLS[verb][0]), verb
        self.calls.append((verb, fields))
        answer = self.verbs.get(verb, JsError("HostFailed"))
        if callable(answer):
            answer = answer(fields)
        if isinstance(answer, JsError):
            return json.dumps({"ok": False, "name": answer.name, "message": answer.message})
        return json.dumps({"ok": True, "value": answer})


MODULES = ("bridge", "http", "keeping", "facts", "prompt_api")


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    scripted = Host()
    ffi = ModuleType("pyodide.ffi")
    ffi.__dict__.update(JsException=JsError, to_js=lambda value: value)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.setitem(sys.modules, "tabwise_host", scripted)
    forget()
    yield scripted
    forget()


def forget() -> None:
    """Unload the adapters, so that the next import meets the script of its own test."""
    package = importlib.import_module("tabwise.adapters.browser")
    for name in MODULES:
        sys.modules.pop(f"{package.__name__}.{name}", None)
        vars(package).pop(name, None)


def load(name: str) -> Any:
    return importlib.import_module(f"tabwise.adapters.browser.{name}")


async def exchange(**changes: Any) -> tuple[int, bytes]:
    fields: dict[str, Any] = {"method": "POST", "url": ADDRESS, "purpose": Purpose.ANSWER, "body": b"hi"}
    async with load("http").BrowserHttp().send(HttpRequest(**{**fields, **changes})) as response:
        assert response.headers == {"retry-after": "3"}
        return response.status, b"".join([piece async for piece in response.chunks()])


def error_of(work: Callable[[], Any]) -> AppError:
    with pytest.raises(AppError) as caught:
        asyncio.run(work())
    return caught.value


# HTTP


def test_a_request_goes_out_and_its_pieces_come_in(host: Host) -> None:
    host.pieces = [b"one ", b"two"]
    assert asyncio.run(exchange(headers=(("x-key", "k"),))) == (200, b"one two")
    sent = host.sent[0]
    assert (sent["method"], sent["url"], sent["body"]) == ("POST", ADDRESS, b"hi")
    assert sent["headers"] == [["x-key", "k"]]
    assert host.closed == [sent["exchange"]]


def test_redirects_are_followed_for_downloads_alone(host: Host) -> None:
    for purpose in Purpose:
        asyncio.run(exchange(purpose=purpose))
    followed = dict(zip(Purpose, [sent["follow"] for sent in host.sent], strict=True))
    assert followed == {purpose: purpose is Purpose.DOWNLOAD for purpose in Purpose}


@pytest.mark.parametrize(
    ("online", "answers", "code"),
    [
        (False, True, "network_offline"),
        (True, True, "network_blocked"),
        (True, False, "network_refused"),
        (True, None, "network_refused"),
    ],
)
@pytest.mark.fault("F60")
def test_a_failure_of_fetch_is_told_apart(host: Host, online: bool, answers: bool | None, code: str) -> None:
    host.fails, host.online = True, online
    if answers is not None:
        host.verbs["http_answers"] = {"answers": answers}
    error = error_of(exchange)
    assert (error.code, error.subject) == (code, "https://api.example")
    # Only the origin is asked about: the path or query may hold what is nobody's business.
    assert all(fields["url"] == "https://api.example" for _, fields in host.calls)
    assert len(host.closed) == 1


def test_a_body_that_breaks_off_is_lost(host: Host) -> None:
    host.pieces = [b"half", "broken"]
    assert error_of(exchange).code == "network_lost"
    assert len(host.closed) == 1


@pytest.mark.fault("F60")
def test_silence_is_a_timeout_and_closes(host: Host) -> None:
    host.hangs = True
    assert error_of(lambda: exchange(silence_ms=20)).code == "network_timeout"
    host.hangs, host.pieces = False, [b"half", "silent"]
    assert error_of(lambda: exchange(silence_ms=20)).code == "network_timeout"
    assert len(host.closed) == 2


def test_cancelling_closes(host: Host) -> None:
    host.hangs = True

    async def scenario() -> None:
        asking = asyncio.ensure_future(exchange())
        await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(scenario())
    assert len(host.closed) == 1


def test_what_is_no_web_address_is_not_fetched(host: Host) -> None:
    assert error_of(lambda: exchange(url="file:///etc/passwd")).code == "address_invalid"
    assert host.sent == []


# what the service worker keeps


def test_keys_come_from_the_browser_and_their_places_are_told(host: Host) -> None:
    host.verbs = {
        "key_get": lambda fields: {"value": "sk-1" if fields["name"] == "provider:p" else ""},
        "key_places": {"session": ["provider:p"], "kept": ["qdrant", "provider:p"]},
    }
    keys = load("keeping").BrowserKeys()
    assert asyncio.run(keys.key("provider:p")) == "sk-1"
    assert asyncio.run(keys.places()) == {"provider:p": "session", "qdrant": "kept"}


def test_the_account_is_kept_as_it_is(host: Host) -> None:
    kept: list[object] = []
    host.verbs = {
        "ledger_get": lambda fields: kept[-1] if kept else None,
        "ledger_set": lambda fields: kept.append(fields["account"]) or {},  # type: ignore[func-returns-value]
    }
    ledger = load("keeping").BrowserLedger()
    assert asyncio.run(ledger.load()) is None
    asyncio.run(ledger.save({"agreed": []}))
    assert asyncio.run(ledger.load()) == {"agreed": []}


# facts


def test_facts_come_from_three_places(host: Host) -> None:
    host.verbs = {
        "host_facts": {
            "reads_local_files": True,
            "reads_all_sites": False,
            "n_sites": 2,
            "storage_is_kept": True,
        },
        "prompt_state": {"state": "downloadable"},
        "summarizer_state": {"state": "available"},
    }
    facts = asyncio.run(load("facts").BrowserFacts().facts())
    assert facts.gpu == Gpu("apple metal-3", False, True)
    assert (facts.n_threads, facts.heap_bytes, facts.n_sites) == (8, 7, 2)
    assert (facts.prompt_api, facts.summarizer) == ("downloadable", "available")


@pytest.mark.fault("F01")
def test_a_service_worker_that_does_not_answer_leaves_its_facts_out(host: Host) -> None:
    facts = asyncio.run(load("facts").BrowserFacts().facts())
    assert facts.reads_local_files is None
    assert facts.prompt_api == "unavailable"
    assert facts.is_isolated is True


# the browser's own model


class BrowserModel:
    """The verbs of a model that says what it was given, each text of four characters a token."""

    def __init__(self, host: Host, *pieces: str, context_tokens: float | None = 100) -> None:
        self.state = "available"
        self.pieces = list(pieces)
        self.open: set[int] = set()
        self.turns: list[dict[str, str]] = []
        self.context_tokens = context_tokens
        host.verbs |= {
            "prompt_state": lambda fields: {"state": self.state},
            "prompt_open": self._opened,
            "prompt_measure": lambda fields: {"n_tokens": len(fields["text"]) / 4},
            "prompt_send": lambda fields: {},
            "prompt_read": lambda fields: {"text": self.pieces.pop(0) if self.pieces else None},
            "prompt_close": lambda fields: self.open.discard(fields["session"]) or {},  # type: ignore[func-returns-value]
        }

    def _opened(self, fields: dict[str, Any]) -> dict[str, Any]:
        self.open.add(fields["session"])
        self.turns = fields["turns"]
        return {"context_tokens": self.context_tokens, "used_tokens": 3.0}


def complete(prompt: Prompt) -> tuple[Any, list[str]]:
    async def scenario() -> tuple[Any, list[str]]:
        said: list[str] = []
        model = await load("prompt_api").BrowserModels().open("prompt_api")
        return await model.complete(prompt, on_text=said.append), said

    return asyncio.run(scenario())


ASK = Prompt((Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "How high?")), 50)


def test_the_browsers_model_is_asked_in_a_session_of_its_own(host: Host) -> None:
    model = BrowserModel(host, "16.3 ", "metres")
    done, said = complete(ASK)
    assert (done.text, done.finish, said) == ("16.3 metres", Finish.STOP, ["16.3 ", "metres"])
    assert done.n_prompt_tokens == 5
    assert model.turns == [{"role": "system", "content": "Be brief."}]
    assert model.open == set()


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("unavailable", "model_unavailable"),
        ("downloadable", "model_not_downloaded"),
        ("downloading", "model_downloading"),
    ],
)
@pytest.mark.fault("F48")
def test_each_state_has_its_name(host: Host, state: str, code: str) -> None:
    BrowserModel(host).state = state
    error = error_of(lambda: load("prompt_api").BrowserModels().open("prompt_api"))
    assert error.code == code


@pytest.mark.fault("F48")
def test_what_does_not_fit_is_measured_before_it_is_asked(host: Host) -> None:
    model = BrowserModel(host, "never said")
    long = Prompt((Message(Role.USER, "tide " * 100),), 50)
    with pytest.raises(AppError) as caught:
        complete(long)
    assert caught.value.code == "prompt_too_long"
    assert "prompt_send" not in [verb for verb, _ in host.calls]
    assert model.open == set()


@pytest.mark.fault("F48")
def test_a_quota_that_is_exceeded_all_the_same_is_too_long(host: Host) -> None:
    BrowserModel(host)
    host.verbs["prompt_send"] = JsError("PromptTooLong")
    with pytest.raises(AppError) as caught:
        complete(ASK)
    assert caught.value.code == "prompt_too_long"


def test_stops_and_the_limit_of_the_output_are_kept_here(host: Host) -> None:
    BrowserModel(host, "One#", "##Two")
    done, said = complete(Prompt(ASK.messages, 50, stops=("###",)))
    assert (done.text, "".join(said), done.finish) == ("One", "One", Finish.STOP)
    BrowserModel(host, *["a long piece of text "] * 50)
    done, _ = complete(Prompt(ASK.messages, 10))
    assert (len(done.text), done.finish) == (80, Finish.LENGTH)


def test_a_model_without_a_limit_has_a_context_of_ours(host: Host) -> None:
    BrowserModel(host, context_tokens=None)
    model = asyncio.run(load("prompt_api").BrowserModels().open("prompt_api"))
    assert model.descriptor.context_tokens == load("prompt_api").UNLIMITED_TOKENS
    assert model.descriptor.destination == ""
