"""What an agent knows, what it is told, and what it wants: the nouns of `decide`."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.agent.arguments import Arguments
from tabwise.core.chat import Completion, Message, Prompt, ToolCall, ToolSpec

TIME_UP = "agent_time"
STEPS_UP = "agent_steps"
REPEATING = "agent_repeats"
SILENT = "agent_silent"
UNREAD = "agent_unread"
FILTERED = "agent_filtered"
GIVE_UP_REASONS = (TIME_UP, STEPS_UP, REPEATING, SILENT, UNREAD, FILTERED)
"""Why there is no answer, beside the codes of errors: a limit was reached, the same calls came again, the
model said nothing, never called a tool, or was stopped by its provider."""


class Dialect(StrEnum):
    """How calls are written."""

    NATIVE = "native"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a run ends. A step is a reply of the model; the last one can only be the answer."""

    max_steps: int = 40
    max_ms: float = 150_000.0
    max_calls_per_step: int = 5
    max_repeats: int = 3
    max_output_tokens: int = 1024


SMALL = Limits(max_steps=5, max_calls_per_step=1, max_repeats=1, max_output_tokens=160)
"""For a small model on this machine, which says the same again when it is asked again."""
HELPER_STEPS = 8
"""Of a researcher, whatever is left of the steps of the one that sent for it; their time is one."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same through a run.

    key: random letters and digits that fence text of pages, see `core.prompts`. count: tokens of a text.
    context_tokens: prompt and output together. is_helper: the answer goes to another agent. calls_first:
    what is called before the model is asked, one after the other.
    """

    question: str
    tools: tuple[ToolSpec, ...]
    dialect: Dialect
    limits: Limits
    key: str
    count: Callable[[str], int]
    context_tokens: int
    is_helper: bool = False
    calls_first: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call whose tool and arguments are sound."""

    call_id: str
    name: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that is not done; `reason` is what the model is told."""

    call_id: str
    name: str
    arguments: str
    reason: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool said; `is_data`: it holds text of pages, escaped with the key of the run."""

    call_id: str
    text: str
    is_data: bool = True


@dataclass(frozen=True, slots=True)
class AgentState:
    """Everything `decide` goes by. `closing`: why the next reply must be the answer, "" when it need not.

    n_steps: replies of the model. n_first: of `Setup.calls_first`, how many were made.
    """

    setup: Setup
    messages: tuple[Message, ...]
    n_steps: int = 0
    n_first: int = 0
    n_repeats: int = 0
    has_looked: bool = False
    closing: str = ""
    nudges: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()
    pending: tuple[ToolCall, ...] = ()
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Replied:
    """The model has replied."""

    completion: Completion
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Failed:
    """The model has not replied: TIME_UP or the code of an error."""

    reason: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The tools have returned."""

    results: tuple[ToolResult, ...]
    elapsed_ms: float


Observation = Replied | Failed | Returned


@dataclass(frozen=True, slots=True)
class AskModel:
    """Let the model reply."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class UseTools:
    """Do these calls; those refused are only to be shown."""

    uses: tuple[ToolUse, ...]
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class Conclude:
    """The answer, with `[n]` for passages; `is_cut` when the model had no room to end it."""

    text: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class GiveUp:
    """There is no answer: one of GIVE_UP_REASONS or the code of an error."""

    reason: str


Action = AskModel | UseTools | Conclude | GiveUp


@dataclass(frozen=True, slots=True)
class Turn:
    """The state after an observation, and what is to be done now."""

    state: AgentState
    action: Action
