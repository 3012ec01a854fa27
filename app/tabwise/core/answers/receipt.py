"""The receipt of an answer: everything that was done for it, as one JSON text that can be opened anywhere.

It holds the plan, the titles of its pages, every search with both rankings and their fusion, what went into
the prompt and what did not and why, the exact prompts and replies, the sentences with their verdicts,
timings, and the versions of program, models and index. It holds no key: prompts carry none.

`differences` compares the searches of a receipt with the same searches run again. Scores may differ by
SCORE_TOLERANCE: float32 sums depend on the order of addition, which differs between machines.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.agent.steps import Step
from tabwise.core.answers.answer import Agreement, Dropped, Fallback, Given, Notice
from tabwise.core.answers.followup import Turn
from tabwise.core.answers.plan import Plan
from tabwise.core.answers.sufficiency import Level
from tabwise.core.model import AnswerSentence, ChunkId, Citation, FusionMode, Hit, PageHead, SourceId
from tabwise.core.records import NotARecord, from_json, to_json
from tabwise.core.text.bounded_json import read_json

VERSION = 1
MAX_RECEIPT_CHARS = 20_000_000
SCORE_TOLERANCE = 1e-3


class NotAReceipt(ValueError):
    """A text is no receipt, or one of a newer program."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage in a ranking, best first; the fields are those of a Hit. `content_hash`: of its chunk."""

    chunk_id: ChunkId
    source: SourceId
    content_hash: str
    score: float
    dense: float | None
    lexical: float
    rank_dense: int | None
    rank_lexical: int | None
    rank_fused: int | None
    word_order: float
    recency: float

    @classmethod
    def of(cls, hit: Hit) -> "Ranked":
        """Keep what a receipt keeps of a hit."""
        return cls(
            hit.chunk.id,
            hit.chunk.source,
            hit.chunk.content_hash,
            hit.score,
            hit.dense,
            hit.lexical,
            hit.rank_dense,
            hit.rank_lexical,
            hit.rank_fused,
            hit.word_order,
            hit.recency,
        )


@dataclass(frozen=True, slots=True)
class Search:
    """One search: both rankings and their fusion, each the best k. `refined`: the second search.

    `k` and `sources`: how many passages of which pages, where a model chose; 0 and none: as the question was
    put.
    """

    query: str
    refined: bool
    semantic: bool
    fused: tuple[Ranked, ...]
    dense: tuple[Ranked, ...]
    lexical: tuple[Ranked, ...]
    k: int = 0
    sources: tuple[SourceId, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedOf:
    """The pages the question was put to, and how: as the request said."""

    sources: tuple[SourceId, ...]
    sites: tuple[str, ...]
    after_ms: float
    before_ms: float
    prefer_recent: bool
    k: int
    mode: FusionMode


@dataclass(frozen=True, slots=True)
class Named:
    """What a page that the receipt speaks of is called, for whoever opens it without the page."""

    source: SourceId
    title: str


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a prompt."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a language model: why (plan, answer, summary, repair, agent), the prompt, the raw reply.

    `n_counted_tokens` is our count of the prompt, `n_prompt_tokens` the service's, None where it tells none.
    """

    purpose: str
    messages: tuple[Said, ...]
    max_output_tokens: int
    reply: str
    finish: str
    n_counted_tokens: int
    n_prompt_tokens: int | None
    n_output_tokens: int | None
    ms: float


@dataclass(frozen=True, slots=True)
class Stage:
    """How long a stage took."""

    name: str
    ms: float


@dataclass(frozen=True, slots=True)
class Versions:
    """What did it: program, embedder, language model ("" for none) and the state of the index."""

    app: str
    embedder: str
    language_model: str
    index_fingerprint: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """How an answer came about."""

    version: int
    id: str
    created_at_ms: float
    question: str
    history: tuple[Turn, ...]
    asked_of: AskedOf
    plan: Plan
    pages: tuple[Named, ...]
    searches: tuple[Search, ...]
    level: Level
    missing: tuple[str, ...]
    given: tuple[Given, ...]
    dropped: tuple[Dropped, ...]
    engine: str
    engine_label: str
    calls: tuple[Call, ...]
    steps: tuple[Step, ...]
    fallback: Fallback | None
    sentences: tuple[AnswerSentence, ...]
    citations: tuple[Citation, ...]
    agreement: Agreement | None
    notices: tuple[Notice, ...]
    timings: tuple[Stage, ...]
    versions: Versions


def encode(receipt: Receipt) -> str:
    """Return the text of a receipt."""
    return json.dumps(to_json(receipt), ensure_ascii=False, allow_nan=False)


def decode(text: str) -> Receipt:
    """Read a receipt; raises NotAReceipt."""
    if len(text) > MAX_RECEIPT_CHARS:
        raise NotAReceipt("too long")
    try:
        value = read_json(text)
        version = value.get("version") if isinstance(value, dict) else None
        if isinstance(version, int) and version > VERSION:
            raise NotAReceipt(f"version {version} is newer than {VERSION}")
        return from_json(Receipt, value)
    except (NotARecord, json.JSONDecodeError, RecursionError) as error:
        raise NotAReceipt(str(error)) from error


def fingerprint(pages: Iterable[PageHead], embedder_id: str) -> str:
    """Return a hash that is equal for the same pages and the same embedder, whatever their order."""
    hashes = sorted(f"{page.source}\t{page.content_hash}" for page in pages)
    return hashlib.sha256("\n".join([embedder_id, *hashes]).encode("utf-8", "replace")).hexdigest()


class Change(StrEnum):
    """How a search run again differs."""

    PAGE_GONE = "page_gone"
    PAGE_CHANGED = "page_changed"
    MODEL = "model"  # other vectors, or none: searched by words or meaning alone
    ORDER = "order"
    SCORE = "score"
    VERSION = "version"  # the program is another one


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference; `search` counts from 0, -1: the whole receipt. `subject`: a page, version or query."""

    change: Change
    search: int
    subject: str


def differences(
    receipt: Receipt, again: Sequence[Search], versions: Versions, known: frozenset[SourceId]
) -> tuple[Difference, ...]:
    """Compare the searches of a receipt with the same ones run `again`; empty when they are the same.

    `known` are the pages that are there now. Causes come first: a page that is gone or changed, another
    model; an order or score that differs is named only where none of these explains it.
    """
    found: list[Difference] = []
    if receipt.versions.embedder != versions.embedder:
        found.append(Difference(Change.MODEL, -1, versions.embedder))
    then = {ranked.source: None for search in receipt.searches for ranked in search.fused}
    found += [Difference(Change.PAGE_GONE, -1, source) for source in then if source not in known]
    for number, (old, new) in enumerate(zip(receipt.searches, again, strict=True)):
        found += _of_search(number, old, new, explained=bool(found))
    if found and receipt.versions.app != versions.app:
        found.append(Difference(Change.VERSION, -1, versions.app))
    return tuple(found)


def _of_search(number: int, old: Search, new: Search, *, explained: bool) -> list[Difference]:
    if old.semantic != new.semantic:
        return [Difference(Change.MODEL, number, old.query)]
    hashes = {ranked.chunk_id: ranked.content_hash for ranked in new.fused}
    changed = {
        ranked.source: None
        for ranked in old.fused
        if hashes.get(ranked.chunk_id, ranked.content_hash) != ranked.content_hash
    }
    if changed:
        return [Difference(Change.PAGE_CHANGED, number, source) for source in changed]
    if explained:
        return []
    if [ranked.chunk_id for ranked in old.fused] != [ranked.chunk_id for ranked in new.fused]:
        return [Difference(Change.ORDER, number, old.query)]
    if any(abs(a.score - b.score) > SCORE_TOLERANCE for a, b in zip(old.fused, new.fused, strict=True)):
        return [Difference(Change.SCORE, number, old.query)]
    return []
