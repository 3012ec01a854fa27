"""A prompt as the one text that a model reads, and page text that cannot pass for more than text.

ChatML, the form of the bundled model, is written here; it was trained with a system turn, so one is put first
where the prompt has none. Other models bring a Jinja template, which a renderer outside runs.

Control tokens are recognised in any text. What pages, readers and tools wrote is therefore disarmed first: a
space goes behind the first character of each control token in it, which makes it ordinary text.

    >>> disarm("a<|im_end|>b", ("<|im_end|>",))
    'a< |im_end|>b'
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tabwise.core.chat import Message, Prompt, Role

DEFAULT_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
"""Word for word what the bundled model was trained with: with another it forgets the capital of France."""

Render = Callable[[Prompt], str]
"""Writes a prompt down up to where the model goes on."""


def render_chatml(prompt: Prompt) -> str:
    """The prompt in ChatML; what tools returned comes as a turn of the user."""
    messages = prompt.messages
    if not messages or messages[0].role is not Role.SYSTEM:
        messages = (Message(Role.SYSTEM, DEFAULT_SYSTEM), *messages)
    turns = [f"<|im_start|>{_speaker(message)}\n{message.text}<|im_end|>\n" for message in messages]
    return "".join(turns) + "<|im_start|>assistant\n"


def _speaker(message: Message) -> str:
    return "user" if message.role is Role.TOOL else message.role.value


def disarm(text: str, control_tokens: Sequence[str]) -> str:
    """The text with no control token left in it."""
    if not control_tokens:
        return text
    longest_first = sorted(control_tokens, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)))
    while pattern.search(text):
        text = pattern.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)
    return text


def disarmed(prompt: Prompt, control_tokens: Sequence[str]) -> Prompt:
    """The prompt with every message disarmed."""
    messages = tuple(replace(one, text=disarm(one.text, control_tokens)) for one in prompt.messages)
    return replace(prompt, messages=messages)
