"""What is asked, of which pages, and by which engine."""

from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.answers.followup import Turn
from tabwise.core.model import FusionMode
from tabwise.engine.asking import N_HITS
from tabwise.engine.scoping import EVERYTHING, Scope


class Style(StrEnum):
    """Whether to answer or to read; `auto` lets the question decide."""

    AUTO = "auto"
    ANSWER = "answer"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with all that was chosen for it.

    `history` is oldest first. `engine` is EXTRACTIVE or the id of a language model. `strict` leaves out
    sentences that their source does not bear out.
    """

    text: str
    history: tuple[Turn, ...] = ()
    scope: Scope = EVERYTHING
    k: int = N_HITS
    mode: FusionMode = FusionMode.CONVEX
    style: Style = Style.AUTO
    engine: str = EXTRACTIVE
    strict: bool = False
