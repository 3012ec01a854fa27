"""Planning with a language model: what it is asked, and what of its reply may be used.

The model sees the question and the conversation, no page. Its reply is one JSON object and is never trusted:
what breaks a bound, or is no JSON, leaves the plan of the rules as it is.

    {"question": "Who led the French Revolution?", "queries": ["leaders of the French Revolution"]}
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from tabwise.core.answers.followup import Turn
from tabwise.core.answers.plan import MAX_QUERIES, Kind, Plan
from tabwise.core.answers.prompts import escape
from tabwise.core.chat import Message, Prompt, Role
from tabwise.core.grammar import Sequence as Parts
from tabwise.core.grammar import Text, json_string, optional
from tabwise.core.text.bounded_json import read_json
from tabwise.core.text.language import NAMES
from tabwise.core.text.terms import terms

MAX_QUERY_CHARS = 200
MAX_PLAN_TOKENS = 200
MAX_TURN_CHARS = 600
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_ANOTHER = Parts((Text(", "), json_string(MAX_QUERY_CHARS)))
_QUERIES = Parts((json_string(MAX_QUERY_CHARS), optional(Parts((_ANOTHER, optional(_ANOTHER))))))
PLAN_GRAMMAR = Parts(
    (Text('{"question": '), json_string(MAX_QUERY_CHARS), Text(', "queries": ['), _QUERIES, Text("]}"))
)
"""The shape of a plan, for models whose tokens are picked here."""

_SYSTEM = (
    "You plan searches over a reader's own pages. You get a conversation and a question. Reply with one JSON "
    'object and nothing else: {{"question": the question rewritten so that it can be understood without the '
    'conversation, "queries": a list of one to three short search queries in {languages}}}. '
    "One query is enough for a simple question; use one for each thing that is compared or asked. "
    "Do not answer the question."
)


def planning_prompt(
    question: str, history: Sequence[Turn], key: str, *, languages: Sequence[str] = ()
) -> Prompt:
    """Build the prompt of a plan; of the conversation the last two turns are given, cut.

    languages: of the pages, BCP 47 and keys of `NAMES`, where the question is in none of them.
    """
    names = " and ".join(NAMES[language] for language in languages)
    where = f"{names}, as the pages are" if names else "the language of the question"
    system = _SYSTEM.format(languages=where)
    lines = []
    for turn in history[-2:]:
        lines.append(f"Earlier question: {escape(turn.question[:MAX_TURN_CHARS], key)}")
        lines.append(f"Earlier answer: {escape(turn.answer[:MAX_TURN_CHARS], key)}")
    lines.append(f"Question: {escape(question, key)}")
    messages = (Message(Role.SYSTEM, system), Message(Role.USER, "\n".join(lines)))
    sources = frozenset(source for turn in history[-2:] for source in turn.sources)
    return Prompt(messages, MAX_PLAN_TOKENS, grammar=PLAN_GRAMMAR, sources=sources)


def plan_from_reply(reply: str, plan: Plan) -> Plan:
    """Return `plan` with what a model's reply makes better; unchanged when the reply cannot be used.

    A wish for a summary stays one, a comparison keeps its topics: then only the question is taken over.
    """
    found = _OBJECT.search(reply)
    try:
        value = read_json(found.group()) if found else None
    except (ValueError, RecursionError):
        return plan
    if not isinstance(value, dict):
        return plan
    question = _sound(value.get("question"))
    listed = value.get("queries")
    queries = [_sound(item) for item in listed] if isinstance(listed, list) else []
    queries = list(dict.fromkeys(query for query in queries if query))[:MAX_QUERIES]
    if not question or not queries:
        return plan
    if plan.kind is not Kind.ANSWER:
        return replace(plan, question=question, by_model=True)
    return replace(plan, question=question, queries=tuple(queries), by_model=True)


def _sound(value: object) -> str:
    """A text of the reply on one line, "" when it is none, too long or without a word."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= MAX_QUERY_CHARS and terms(text) else ""
