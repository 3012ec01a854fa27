"""Planning with a language model: what it is asked, and what of its reply may be used.

The model sees the question and the conversation, no page. Its reply is one JSON object and is never trusted:
what breaks a bound, or is no JSON, leaves the plan of the rules as it is. What is compared stays what the
rules found: of a comparison the model may put the searches in other words, one for each topic in their order.

    {"question": "Who led the French Revolution?", "queries": ["leaders of the French Revolution"]}
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from tabwise.core.answers.followup import Turn
from tabwise.core.answers.plan import MAX_QUERIES, Kind, Plan
from tabwise.core.answers.prompts import escape
from tabwise.core.chat import Message, Prompt, Role
from tabwise.core.grammar import EMPTY, Grammar, Text, json_string, optional
from tabwise.core.grammar import Sequence as Parts
from tabwise.core.text.bounded_json import read_json
from tabwise.core.text.language import NAMES
from tabwise.core.text.terms import terms

MAX_QUERY_CHARS = 200
MAX_PLAN_TOKENS = 200
MAX_TURN_CHARS = 600
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_SYSTEM = (
    "You plan searches over a reader's own pages. You get a conversation and a question. Reply with one JSON "
    'object and nothing else: {{"question": the question rewritten so that it can be understood without the '
    'conversation, "queries": a list of {count} short search queries in {languages}}}. {which} '
    "Do not answer the question."
)
_WHICH = "One query is enough for a simple question; use one for each thing that is asked."
_WHICH_OF_TOPICS = "Write one query for each of the things that are compared, in the order they are named."


def plan_grammar(*, n_low: int = 1, n_high: int = MAX_QUERIES) -> Grammar:
    """The shape of a plan with `n_low` to `n_high` queries, for models whose tokens are picked here."""
    query, another = json_string(MAX_QUERY_CHARS), Parts((Text(", "), json_string(MAX_QUERY_CHARS)))
    more: Grammar = EMPTY
    for n in range(n_high, 1, -1):
        following = Parts((another, more))
        more = following if n <= n_low else optional(following)
    return Parts((Text('{"question": '), query, Text(', "queries": ['), query, more, Text("]}")))


def planning_prompt(
    question: str,
    history: Sequence[Turn],
    key: str,
    *,
    languages: Sequence[str] = (),
    topics: Sequence[str] = (),
) -> Prompt:
    """Build the prompt of a plan; of the conversation the last two turns are given, cut.

    languages: of the pages, BCP 47 and keys of `NAMES`, where the question is in none of them. topics: what
    is compared.
    """
    names = " and ".join(NAMES[language] for language in languages)
    system = _SYSTEM.format(
        count=len(topics) or "one to three",
        languages=f"{names}, as the pages are" if names else "the language of the question",
        which=_WHICH_OF_TOPICS if topics else _WHICH,
    )
    lines = []
    for turn in history[-2:]:
        lines.append(f"Earlier question: {escape(turn.question[:MAX_TURN_CHARS], key)}")
        lines.append(f"Earlier answer: {escape(turn.answer[:MAX_TURN_CHARS], key)}")
    lines.append(f"Question: {escape(question, key)}")
    if topics:
        lines.append(f"Compared: {escape('; '.join(topics), key)}")
    messages = (Message(Role.SYSTEM, system), Message(Role.USER, "\n".join(lines)))
    sources = frozenset(source for turn in history[-2:] for source in turn.sources)
    grammar = plan_grammar(n_low=len(topics), n_high=len(topics)) if topics else plan_grammar()
    return Prompt(messages, MAX_PLAN_TOKENS, grammar=grammar, sources=sources)


def plan_from_reply(reply: str, plan: Plan) -> Plan:
    """Return `plan` with what a model's reply makes better; unchanged when the reply cannot be used.

    A wish for a summary stays one: then only the question is taken over. A comparison keeps its topics, and
    its queries too unless there is a new one for each topic and none is plainly that of another.
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
    is_usable = plan.kind is Kind.ANSWER or (plan.kind is Kind.COMPARE and _is_in_order(plan.topics, queries))
    kept = tuple(queries) if is_usable else plan.queries
    return replace(plan, question=question, queries=kept, by_model=True)


def _is_in_order(topics: Sequence[str], queries: Sequence[str]) -> bool:
    """Whether there is a query for each topic and none that names, of all topics, only others.

    Translated topics are named by none, which cannot be told from a wrong order.
    """
    if len(queries) != len(topics):
        return False
    names = [frozenset(terms(topic)) for topic in topics]
    shared = frozenset.intersection(*names)
    for place, query in enumerate(queries):
        said = frozenset(terms(query)) - shared
        if not said & names[place] and any(said & name for name in names):
            return False
    return True


def _sound(value: object) -> str:
    """A text of the reply on one line, "" when it is none, too long or without a word."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= MAX_QUERY_CHARS and terms(text) else ""
