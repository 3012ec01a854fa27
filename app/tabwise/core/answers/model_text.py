"""What of a model's output is meant for the reader: no reasoning, no template tokens, no loops.

Small models leak what their template is made of and fall into loops. `visible` is a pure function of the raw
text so far, so a stream is cleaned by calling it again with more:

    reasoning     <think>…</think> is left out, an open one to the end, and what stands before a lone </think>
    end tokens    <|im_end|>, </s>, <end_of_turn>, …: the text ends there; other template tokens are left out
    next speaker  a line "User:" or "Question:" ends the text: the model has begun to ask itself
    loops         the text ends after the first time when the last words repeat themselves

Until the text is whole, an end that may still become a token is held back, so that what was shown stays; only
the second round of a loop goes again.

A loop is a run of n words said LOOP_TIMES times in a row, at least LOOP_WORDS words in all; a character of a
script without spaces is a word.
"""

import re
from enum import StrEnum

LOOP_TIMES = 3
LOOP_WORDS = 12
MAX_LOOP_PERIOD = 60
"""Words of the longest run that is recognised, about two sentences."""

_THOUGHT = re.compile(r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_LONE_END = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
_END = re.compile(
    r"<\|(?:im_end|eot_id|end|endoftext|end_of_text|eom_id|im_start|start_header_id|user|assistant|system)\|>"
    r"|<｜[^｜]{1,30}｜>|</s>|<(?:end|start)_of_turn>|<eos>|\[/?INST\]|<</?SYS>>",
)
_OTHER = re.compile(r"<\|[a-z_]{1,30}\|>|<s>|<(?:bos|pad|unk)>")
_NEXT_SPEAKER = re.compile(
    r"\n\s*(?:#+\s*)?(?:user|human|question|assistant|system|frage|pregunta)\s*:", re.IGNORECASE
)
_OPEN_TOKEN = re.compile(r"(?:<[^<>]{0,40}|\[/?I?N?S?T?|\n\s*(?:#+\s*)?[^\W\d_]{0,9}\s?)\Z")
_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]|\w+|[^\w\s]")


class Ending(StrEnum):
    """How a text can be over before the model stops."""

    TOKEN = "token"
    LOOP = "loop"


def visible(raw: str, *, is_whole: bool) -> str:
    """Return what of the output so far is for the reader; `is_whole`: no more will come."""
    text = _LONE_END.sub("", _THOUGHT.sub("", raw))
    if not is_whole:
        text = _OPEN_TOKEN.sub("", text)
    for pattern in (_END, _NEXT_SPEAKER):
        if found := pattern.search(text, 1 if pattern is _NEXT_SPEAKER else 0):
            text = text[: found.start()]
    text = _OTHER.sub("", text).lstrip()
    loop = loop_start(text)
    return text if loop is None else text[:loop].rstrip()


def ending(raw: str) -> Ending | None:
    """Why nothing that comes now can be shown; None while something can."""
    text = _LONE_END.sub("", _THOUGHT.sub("", raw)).lstrip()
    if _END.search(text):
        return Ending.TOKEN
    return Ending.LOOP if loop_start(text) is not None else None


def loop_start(text: str) -> int | None:
    """Return where the second round of a loop at the end of the text begins; None without a loop.

    >>> loop_start("So it is. " + "It rises and falls. " * 4)
    30
    """
    words = list(_WORD.finditer(text))[-LOOP_TIMES * MAX_LOOP_PERIOD - MAX_LOOP_PERIOD :]
    said = [word.group().lower() for word in words]
    for period in range(1, min(MAX_LOOP_PERIOD, len(said) // LOOP_TIMES) + 1):
        n_times = max(LOOP_TIMES, -(-LOOP_WORDS // period))
        n_same = 0
        while n_same + period < len(said) and said[-1 - n_same] == said[-1 - n_same - period]:
            n_same += 1
        if n_same + period >= n_times * period:
            again = len(said) - n_same
            while not said[again][0].isalnum() and again + 1 < len(said):
                again += 1
            return words[again].start()
    return None
