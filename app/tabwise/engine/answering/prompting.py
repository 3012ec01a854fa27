"""Prompts made to fit: which passages, sections and turns go in, counted by the model itself.

A prompt is fitted by the counts of its parts, then counted as a whole; should the whole be over, the weakest
passage goes. Pages that a rule keeps on this machine are left out where the model is elsewhere.
"""

import secrets
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tabwise.core.agent.passages import Passage
from tabwise.core.answers.answer import Dropped, Given, Reason
from tabwise.core.answers.budget import BudgetConfig, Item, Line, fit
from tabwise.core.answers.evidence import Evidence, gather
from tabwise.core.answers.followup import Turn
from tabwise.core.answers.plan import Plan
from tabwise.core.answers.prompts import (
    Source,
    answer_prompt,
    fenced,
    question_text,
    source_text,
    summary_prompt,
    system_text,
)
from tabwise.core.answers.reading import Part
from tabwise.core.chat import ModelDescriptor, Prompt
from tabwise.core.model import ChunkId, Hit, Page, SourceId
from tabwise.engine.answering.calling import MESSAGE_TOKENS, Calls
from tabwise.errors import ModelError

BUNDLED = "bundled"
BUNDLED_PROMPT_TOKENS, BUNDLED_ANSWER_TOKENS = 640, 140
"""The bundled model reads 160 tokens a second on one thread: longer prompts are not worth the wait."""
MAX_PROMPT_TOKENS, MAX_ANSWER_TOKENS = 24_000, 700
WINDOW_TURNS = 6
MAX_TURN_CHARS = 2_000
MAX_GATHERINGS = 4
SHRINK = 0.9
TOKENS_PER_WORD = 1.2
"""Fewer than any tokenizer needs for running text: so many words are gathered, then counted."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prompt with the passages in it by number, and what was left out; what was calculated, of an agent."""

    prompt: Prompt
    passages: Mapping[int, Passage]
    given: tuple[Given, ...]
    dropped: tuple[Dropped, ...]
    calculations: tuple[str, ...] = ()


def limits_of(model: ModelDescriptor, scale: float = 1.0) -> BudgetConfig:
    """Return how long prompt and answer may be; `scale` below 1 for a second try with less."""
    is_bundled = model.id == BUNDLED
    most = BUNDLED_PROMPT_TOKENS if is_bundled else MAX_PROMPT_TOKENS
    answer = min(BUNDLED_ANSWER_TOKENS if is_bundled else MAX_ANSWER_TOKENS, model.context_tokens // 4)
    budget = min(model.context_tokens, int(most * scale), int(model.context_tokens * scale))
    return BudgetConfig(budget, answer, WINDOW_TURNS)


def new_key() -> str:
    """Return a key that no page can know."""
    return secrets.token_hex(8)


def prepare_answer(
    plan: Plan,
    history: Sequence[Turn],
    hits: Sequence[Hit],
    pages: Mapping[SourceId, Page],
    calls: Calls,
    *,
    may_leave: Callable[[SourceId], bool],
    scale: float = 1.0,
) -> Prepared:
    """Build the prompt of an answer from the best passages that fit; `scale` as in `limits_of`.

    Raises ModelError prompt_too_long when not even one passage fits.
    """
    config, key, count = limits_of(calls.model.descriptor, scale), new_key(), calls.model.count
    allowed = [hit for hit in hits if may_leave(hit.chunk.source)]
    turns = [
        replace(turn, question=turn.question[:MAX_TURN_CHARS], answer=turn.answer[:MAX_TURN_CHARS])
        for turn in history
        if turn.answer  # none where it must not leave this machine
    ]
    frame = question_text(fenced([], key), plan.question, key, plan.topics)
    fixed = [_item("system", system_text(plan.language), count), _item("question", frame, count)]
    told = [_item("turn", turn.question, count, turn.answer) for turn in turns]
    first = fit(config, fixed, told, [Item("source", "", 1)])
    evidence, texts = _gathered(allowed, pages, first.room_tokens - first.n_tokens, key, count)
    sizes = [count(text) for text in texts]
    budget = fit(
        config,
        fixed,
        told,
        [Item("source", pages[one.source].title, n) for one, n in zip(evidence, sizes, strict=True)],
    )
    kept_turns = turns[len(turns) - len(budget.kept("turn")) :]
    of_turns = {source for turn in kept_turns for source in turn.sources}

    def prompt_of(n_sources: int) -> Prompt:
        return answer_prompt(
            question=plan.question,
            language=plan.language,
            sources=texts[:n_sources],
            turns=kept_turns,
            key=key,
            max_output_tokens=config.reserve_tokens,
            pages=of_turns | {one.source for one in evidence[:n_sources]},
            topics=plan.topics,
        )

    n_sources = _most(len(budget.kept("source")), lambda n: calls.count(prompt_of(n)) <= budget.room_tokens)
    kept = evidence[:n_sources]
    left_out = [hit for hit in allowed if not any(_covers(one, hit) for one in kept)]
    return Prepared(
        prompt=prompt_of(n_sources),
        passages={
            i + 1: Passage(i + 1, one.source, allowed[one.hit].chunk.id, one.start, one.end)
            for i, one in enumerate(kept)
        },
        given=tuple(Given(i + 1, one.source, one.start, one.end, sizes[i]) for i, one in enumerate(kept)),
        dropped=(
            *(_dropped_turn(line) for line in budget.lines if line.item.kind == "turn" and line.reason),
            *(
                Dropped(
                    "source",
                    pages[hit.chunk.source].title,
                    count(hit.chunk.text),
                    Reason.AFTER_FULL if i else Reason.NO_ROOM,
                    hit.chunk.source,
                )
                for i, hit in enumerate(left_out)
            ),
            *kept_here([pages[hit.chunk.source] for hit in hits], may_leave),
        ),
    )


def _gathered(
    hits: Sequence[Hit],
    pages: Mapping[SourceId, Page],
    room_tokens: int,
    key: str,
    count: Callable[[str], int],
) -> tuple[tuple[Evidence, ...], list[str]]:
    """Passages for the hits, best first, of about `room_tokens` in all, and their texts for a prompt.

    Words are gathered first, for that is by whole sentences and best first; how many tokens they have differs
    by text and tokenizer, so they are counted and, when too many, gathered anew.
    """
    n_words = room_tokens / TOKENS_PER_WORD
    for _ in range(MAX_GATHERINGS):
        evidence = gather(hits, pages, max_words=max(int(n_words), 0))
        texts = [
            source_text(
                Source(
                    i + 1,
                    pages[one.source].title,
                    hits[one.hit].chunk.heading_path,
                    pages[one.source].text[one.start : one.end],
                ),
                key,
            )
            for i, one in enumerate(evidence)
        ]
        n_tokens = sum(map(count, texts))
        if n_tokens <= room_tokens or n_tokens == 0:
            break
        n_words = min(n_words, n_tokens / TOKENS_PER_WORD) * SHRINK * room_tokens / n_tokens
    return evidence, texts


def prepare_summary(
    question: str,
    language: str,
    parts: Sequence[tuple[Part, ChunkId]],
    pages: Mapping[SourceId, Page],
    calls: Calls,
    *,
    scale: float = 1.0,
) -> Prepared:
    """Build the prompt of a summary from parts of pages in reading order, each with a chunk of it.

    Raises ModelError prompt_too_long when not even the first part fits.
    """
    config, key = limits_of(calls.model.descriptor, scale), new_key()
    room = max(config.budget_tokens - config.reserve_tokens, 0)
    texts = [
        source_text(
            Source(
                i + 1,
                pages[part.source].title,
                (part.heading,),
                pages[part.source].text[part.start : part.end],
            ),
            key,
        )
        for i, (part, _) in enumerate(parts)
    ]

    def prompt_of(n_parts: int) -> Prompt:
        return summary_prompt(
            question=question,
            language=language,
            sources=texts[:n_parts],
            key=key,
            max_output_tokens=config.reserve_tokens,
            pages={part.source for part, _ in parts[:n_parts]},
        )

    n_parts = _most(len(parts), lambda n: calls.count(prompt_of(n)) <= room)
    return Prepared(
        prompt=prompt_of(n_parts),
        passages={
            i + 1: Passage(i + 1, part.source, chunk_id, part.start, part.end)
            for i, (part, chunk_id) in enumerate(parts[:n_parts])
        },
        given=tuple(
            Given(i + 1, part.source, part.start, part.end, part.n_tokens)
            for i, (part, _) in enumerate(parts[:n_parts])
        ),
        dropped=tuple(
            Dropped(
                "section",
                part.heading or pages[part.source].title,
                part.n_tokens,
                Reason.NO_ROOM,
                part.source,
            )
            for part, _ in parts[n_parts:]
        ),
    )


def kept_here(pages: Iterable[Page], may_leave: Callable[[SourceId], bool]) -> tuple[Dropped, ...]:
    """Name the pages that a rule keeps on this machine."""
    titles = {page.source: page.title for page in pages if not may_leave(page.source)}
    return tuple(Dropped("source", title, 0, Reason.NEVER_LEAVES, source) for source, title in titles.items())


def _most(n: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `n` that fits, as all smaller ones do; raises ModelError when 1 does not."""
    if n and fits(n):
        return n
    most = bisect_left(range(1, n), True, key=lambda number: not fits(number))
    if not most:
        raise ModelError("prompt_too_long", "not even one passage fits")
    return most


def _dropped_turn(line: Line) -> Dropped:
    return Dropped("turn", line.item.name, line.item.n_tokens, Reason(line.reason))


def _item(kind: str, name: str, count: Callable[[str], int], more: str = "") -> Item:
    """A message, or a question and its answer, with what the template adds to each."""
    texts = [name, more] if kind == "turn" else [name]
    return Item(kind, name if kind == "turn" else "", sum(map(count, texts)) + MESSAGE_TOKENS * len(texts))


def _covers(one: Evidence, hit: Hit) -> bool:
    chunk = hit.chunk
    return one.source == chunk.source and one.start < chunk.end and chunk.start < one.end
