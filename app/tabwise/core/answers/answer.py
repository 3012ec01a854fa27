"""An answer with everything that tells how it came about.

Answer(plan, sentences → citations, what is missing, what went into the prompt and what did not, notices)
"""

from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.answers.plan import Plan
from tabwise.core.model import AnswerSentence, Citation, Hit, SourceId

EXTRACTIVE = "extractive"
"""The engine without a model."""


class Reason(StrEnum):
    """Why something did not go into a prompt or a reading."""

    OUTSIDE_WINDOW = "outside_window"  # a turn older than the conversation's window
    NO_ROOM = "no_room"  # larger than what was left
    AFTER_FULL = "after_full"  # weaker, or older, than one that did not fit
    NEVER_LEAVES = "never_leaves"  # a rule keeps the page on this machine
    TOO_LONG = "too_long"  # a section beyond its page's share of a reading


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something left out; `kind` is turn, source or section, `name` what a reader calls it."""

    kind: str
    name: str
    n_tokens: int
    reason: Reason
    source: SourceId | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A passage that was really in the prompt, or read: `page.text[start:end]` under its number there."""

    number: int
    source: SourceId
    start: int
    end: int
    n_tokens: int


class NoticeKind(StrEnum):
    """What a reader should know of an answer beside its verdicts."""

    INSTRUCTIONS = "instructions"  # a passage has text that looks like instructions to a machine
    MARKS_REMOVED = "marks_removed"  # the model cited numbers that lead nowhere, or astray; text: which
    SENTENCES_LEFT_OUT = "sentences_left_out"  # by strict mode; text: how many
    PROMPT_CUT = "prompt_cut"  # the service read much less than was sent; text: tokens read / sent
    STOPPED_EARLY = "stopped_early"  # a loop or the length limit ended the text


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice, about a source or a whole answer."""

    kind: NoticeKind
    text: str = ""
    source: SourceId | None = None
    citation: int | None = None


@dataclass(frozen=True, slots=True)
class Fallback:
    """Why the engine that was asked for did not answer: an error code, or one of `FALLBACK_CODES`."""

    code: str
    subject: str = ""


REPLY_EMPTY = "reply_empty"
REPLY_DECLINED = "reply_declined"
REPLY_UNSUPPORTED = "reply_unsupported"
MODEL_TOO_SMALL = "model_too_small"
FALLBACK_CODES = (REPLY_EMPTY, REPLY_DECLINED, REPLY_UNSUPPORTED, MODEL_TOO_SMALL)
"""The model wrote nothing; said that the sources do not answer; wrote nothing that they bear out; or it is
the bundled one, which cannot hold a page to summarise."""


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """What each source says of one topic, in the order of `Agreement.sources`; None for nothing."""

    topic: str
    cells: tuple[AnswerSentence | None, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Topics by sources, each cell a cited sentence."""

    sources: tuple[SourceId, ...]
    rows: tuple[AgreementRow, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: sentences in order, citations by number, and how it came about.

    `sentences` is empty exactly when nothing good enough was found; `missing` are the parts of the question
    for which nothing was. `engine` wrote it; `hits` are all passages found, `given` those it was written
    from. `id` names its receipt. `store` is who searched, "local" or "qdrant"; `why_local` is why it was not
    the vector store that the reader set up, an error code or "mirror_behind".
    """

    id: str
    question: str
    plan: Plan
    engine: str
    engine_label: str
    semantic: bool
    sentences: tuple[AnswerSentence, ...]
    citations: tuple[Citation, ...]
    hits: tuple[Hit, ...]
    timings: tuple[tuple[str, float], ...]
    missing: tuple[str, ...] = ()
    fallback: Fallback | None = None
    given: tuple[Given, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    notices: tuple[Notice, ...] = ()
    agreement: Agreement | None = None
    store: str = "local"
    why_local: str = ""
