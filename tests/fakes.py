"""Fakes of the ports for tests: small, deterministic, honest about the contract."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tabwise.core.chat import Completion, Finish, ModelDescriptor, Prompt, ToolCall
from tabwise.core.host_facts import HostFacts
from tabwise.core.model import Capture, EmbedderDescriptor, FloatMatrix, Node, SourceId
from tabwise.core.network.http import HttpRequest, origin_of
from tabwise.core.network.mirror import MirroredPage, PassageMatch, PassageQuery, StorePlace, StoreState
from tabwise.core.page.pdf.capture import PdfCapture
from tabwise.core.text.terms import terms
from tabwise.errors import AppError, ModelError, ProviderError
from tabwise.ports import Captured, HttpResponse, KeyPlace, OnPage, ShownPassage, unwatched


class FakeClock:
    """Time that moves by a millisecond per look."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000.0

    def now_ms(self) -> float:
        self.ms += 1
        return self.ms

    def monotonic_ms(self) -> float:
        return self.now_ms()


class BagEmbedder:
    """Embeds a text as the sum of a fixed random direction per term, so shared words mean closeness."""

    descriptor = EmbedderDescriptor("bag-of-terms", 64, 256, "", "MIT")

    def __init__(self, *, fail_at: int | None = None) -> None:
        self.n_calls = 0
        self.n_texts = 0
        self._fail_at = fail_at

    def count(self, text: str) -> int:
        return 2 + len(text.split())

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.n_calls += 1
        if self.n_calls == self._fail_at:
            raise ModelError("model_unavailable", "planned failure")
        self.n_texts += len(texts)
        rows = np.stack([self._row(text) for text in texts]) if texts else np.zeros((0, 64), np.float32)
        return rows.astype(np.float32)

    def _row(self, text: str) -> np.ndarray:
        row = np.full(64, 1e-3)
        for term in terms(text):
            seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:4], "big")
            row += np.random.default_rng(seed).standard_normal(64)
        return row / np.linalg.norm(row)


class FakeTabs:
    """`PageSource`: a table of captures; an error in the table is raised."""

    def __init__(self, tabs: dict[int, Captured | AppError]) -> None:
        self.tabs = tabs

    async def capture(self, tab_id: int, max_chars: int, *, selection: bool = False) -> Captured:
        found = self.tabs[tab_id]
        if isinstance(found, AppError):
            raise found
        return found


class FakeFiles:
    """`FileReader`: a table of captures by address; an error in the table is raised."""

    def __init__(self) -> None:
        self.files: dict[str, Captured | AppError] = {}
        self.held: set[str] = set()
        """Addresses of files that are never read to their end."""

    async def read(self, name: str, url: str, max_chars: int, *, on_page: OnPage = unwatched) -> Captured:
        found = self.files[url]
        if isinstance(found, AppError):
            raise found
        if isinstance(found, PdfCapture):
            for number in range(len(found.pages) + 1):
                on_page(number, found.n_pages)
        if url in self.held:
            await asyncio.Event().wait()
        return found


class WholePage:
    """`MainContent` that leaves everything in."""

    async def select(self, capture: Capture) -> str | None:
        return None


class FakeViewer:
    """`PassageViewer` that remembers what it was asked to show."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, tuple[ShownPassage, ...]]] = []
        self.place: tuple[str, str, int] | None = None
        self.moment_url: str | None = None

    async def show(
        self,
        url: str,
        passages: Sequence[ShownPassage],
        *,
        source: str,
        title: str,
        start: int,
        moment_url: str | None,
    ) -> tuple[bool, int]:
        self.place = (source, title, start)
        self.moment_url = moment_url
        self.shown.append((url, tuple(passages)))
        return True, 7


class FakeSettings:
    """`SettingsSource` that holds what it was given; None is a reader who changed nothing."""

    def __init__(self, stored: object = None) -> None:
        self.stored = stored
        self.error: AppError | None = None
        self.n_reads = 0

    async def settings(self) -> object:
        self.n_reads += 1
        if self.error:
            raise self.error
        return self.stored


@dataclass(frozen=True)
class BreaksOff:
    """A reply that ends in an error after some of its text."""

    text: str
    error: AppError


Reply = str | ToolCall | Completion | AppError | BreaksOff | Callable[[Prompt], "Reply"]


class ScriptedModel:
    """`LanguageModel` that replies what it was given, one reply a prompt, and keeps the prompts.

    A text is streamed in pieces of a few characters, ends before a stop of the prompt and at its
    `max_output_tokens`. Every four characters are a token, so are fewer at the end. A reply may be a
    function of the prompt.
    """

    PIECE_CHARS = 5

    def __init__(
        self,
        *replies: Reply,
        id: str = "provider:scripted",
        context_tokens: int = 4096,
        destination: str = "",
        calls_tools: bool = False,
        counts_exactly: bool = True,
    ) -> None:
        self.descriptor = ModelDescriptor(
            id, "Scripted", context_tokens, destination, calls_tools, counts_exactly
        )
        self.replies = list(replies)
        self.prompts: list[Prompt] = []

    def count(self, text: str) -> int:
        return -(-len(text) // 4)

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        assert len(self.prompts) < len(self.replies), f"no reply left for {prompt.messages[-1].text}"
        reply = self.replies[len(self.prompts)]
        self.prompts.append(prompt)
        await asyncio.sleep(0)
        while callable(reply):
            reply = reply(prompt)
        if isinstance(reply, AppError):
            raise reply
        if isinstance(reply, BreaksOff):
            await self._stream(reply.text, on_text)
            raise reply.error
        if isinstance(reply, ToolCall):
            reply = Completion("", Finish.TOOL_CALLS, (reply,))
        if isinstance(reply, str):
            reply = self._within(reply, prompt)
        await self._stream(reply.text, on_text)
        return reply

    def _within(self, text: str, prompt: Prompt) -> Completion:
        for stop in prompt.stops:
            text = text.partition(stop)[0]
        n_prompt_tokens = sum(self.count(message.text) for message in prompt.messages)
        room = 4 * prompt.max_output_tokens
        finish = Finish.STOP if len(text) <= room else Finish.LENGTH
        return Completion(
            text[:room],
            finish,
            n_prompt_tokens=n_prompt_tokens,
            n_output_tokens=self.count(text[:room]),
        )

    async def _stream(self, text: str, on_text: Callable[[str], None]) -> None:
        for start in range(0, len(text), self.PIECE_CHARS):
            on_text(text[start : start + self.PIECE_CHARS])
            await asyncio.sleep(0)


class FakeModels:
    """`LanguageModels`: a table of models by id; an error in the table is raised."""

    def __init__(self, models: Mapping[str, ScriptedModel | AppError] | None = None) -> None:
        self.models = dict(models or {})

    async def open(self, model_id: str) -> ScriptedModel:
        found = self.models.get(model_id)
        if isinstance(found, AppError):
            raise found
        if found is None:
            raise ModelError("model_unavailable", subject=model_id)
        return found


class NoStores:
    """`VectorStores` at addresses where nobody answers."""

    def at(self, place: StorePlace) -> "NoStore":
        return NoStore(place)


class NoStore:
    """`VectorStore` that cannot be reached."""

    def __init__(self, place: StorePlace) -> None:
        self.destination = f"{place.url}/{place.collection}"

    async def state(self) -> StoreState:
        raise ProviderError("network_refused", subject=self.destination)

    async def open(self) -> None:
        raise ProviderError("network_refused", subject=self.destination)

    async def put_pages(
        self, pages: Sequence[MirroredPage], checkpoint: Callable[[], Awaitable[None]]
    ) -> None:
        raise ProviderError("network_refused", subject=self.destination)

    async def remove_pages(self, sources: Sequence[SourceId]) -> None:
        raise ProviderError("network_refused", subject=self.destination)

    async def count(self) -> int:
        raise ProviderError("network_refused", subject=self.destination)

    async def search(self, query: PassageQuery) -> Sequence[PassageMatch]:
        raise ProviderError("network_refused", subject=self.destination)


class FakeKeys:
    """`Keys`: a table by name; all last until the browser is closed."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}

    async def key(self, name: str) -> str:
        return self.keys.get(name, "")

    async def places(self) -> Mapping[str, KeyPlace]:
        return dict.fromkeys(self.keys, "session")


class FakeFacts:
    """`HostFactsSource` that says what it was given."""

    def __init__(self) -> None:
        self.known = HostFacts(n_threads=8)

    async def facts(self) -> HostFacts:
        return self.known


class MemoryMarker:
    """`LibraryMarker` that outlives any library."""

    def __init__(self) -> None:
        self.value: object = None

    async def load(self) -> object:
        return self.value

    async def save(self, value: object) -> None:
        self.value = value


class FakeEraser:
    """`Eraser` of one library file."""

    def __init__(self, library: Path) -> None:
        self.library = library
        self.n_restarts = 0

    async def erase(self) -> Sequence[str]:
        self.library.unlink()
        return []

    def restart(self) -> None:
        self.n_restarts += 1


class NoHttp:
    """`Http` of a machine without a network."""

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        raise ProviderError("network_offline", subject=origin_of(request.url))
        yield  # a generator, as every context manager is


def capture_of(url: str, title: str, *paragraphs: str, headings: Sequence[str] = ()) -> Capture:
    """A page of headings and paragraphs; heading i stands before paragraph i."""
    children: list[Node | str] = []
    for i, paragraph in enumerate(paragraphs):
        if i < len(headings):
            children.append(Node("h2", (), (headings[i],)))
        children.append(Node("p", (), (paragraph,)))
    n_chars = sum(map(len, paragraphs))
    return Capture(url, "", title, "en", Node("body", (), tuple(children)), n_chars, n_chars)


def tab_record(tab_id: int, url: str, **changes: object) -> dict[str, object]:
    """A TabToRead record of the protocol."""
    tab: dict[str, object] = {
        "tab_id": tab_id,
        "window_id": 1,
        "index": tab_id,
        "url": url,
        "title": f"Tab {tab_id}",
        "favicon": "",
        "active": False,
        "loading": False,
        "asleep": False,
        "private": False,
        "last_accessed": 0.0,
        "allowed": False,
        "confirmed": False,
        "selection": False,
    }
    tab.update(changes)
    return tab
