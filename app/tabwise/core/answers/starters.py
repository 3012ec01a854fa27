"""Questions that a page answers, to begin with: taken from the page itself, so that something is found.

Three kinds, the surest first, each with the place in the page that answers it:

    question     a heading that asks:                           "How often is the starter fed?"
    definition   "A neap tide is a tide of small range." asks for   "neap tide"
    section      a heading over a paragraph long enough to say something about it: "Tidal power"

A definition is a sentence that opens a paragraph with at most MAX_TOPIC_WORDS words, "is" and an article,
in the languages of _COPULAS; pronouns define nothing. The interface makes questions of definitions and
sections in its own language.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.model import BlockKind, Page, SourceId
from tabwise.core.text.sentences import split

MIN_QUESTION_WORDS, MAX_QUESTION_WORDS = 3, 16
MAX_TOPIC_WORDS = 5
MAX_TOPIC_CHARS = 60
MIN_ANSWER_WORDS = 12
MAX_BLOCKS_READ = 400
_COPULAS = {
    "en": (r"(?:an?|the) ", "is", r"an?|the|one"),
    "de": (r"(?:ein|eine|der|die|das) ", "ist", r"ein|eine|der|die|das"),
    "es": (r"(?:un|una|el|la) ", "es", r"un|una|el|la"),
}
_DEFINES = {
    language: re.compile(rf"(?:{article})?([^\W\d_][\w'’\- ]*?) {verb} (?:{object_}) \w", re.IGNORECASE)
    for language, (article, verb, object_) in _COPULAS.items()
}
_NO_TOPIC = frozenset(
    {
        "it", "this", "that", "there", "here", "he", "she", "what", "which", "who", "where", "one", "these",
        "those", "they", "we", "you", "i", "all",
        "es", "das", "dies", "dieser", "diese", "hier", "er", "sie", "was", "wer", "wo", "man", "alle", "wir",
        "esto", "eso", "este", "esta", "aquí", "él", "ella", "que", "quien", "donde",
    }
)  # fmt: skip


class StarterKind(StrEnum):
    """What a starter was made from."""

    QUESTION = "question"
    DEFINITION = "definition"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Starter:
    """`text` is the question of a QUESTION, else what is asked about; start…end of the page answers it."""

    kind: StarterKind
    text: str
    source: SourceId
    start: int
    end: int


def starters_of(page: Page) -> list[Starter]:
    """Return the starters of one page, the surest kind first, each in the order of the page."""
    order = list(StarterKind)
    found = {(starter.kind, starter.text.casefold()): starter for starter in reversed(list(_starters(page)))}
    return sorted(found.values(), key=lambda starter: (order.index(starter.kind), starter.start))


def chosen(by_page: Iterable[list[Starter]], limit: int) -> list[Starter]:
    """Return at most `limit` of the starters of several pages: one of each page, then a second, and so on."""
    queues = [list(starters) for starters in by_page]
    taken: list[Starter] = []
    while len(taken) < limit and any(queues):
        for queue in queues:
            if queue and len(taken) < limit:
                taken.append(queue.pop(0))
    return taken


def _starters(page: Page) -> Iterator[Starter]:
    blocks = page.blocks[:MAX_BLOCKS_READ]
    define = _DEFINES.get(page.language)
    for block, following in zip(blocks, (*blocks[1:], None), strict=True):
        text = page.text[block.start : block.end]
        if block.kind is BlockKind.PARAGRAPH and define is not None:
            yield from _definition(page, block.start, text, define)
        if block.kind is not BlockKind.HEADING or following is None or following.kind is BlockKind.HEADING:
            continue
        n_words = len(text.split())
        answer = (page.source, following.start, following.end)
        if text.rstrip().endswith(("?", "？")):
            if MIN_QUESTION_WORDS <= n_words <= MAX_QUESTION_WORDS:
                yield Starter(StarterKind.QUESTION, text.strip(), *answer)
        elif _says_something(page, following.start, following.end) and _is_topic(text) and block.level > 1:
            yield Starter(StarterKind.SECTION, text.strip(), *answer)


def _definition(page: Page, at: int, text: str, define: re.Pattern[str]) -> Iterator[Starter]:
    start, end = next(iter(split(text)), (0, 0))
    match = define.match(text[start:end])
    if match is None or not _says_something(page, at, at + len(text)):
        return
    topic = match[1]
    if _is_topic(topic) and not _NO_TOPIC & set(topic.casefold().split()):
        yield Starter(StarterKind.DEFINITION, topic, page.source, at + start, at + end)


def _is_topic(text: str) -> bool:
    topic = text.strip()
    return 3 <= len(topic) <= MAX_TOPIC_CHARS and len(topic.split()) <= MAX_TOPIC_WORDS


def _says_something(page: Page, start: int, end: int) -> bool:
    return len(page.text[start:end].split()) >= MIN_ANSWER_WORDS
