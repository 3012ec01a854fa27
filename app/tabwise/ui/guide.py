"""First steps: which there are, and which are taken; questions to begin with.

A page added, access to all sites and a model chosen can be seen; that a question was asked or a source opened
is kept in the preference `guide`, as are steps that were skipped and that the list was closed.
"""

from tabwise.ui.access import is_everywhere
from tabwise.ui.conversation import shown_blocks
from tabwise.ui.state import INSIDE
from tabwise.ui.titles import topic_of
from tabwise.ui.words import question

STEPS = ("add", "ask", "open", "sites", "engine")
CLOSED = "closed"


def guide_steps(state: dict) -> list:
    """Return (step, whether it is taken or skipped) in order; [] when all are, or the list was closed."""
    noted = state["settings"]["preferences"]["guide"]
    if CLOSED in noted or not state["settings_known"]:
        return []
    seen = {
        "add": bool(state["library"]),
        "sites": is_everywhere(state["access"]),
        "engine": state["settings"]["preferences"]["engine"] != "extractive",
    }
    steps = [(step, step in noted or seen.get(step, False)) for step in STEPS]
    return steps if [step for step, done in steps if not done] else []


def step_below(state: dict) -> str:
    """Return the step that is offered below the conversation, "" for none.

    It is the next one, once the last question is answered and nothing else is asked of the reader; to open a
    source, once that answer has one.
    """
    shown = shown_blocks(state)
    left = [step for step, done in guide_steps(state) if not done]
    if not left or not shown or shown[-1]["state"] != "done" or state["editing"]:
        return ""
    inside = state["inside"].get(shown[-1]["id"], INSIDE)
    if inside["preview"] is not None:
        return ""
    answers = [page for page in inside["each"] if page["answer"] is not None]
    return "" if left[0] == "open" and not shown[-1]["citations"] and not answers else left[0]


def examples(state: dict) -> list:
    """Return three starter questions: such as the pages answer, then some about the pages added last."""
    pages = state["library"]
    if not pages:
        return []
    keys = ("example_points", "example_know", "example_numbers")
    about = [question(key, title=topic_of(pages[place % len(pages)])) for place, key in enumerate(keys)]
    return (_starter_texts(state["starters"]["shown"]) + about)[:3]


def _starter_texts(starters: list) -> list:
    """Return Starter records as questions: those that ask already, and what others ask about."""
    return [starter["text"] if starter["kind"] == "question" else _question(starter) for starter in starters]


def _question(starter: dict) -> str:
    if starter["kind"] == "definition":
        return question("starter_definition", topic=starter["text"])
    return question("starter_section", topic=starter["text"], title=starter["title"])
