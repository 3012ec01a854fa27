"""The agent: a question that a model looks into by itself, step by step."""

from tabwise.protocol.tables.threads import KEPT, NOT_KEPT

STEP_STATES = ("running", "done", "failed", "refused")
MAX_STEPS, MAX_SECONDS = 200, 1800

RECORDS: dict = {
    # a call of a tool
    "AgentStep": {
        "number": "int",  # from 1, in the order they began
        "parent": "int",  # the step of the researcher that made the call, 0 for the agent itself
        "tool": "str",
        "arguments": "str",  # JSON; of a refused call what the model wrote
        "state": ("enum",) + STEP_STATES,
        "summary": "str",  # what came of it, or why it was refused; may hold text of pages
        "n_passages": "int",  # how many the model was given
        "ms": "float",
        "by_rule": "bool",  # made before the model was asked
    },
    "Research": {"answer": "Answer", "steps": ("list", "AgentStep")},
}

REQUESTS: dict = {
    # as `ask`, by the agent; `fallback` of the answer says why the agent did not answer: an error code,
    # agent_no_model, agent_time, agent_steps, agent_repeats, agent_silent, agent_unread, agent_filtered
    "research": {
        "question": "str",
        "sources": ("list", "str"),
        "filter": "Filter",
        "history": ("list", "Turn"),
        "engine": "str",  # "" for the one of the settings
        "strict": ("optional", "bool"),
        "max_steps": "int",  # replies of the model; 0 for the choice of the settings
        "max_seconds": "int",
    },
}

DEFAULTS: dict = {
    "research": {
        "filter": {"sites": [], "after": 0, "before": 0, "prefer_recent": False},
        "history": [],
        "engine": "",
        "strict": None,
        "max_steps": 0,
        "max_seconds": 0,
    },
}
REQUESTS["research"].update(KEPT)
DEFAULTS["research"].update(NOT_KEPT)

RESULTS: dict = {"research": "Research"}

EVENTS: dict = {
    "step": {"step": "AgentStep"},  # as it begins, and as it ends; sentences follow as `sentence`
}
