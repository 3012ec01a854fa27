"""A planner for the tool loop that is no model: a handful of rules behind the interface of one.

It shows the loop at once and everywhere. It reads the conversation as a model would and writes what a model
would write, an answer with the numbers of passages:

    what was calculated, with the number of the passage its operands come from, and the sentence of the
    passages that shares most terms with the question, quoted with its number.

The search and the calculation are made by the loop itself, as for every small model. To a prompt of another
kind it has nothing to say, and the engine goes on without it.
"""

import re
from collections.abc import Callable, Sequence

from tabwise.core.agent.text_protocol import ANSWER
from tabwise.core.agent.tools import CALCULATOR
from tabwise.core.chat import Completion, Finish, ModelDescriptor, Prompt, Role
from tabwise.core.text.sentences import split
from tabwise.core.text.terms import terms

RULES = "rules"
CONTEXT_TOKENS = 2048
MAX_SENTENCE_CHARS = 400

_PASSAGE = re.compile(r"^\[(\d+)\] [^\n]*\n(.+?)(?=\n\n\[\d+\] |\n-----|\Z)", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_CALCULATED = re.compile(r"^(?P<read_as>[^\n=:]+) = (?P<value>[^\n=]+)$", re.MULTILINE)


class RulesPlanner:
    """Implements ports.LanguageModel."""

    def __init__(self, count: Callable[[str], int]) -> None:
        """`count` gives the tokens of a text, by any tokenizer there is."""
        self._count = count

    @property
    def descriptor(self) -> ModelDescriptor:
        """What the loop must know of it."""
        return ModelDescriptor(id=RULES, label="Scripted rules, no model", context_tokens=CONTEXT_TOKENS)

    def count(self, text: str) -> int:
        """Number of tokens of `text`."""
        return self._count(text)

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        """Return an answer; "" when the prompt is none of the loop's."""
        text = _next(prompt) if any(message.tool_call_id for message in prompt.messages) else ""
        on_text(text)
        return Completion(text, Finish.STOP)


def _next(prompt: Prompt) -> str:
    question = next(message.text for message in prompt.messages if message.role is Role.USER)
    results = [message.text for message in prompt.messages if message.tool_call_id]
    of_calculator = [text for text in results if text.startswith(f"Result of {CALCULATOR.name}:")]
    calculated = [found for text in of_calculator if (found := _CALCULATED.search(text))]
    said = [
        f"{found['read_as']} = {found['value']}. {_mark(passage_of(found['read_as'], results))}".strip()
        for found in calculated
    ]
    quoted = best_sentence(question, results)
    return ANSWER + " ".join([*said, *([quoted] if quoted else [])])


def _mark(number: str) -> str:
    return f"[{number}]" if number else ""


def passage_of(expression: str, results: Sequence[str]) -> str:
    """Return the number of the passage that holds most numbers of an expression, "" when none holds any.

    The first of equals. A calculation counts only when its numbers come from what is cited.
    """
    wanted = set(_NUMBER.findall(expression))
    best, most = "", 0
    for result in results:
        for number, text in _PASSAGE.findall(result):
            n_held = len(wanted.intersection(_NUMBER.findall(text.replace(",", ""))))
            if n_held > most:
                best, most = number, n_held
    return str(best)


def best_sentence(question: str, results: Sequence[str]) -> str:
    """Return the sentence of the passages in `results` that shares most terms with the question, cited.

    The first of equals; "" when no passage shares any.
    """
    wanted = set(terms(question, "en"))
    best, most = "", 0
    for result in results:
        for number, text in _PASSAGE.findall(result):
            for start, end in split(text):
                sentence = " ".join(text[start:end].split())
                n_shared = len(wanted.intersection(terms(sentence, "en")))
                if n_shared > most and sentence[-1:] == "." and len(sentence) <= MAX_SENTENCE_CHARS:
                    best, most = f"{sentence} [{number}]", n_shared
    return best
