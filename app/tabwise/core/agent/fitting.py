"""A run's messages within a model's context: what tools returned long ago gives way first.

The system prompt, the question and the calls always stay, so that the model knows what it did; the passages
that are left out keep their numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tabwise.core.chat import Message

MESSAGE_TOKENS = 8
"""For the marks that a template puts around each message."""


def fit(
    messages: Sequence[Message],
    is_result: Callable[[Message], bool],
    *,
    count: Callable[[str], int],
    room: int,
    note: str,
) -> tuple[Message, ...]:
    """Return the messages in at most `room` tokens, results replaced by `note` from the oldest on.

    When even that is not enough, the rest is too long and stays so: the model will say it.
    """
    fitted = list(messages)
    sizes = [tokens_of(message, count) for message in fitted]
    over = sum(sizes) - room
    for i, message in enumerate(messages):
        if over <= 0:
            break
        if is_result(message):
            fitted[i] = replace(message, text=note)
            over -= sizes[i] - tokens_of(fitted[i], count)
    return tuple(fitted)


def tokens_of(message: Message, count: Callable[[str], int]) -> int:
    """Tokens of a message with its calls."""
    calls = "".join(f"{call.name} {call.arguments}" for call in message.tool_calls)
    return count(message.text) + (count(calls) if calls else 0) + MESSAGE_TOKENS
