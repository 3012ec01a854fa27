"""What the engine needs from outside, as Protocols with as few methods as it calls.

Each port has one contract suite in tests/contract; the fakes there and the real adapters all run it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from tabwise.core.chat import Completion, ModelDescriptor, Prompt
from tabwise.core.embedders import EmbedderDescription
from tabwise.core.host_facts import HostFacts
from tabwise.core.llm.description import LocalModelDescription
from tabwise.core.llm.sampling import FloatVector, IntVector, TopTokens
from tabwise.core.llm.vocabulary import Vocabulary
from tabwise.core.model import (
    BoolVector,
    Capture,
    Chunk,
    EmbedderDescriptor,
    FloatMatrix,
    Page,
    PageHead,
    QuantizedVectors,
    SourceId,
)
from tabwise.core.network.http import HttpRequest
from tabwise.core.network.mirror import MirroredPage, PassageMatch, PassageQuery, StorePlace, StoreState
from tabwise.core.page.pdf.capture import PdfCapture
from tabwise.core.summaries.summary import SummarizerState, Summary
from tabwise.core.threads import ThreadHead, ThreadId, ThreadMatch, ThreadTurn, TurnId

Captured = Capture | PdfCapture
"""What is read from a tab or a file: the tree of a page, or the pages of a PDF."""


class Clock(Protocol):
    """Wall time for records, monotonic time for durations."""

    def now_ms(self) -> float:
        """Milliseconds since the epoch."""
        ...

    def monotonic_ms(self) -> float:
        """Milliseconds from an arbitrary start, never going back."""
        ...


class TokenCounter(Protocol):
    """The embedder's own tokenizer, as far as chunking needs it."""

    def count(self, text: str) -> int:
        """Number of tokens of `text` as the model sees it, special tokens included."""
        ...


class Embedder(TokenCounter, Protocol):
    """An embedding model behind its descriptor."""

    @property
    def descriptor(self) -> EmbedderDescriptor:
        """The model's identity and limits."""
        ...

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return unit rows (n, dimensions), float32, in the order of `texts`.

        Texts over max_tokens are cut at the limit. Raises ModelError: model_unavailable.
        """
        ...


class LanguageModel(Protocol):
    """A language model behind its descriptor, on this machine or with a provider."""

    @property
    def descriptor(self) -> ModelDescriptor:
        """The model's identity and limits."""
        ...

    def count(self, text: str) -> int:
        """Number of tokens of `text`: exact where the descriptor says so, else never too few."""
        ...

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        """Complete a prompt; `on_text` is given each new piece of the text as it comes.

        Cancelling the task stops the model within one step, or closes the socket. Raises ModelError
        (model_unavailable, prompt_too_long), ProviderError.
        """
        ...


class ScoringModel(LanguageModel, Protocol):
    """A language model of this machine, which can also say how likely a text is."""

    async def log_likelihood(self, prompt: Prompt, text: str) -> FloatVector:
        """Return log P of each token of `text` behind the prompt, (n,) float32, nats.

        Raises ModelError (model_unavailable, prompt_too_long), ValueError for an empty text.
        """
        ...


class Decoder(Protocol):
    """A causal language model in a session that keeps what it computed of a text; one call at a time.

    `past` says behind how many of the tokens it holds to go on; what stood there is forgotten. All calls
    raise ModelError (model_unavailable, model_out_of_memory), DeviceLost.
    """

    def encode(self, text: str) -> Sequence[int]:
        """Tokens of `text`; control tokens in it are read as such, none are added."""
        ...

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens; half a character at the end comes as U+FFFD."""
        ...

    def vocabulary(self) -> Vocabulary:
        """The text of every token."""
        ...

    async def advance(self, tokens: Sequence[int], past: int) -> None:
        """Compute tokens and keep them."""
        ...

    async def top(
        self, tokens: Sequence[int], past: int, *, k: int, allow: Sequence[int] | None = None
    ) -> TopTokens:
        """Compute tokens and return the k likeliest next ones, of `allow` alone if given."""
        ...

    async def verify(self, tokens: Sequence[int], past: int) -> IntVector:
        """Compute tokens and return the likeliest next token behind each, (n,) int32, ties by number."""
        ...

    async def score(self, tokens: Sequence[int], past: int) -> FloatVector:
        """Compute tokens and return log P of each but the first, (n - 1,) float32."""
        ...

    async def memory_bytes(self) -> int:
        """Memory of all models in use, 0 if unknown."""
        ...

    async def close(self) -> None:
        """Let go of the session."""
        ...


class Decoders(Protocol):
    """The language models whose files are on this machine."""

    async def describe(self, model_id: str) -> LocalModelDescription:
        """What is known of a model, "bundled" or "catalogue:<id>"; raises ModelError model_unavailable."""
        ...

    async def devices(self) -> Sequence[str]:
        """Where models can run, the fastest first."""
        ...

    async def open(self, model_id: str, device: str) -> Decoder:
        """Load a model; raises ModelError (model_unavailable, model_out_of_memory), DeviceLost."""
        ...


class ModelFolders(Protocol):
    """Where the files of downloaded models are kept, a folder each. All raise ModelError model_no_room."""

    async def sizes(self) -> Mapping[str, Mapping[str, int]]:
        """Sizes in bytes by name, by folder."""
        ...

    async def free_bytes(self) -> int:
        """How much more may be stored."""
        ...

    async def read(self, folder: str, name: str, start: int, end: int) -> bytes:
        """Bytes of a file, fewer at its end, none of a file that is not there."""
        ...

    async def write(self, folder: str, name: str, at: int, data: bytes) -> None:
        """Write at a place and cut off what was behind; folder and file are made."""
        ...

    async def copy(self, folder: str, name: str, url: str) -> None:
        """Store what is at a blob URL, or a file URL outside of a browser."""
        ...

    async def rename(self, folder: str, name: str, new_name: str) -> None:
        """Give a file another name, in place of the file that has it."""
        ...

    async def remove(self, folder: str) -> None:
        """Delete a folder if it is there."""
        ...


class OwnEmbedders(Protocol):
    """What an embedding model of the reader's own needs: its folders, a way to try it, a new start."""

    @property
    def folders(self) -> ModelFolders:
        """Where its files are kept."""
        ...

    async def trial(self, folder: str, description: EmbedderDescription) -> Embedder:
        """Open the model of a folder; raises ModelError."""
        ...

    def restart(self) -> None:
        """Start the engine anew, soon, with the model that is there then."""
        ...


class LanguageModels(Protocol):
    """The language models that the reader set up or that come with the product."""

    async def open(self, model_id: str) -> LanguageModel:
        """Return the model that the settings name; raises ModelError model_unavailable, ProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a service offers. `models`: name and context tokens, 0 where it does not tell.

    `kind` and `address` are what it turned out to be, which may differ from what the reader took it for.
    """

    kind: str
    address: str
    models: tuple[tuple[str, int], ...]
    context_tokens: int
    calls_tools: bool


class ProviderTester(Protocol):
    """Finds out what a service offers, without spending tokens."""

    async def inspect(self, row: Mapping[str, object]) -> Inspection:
        """Ask a service described by a Provider record of the settings.

        Raises ProviderError, which names the cause: network_*, egress_refused, key_*, origin_refused,
        model_unknown, service_foreign, network_portal, rate_limited, quota_used, service_failed.
        """
        ...


class HostFactsSource(Protocol):
    """What machine and browser tell about themselves."""

    async def facts(self) -> HostFacts:
        """What is known now; what cannot be told here is None. Never raises."""
        ...


class HttpResponse(Protocol):
    """The answer to a request: its head at once, its body as it arrives."""

    @property
    def status(self) -> int:
        """The status code."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers by lower-case name, as far as the browser shows them."""
        ...

    def chunks(self) -> AsyncIterator[bytes]:
        """The body in pieces of any size; raises ProviderError network_lost when it breaks off."""
        ...


class Http(Protocol):
    """The one way out of this machine."""

    def send(self, request: HttpRequest) -> AbstractAsyncContextManager[HttpResponse]:
        """Send a request; leaving the context closes the connection, also in the middle of the body.

        Raises ProviderError: network_offline, network_refused, network_blocked (by the browser: CORS, local
        network access), network_timeout; egress_refused when the reader did not agree.
        """
        ...


class EgressLedger(Protocol):
    """Where the account of what left is kept, apart from settings and library."""

    async def load(self) -> object:
        """What was saved last, as JSON values, None before the first time; raises HostError."""
        ...

    async def save(self, value: object) -> None:
        """Keep JSON values in place of the last; raises HostError."""
        ...


KeyPlace = Literal["session", "kept"]
"""A key lasts until the browser is closed, or is kept on this machine."""


class Keys(Protocol):
    """The keys of services, by name; they are set where nobody but the reader types."""

    async def key(self, name: str) -> str:
        """The key called `name`, "" when there is none; raises HostError."""
        ...

    async def places(self) -> Mapping[str, KeyPlace]:
        """Where each key is kept; raises HostError."""
        ...


class VectorStore(Protocol):
    """A store on the network that mirrors the vectors of a library and searches among them.

    Every method raises ProviderError: those of `Http`, address_invalid, network_portal, service_foreign,
    key_missing, key_refused, qdrant_path, qdrant_tls, qdrant_old, qdrant_schema, qdrant_collection,
    qdrant_failed.
    """

    @property
    def destination(self) -> str:
        """What the library's ledger of mirrored pages knows the store by: its address and collection."""
        ...

    async def state(self) -> StoreState:
        """Ask what is there; changes nothing, and sends no text of a page."""
        ...

    async def open(self) -> None:
        """Make the collection unless it is there; never changes or empties one."""
        ...

    async def put_pages(
        self, pages: Sequence[MirroredPage], checkpoint: Callable[[], Awaitable[None]]
    ) -> None:
        """Replace pages, durable when it returns; after an error any of them may be there in part.

        `checkpoint` is awaited between steps of at most a few milliseconds.
        """
        ...

    async def remove_pages(self, sources: Sequence[SourceId]) -> None:
        """Take pages out; unknown ones are ignored."""
        ...

    async def count(self) -> int:
        """Number of chunks of this library."""
        ...

    async def search(self, query: PassageQuery) -> Sequence[PassageMatch]:
        """Return the matches, grouped by page, the pages by their best match, best first."""
        ...


class VectorStores(Protocol):
    """Opens vector stores by where they are."""

    def at(self, place: StorePlace) -> VectorStore:
        """Return the store; nothing is sent before its first method is called."""
        ...


class PageSource(Protocol):
    """Where captures come from: a browser's tabs or files on disk."""

    async def capture(self, tab_id: int, max_chars: int, *, selection: bool = False) -> Captured:
        """Read one tab, at most `max_chars` characters of it; of a PDF, whole pages until there are as many.

        selection: read only what is selected there; where nothing tells what that is, everything.

        Raises HostError (tab_gone, tab_navigated, tab_asleep, tab_needs_permission, tab_timeout,
        file_access_off, file_unreachable), InputError (page_unreadable, page_locked, file_too_large).
        """
        ...


class FileReader(Protocol):
    """Reads files that a person gave by hand."""

    async def read(self, name: str, url: str, max_chars: int) -> Captured:
        """Read the file called `name` whose bytes are at `url`, at most `max_chars` characters of it.

        Raises InputError (file_missing, file_too_large, page_empty, page_unreadable, page_locked).
        """
        ...


class SettingsSource(Protocol):
    """Where the reader's settings are kept."""

    async def settings(self) -> object:
        """Return what is stored, as JSON values, None before the first time; raises HostError."""
        ...


class MainContent(Protocol):
    """Decides which text of a page is the content and which is navigation, banners, footers."""

    async def select(self, capture: Capture) -> str | None:
        """Return the main text in document order, or None when the page has no clear main part."""
        ...


class PassageViewer(Protocol):
    """Shows a passage where the user can see it."""

    async def show(
        self,
        url: str,
        quote: str,
        before: str,
        after: str,
        *,
        others: Sequence[tuple[str, str, str]] = (),
        page_number: int | None,
        moment_url: str | None,
    ) -> tuple[bool, int]:
        """Focus the tab of `url`, light `quote` up; return (found on the page, tab id).

        others: (quote, before, after) of more passages of the page, marked beside it.
        page_number: of a document with pages, which is turned to that page. moment_url: the address that
        plays a recording from where the quote is said; it is gone to, and nothing is lit up.
        """
        ...


@dataclass(frozen=True, slots=True)
class PartRow:
    """What the index derived from pages, as `core.page_part` encodes it; `stamp` is that of the last."""

    n_postings: int
    data: bytes
    stamp: int = 0


class Summarizer(Protocol):
    """A summariser that the browser has."""

    async def state(self) -> SummarizerState:
        """Whether it can be used; never raises."""
        ...

    async def summarise(self, text: str, *, context: str, language: str) -> str:
        """Return a few plain sentences about a text; `context` says what it is from.

        Cancelling the task stops it. Raises ModelError: model_unavailable, prompt_too_long.
        """
        ...


class SummaryStore(Protocol):
    """Summaries in the library file. Every method is one transaction; all raise StoreError."""

    def load_all(self) -> Sequence[Summary]:
        """Every summary."""
        ...

    def put(self, summary: Summary) -> None:
        """Keep a summary in place of that of the same content; those of no page are dropped."""
        ...

    def put_many(self, summaries: Sequence[Summary]) -> None:
        """Keep summaries as `put` does, all at once."""
        ...

    def load_part(self, source: SourceId, part_hash: str) -> str | None:
        """What was written of a part of a page, None when nothing was."""
        ...

    def put_part(self, source: SourceId, part_hash: str, text: str) -> None:
        """Keep what was written of a part of a page, as long as the page is there."""
        ...

    def keep_parts(self, source: SourceId, part_hashes: Sequence[str]) -> None:
        """Drop what was written of a page's other parts."""
        ...


class Store(Protocol):
    """The library file. Every method is one transaction; all raise StoreError."""

    @property
    def schema_version(self) -> int:
        """Version of the file's schema."""
        ...

    @property
    def threads(self) -> "ThreadStore":
        """The saved threads in the file."""
        ...

    @property
    def summaries(self) -> SummaryStore:
        """The summaries in the file."""
        ...

    def load_heads(self) -> Sequence[PageHead]:
        """What lists need of every page, oldest first."""
        ...

    def load_pages(self) -> Sequence[Page]:
        """Every page, oldest first."""
        ...

    def load_page(self, source: SourceId) -> Page | None:
        """A page, or None."""
        ...

    def load_chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Chunks of a page by ordinal."""
        ...

    def load_chunk(self, source: SourceId, ordinal: int) -> Chunk | None:
        """One chunk of a page, or None."""
        ...

    def content_hashes(self, source: SourceId) -> Sequence[str]:
        """Content hashes of a page's chunks by ordinal."""
        ...

    def load_vectors(self, content_hashes: Sequence[str]) -> tuple[BoolVector, QuantizedVectors]:
        """Return which of the hashes have a vector, and those vectors in the same order."""
        ...

    def put_page(self, page: Page, chunks: Sequence[Chunk], part: PartRow | None = None) -> None:
        """Replace the page's snapshot and chunks at once; vectors of unchanged chunks stay.

        `part` is what the index derived from the page, under a stamp from `new_stamp`.
        """
        ...

    def new_stamp(self) -> int:
        """A number for the next snapshot that none before had."""
        ...

    def part_sizes(self) -> Mapping[int, int]:
        """Number of postings of every part by its id, oldest first."""
        ...

    def load_part(self, part_id: int) -> bytes:
        """The bytes of a part, none when it is gone."""
        ...

    def put_part(self, source: SourceId, part: PartRow) -> None:
        """Add the part of a stored page that has none."""
        ...

    def replace_parts(self, part_ids: Sequence[int], part: PartRow | None) -> None:
        """Drop parts, for one that has what is still needed of them or for none."""
        ...

    def pack_vectors(self, source: SourceId, vectors: QuantizedVectors) -> None:
        """Lay all vectors of a page, by ordinal, together."""
        ...

    def packed_vectors(self) -> Iterator[tuple[SourceId, QuantizedVectors]]:
        """The vectors of every page that has all of them; a damaged row is left out."""
        ...

    def put_vectors(self, content_hashes: Sequence[str], vectors: QuantizedVectors) -> None:
        """Add vectors, keyed by the content hash of their chunk."""
        ...

    def remove_page(self, source: SourceId) -> None:
        """Take a page out; it can be restored until another page is removed."""
        ...

    def restore_page(self, source: SourceId) -> Page | None:
        """Bring the last removed page back, or None when it is gone."""
        ...

    def remove_all(self) -> None:
        """Take every page out; they can be restored until the next removal."""
        ...

    def restore_all(self) -> Sequence[Page]:
        """Bring every page back that was taken out and is not gone, oldest first."""
        ...

    def model_id(self) -> str:
        """The embedder whose vectors are stored, "" before the first."""
        ...

    def set_model_id(self, model_id: str) -> None:
        """Record the embedder; raises ModelError when vectors of another one are there."""
        ...

    def next_vectors(self, model_id: str, content_hashes: Sequence[str]) -> BoolVector:
        """Return which of the hashes have a vector of the next model, `adopt_next` not yet called."""
        ...

    def put_next_vectors(
        self, model_id: str, content_hashes: Sequence[str], vectors: QuantizedVectors
    ) -> None:
        """Add vectors of the next model beside those in use; those of yet another one are dropped."""
        ...

    def adopt_next(self, model_id: str) -> None:
        """Replace all vectors and the model by the next ones."""
        ...

    def attempts(self, source: SourceId) -> int:
        """How many times work on this page began without an end."""
        ...

    def begin_attempt(self, source: SourceId) -> None:
        """Note that work on this page begins."""
        ...

    def end_attempt(self, source: SourceId) -> None:
        """Note that work on this page ended, well or with an error."""
        ...

    def library_id(self) -> str:
        """A name that no other library has; a copy of the file has the same."""
        ...

    def mirrored(self, destination: str) -> Mapping[SourceId, str]:
        """The fingerprint of each page that a vector store has acknowledged."""
        ...

    def put_mirrored(self, destination: str, fingerprints: Mapping[SourceId, str]) -> None:
        """Note pages as acknowledged."""
        ...

    def remove_mirrored(self, destination: str, sources: Sequence[SourceId]) -> None:
        """Note that nothing is known of these pages at a vector store."""
        ...

    @property
    def is_new(self) -> bool:
        """Whether there was no file before it was opened."""
        ...

    def note(self, key: str) -> str:
        """A text that travels with the file, "" when there is none."""
        ...

    def put_note(self, key: str, text: str) -> None:
        """Keep a text with the file, in place of the last of this key."""
        ...

    def size_bytes(self) -> int:
        """Size of the file."""
        ...

    def check(self) -> Sequence[str]:
        """Faults found in the file, empty when sound."""
        ...

    def close(self) -> None:
        """Release the file."""
        ...


class ThreadStore(Protocol):
    """The saved threads of the library file. Every method is one transaction; all raise StoreError."""

    def load_threads(self) -> Sequence[ThreadHead]:
        """Every thread, changed last first."""
        ...

    def load_thread(self, thread: ThreadId) -> ThreadHead | None:
        """One thread, or None."""
        ...

    def load_turns(self, thread: ThreadId) -> Sequence[ThreadTurn]:
        """Turns of a thread in the order they were asked."""
        ...

    def load_turn(self, turn: TurnId) -> ThreadTurn | None:
        """One turn, or None."""
        ...

    def load_receipt(self, answer_id: str) -> str:
        """The receipt of an answer, "" when there is none."""
        ...

    def put_thread(self, head: ThreadHead, turns: Sequence[ThreadTurn]) -> None:
        """Put a whole thread in the place of the one of its id, with the times it has."""
        ...

    def put_turn(self, thread: ThreadId, turn: ThreadTurn, *, title: str, now_ms: float) -> None:
        """Add or replace a turn and make it the one shown; a thread that is not there begins with `title`."""
        ...

    def update_turn(self, turn: ThreadTurn) -> None:
        """Replace what is kept of a turn; nothing happens when its thread is gone."""
        ...

    def rename(self, thread: ThreadId, title: str) -> None:
        """Give a thread another title."""
        ...

    def pin(self, thread: ThreadId, is_pinned: bool) -> None:
        """Keep a thread whatever the limit, or no longer."""
        ...

    def choose(self, thread: ThreadId, head: TurnId) -> None:
        """Show the path to another turn."""
        ...

    def remove(self, threads: Sequence[ThreadId]) -> None:
        """Take threads out; they can be restored until others are removed or the file is reopened."""
        ...

    def restore(self) -> Sequence[ThreadHead]:
        """Bring back what was removed last."""
        ...

    def interrupt_running(self) -> None:
        """Mark turns that still run: for the start, when nothing can be running."""
        ...

    def find(self, text: str, *, k: int) -> Sequence[ThreadMatch]:
        """Threads whose title, questions or answers hold `text`, changed last first, one match each.

        Letter case is ignored. Nothing is found for an empty text.
        """
        ...


class LibraryCopies(Protocol):
    """Files beside the library, each a library of its own: exports, backups, a file that is brought in."""

    def created(self, name: str) -> AbstractAsyncContextManager[Store]:
        """An empty library in place of what had this name, open while inside."""
        ...

    def opened(self, name: str) -> AbstractAsyncContextManager[Store]:
        """A copy that is there, open while inside.

        Raises InputError import_foreign, StoreError (store_newer, store_corrupt), HostError.
        """
        ...

    async def sizes(self) -> Mapping[str, int]:
        """Size in bytes by name, in no order."""
        ...

    async def take_in(self, name: str, url: str) -> None:
        """Bring a file in under a name; `url` is one that this machine answers.

        Raises HostError file_unreachable, StoreError store_full.
        """
        ...

    async def remove(self, name: str) -> None:
        """Delete a copy if it is there."""
        ...


class Eraser(Protocol):
    """Removes everything that the program ever stored."""

    async def erase(self) -> Sequence[str]:
        """Delete it all, and say what is left: names, none when all went well.

        The library is closed before; nothing works afterwards until `restart`.
        """
        ...

    def restart(self) -> None:
        """Start the engine anew in a moment."""
        ...


class LibraryMarker(Protocol):
    """A note that survives when the browser clears the library: what should be there."""

    async def load(self) -> object:
        """What was saved last, None before the first time; raises HostError."""
        ...

    async def save(self, value: object) -> None:
        """Keep JSON values in place of the last; raises HostError."""
        ...
