"""What was done for an answer, noted while it is done: the receipt's other half."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tabwise import __version__
from tabwise.core.agent.steps import Step
from tabwise.core.answers.answer import Answer, Dropped, Given, Notice
from tabwise.core.answers.receipt import (
    VERSION,
    AskedOf,
    Call,
    Named,
    Ranked,
    Receipt,
    Said,
    Search,
    Stage,
    Versions,
    fingerprint,
)
from tabwise.core.answers.sufficiency import Level
from tabwise.core.chat import Completion, ModelDescriptor, Prompt
from tabwise.core.model import FusionMode, Hit
from tabwise.engine.answering.question import Question
from tabwise.engine.library import Library
from tabwise.engine.passages import LOCAL
from tabwise.ports import Clock, Embedder


@dataclass
class Trace:
    """Notes of one question; `laps` are stage durations in the order they ended."""

    question: Question
    clock: Clock
    searches: list[Search] = field(default_factory=list)
    level: Level = Level.NOTHING
    given: list[Given] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    steps: tuple[Step, ...] = ()
    notices: list[Notice] = field(default_factory=list)
    laps: list[tuple[str, float]] = field(default_factory=list)
    model: ModelDescriptor | None = None
    store: str = LOCAL
    why_local: str = ""

    def __post_init__(self) -> None:
        self.began_at_ms = self.clock.now_ms()
        self._since = self.clock.monotonic_ms()

    def lap(self, stage: str) -> None:
        """End a stage; the time since the one before belongs to it. A stage may come twice."""
        now = self.clock.monotonic_ms()
        spent, self._since = now - self._since, now
        for i, (name, ms) in enumerate(self.laps):
            if name == stage:
                self.laps[i] = (name, ms + spent)
                return
        self.laps.append((stage, spent))

    def was_given(self, given: Sequence[Given], dropped: Sequence[Dropped]) -> None:
        """Note what an answer was tried from, whatever came of it, and what was left out; the last counts."""
        self.given, self.dropped = list(given), list(dropped)

    def searched(self, record: Search, store: str, why_local: str) -> None:
        """Note a search and who did it: the mirror only when it answered every search of a question."""
        self.searches.append(record)
        self.why_local = self.why_local or why_local
        self.store = LOCAL if self.why_local else store

    def called(
        self, purpose: str, prompt: Prompt, completion: Completion, *, n_counted: int, ms: float
    ) -> None:
        """Note a call of a model."""
        messages = tuple(Said(str(message.role), message.text) for message in prompt.messages)
        self.calls.append(
            Call(
                purpose,
                messages,
                prompt.max_output_tokens,
                completion.text,
                str(completion.finish),
                n_counted,
                completion.n_prompt_tokens,
                completion.n_output_tokens,
                ms,
            )
        )


def search_record(
    query: str,
    refined: bool,
    semantic: bool,
    fused: Sequence[Hit],
    dense: Sequence[Hit],
    lexical: Sequence[Hit],
) -> Search:
    """Return a search as receipts keep it."""
    of_fusion, of_meaning, of_words = (tuple(map(Ranked.of, hits)) for hits in (fused, dense, lexical))
    return Search(query, refined, semantic, of_fusion, of_meaning, of_words)


def versions_of(library: Library, embedder: Embedder, model: ModelDescriptor | None) -> Versions:
    """Return what answers now: program, models, state of the index."""
    embedder_id = embedder.descriptor.id
    return Versions(
        app=__version__,
        embedder=embedder_id,
        language_model=f"{model.id} {model.label}".strip() if model else "",
        index_fingerprint=fingerprint(library.heads(), embedder_id),
    )


def receipt_of(trace: Trace, answer: Answer, library: Library, versions: Versions) -> Receipt:
    """Put the notes and the answer together; the pages they speak of are named by `library`."""
    asked = trace.question
    scope = asked.scope
    return Receipt(
        version=VERSION,
        id=answer.id,
        created_at_ms=trace.began_at_ms,
        question=asked.text,
        history=asked.history,
        asked_of=AskedOf(
            sources=tuple(sorted(scope.sources)),
            sites=scope.sites,
            after_ms=float(scope.after_ms),
            before_ms=float(scope.before_ms),
            prefer_recent=scope.prefer_recent,
            k=asked.k,
            mode=FusionMode(asked.mode),
        ),
        plan=answer.plan,
        pages=_named(trace, answer, library),
        searches=tuple(trace.searches),
        level=trace.level,
        missing=answer.missing,
        given=answer.given,
        dropped=answer.dropped,
        engine=answer.engine,
        engine_label=answer.engine_label,
        calls=tuple(trace.calls),
        steps=trace.steps,
        fallback=answer.fallback,
        sentences=answer.sentences,
        citations=answer.citations,
        agreement=answer.agreement,
        notices=answer.notices,
        timings=tuple(Stage(name, ms) for name, ms in answer.timings),
        versions=versions,
    )


def _named(trace: Trace, answer: Answer, library: Library) -> tuple[Named, ...]:
    """The pages that searches, prompt and citations speak of, in the order of their ids."""
    sources = {
        one.source
        for search in trace.searches
        for ranking in (search.fused, search.dense, search.lexical)
        for one in ranking
    }
    sources |= {one.source for one in answer.given} | {one.source for one in answer.citations}
    heads = [library.index.head(source) for source in sorted(sources)]
    return tuple(Named(head.source, head.title) for head in heads if head is not None)
