"""A run as people see it: one record a call, part of the receipt."""

from dataclasses import dataclass
from enum import StrEnum


class StepState(StrEnum):
    """What became of a call."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a tool.

    number: from 1, in the order the calls began. parent: the step of the researcher that made the call, 0 for
    the agent itself. arguments: JSON text, of a refused call what the model wrote. summary: what came of it,
    or why it was refused; may hold text of pages. n_passages: how many the model was given. by_rule: the call
    was made before the model was asked.
    """

    number: int
    parent: int
    tool: str
    arguments: str
    state: StepState
    summary: str = ""
    n_passages: int = 0
    ms: float = 0.0
    by_rule: bool = False
