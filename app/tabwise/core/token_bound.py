"""How many tokens a text has at most, for models whose tokenizer is not here.

A prompt that turns out longer than it was thought is refused, or worse, cut in silence; one that turns out
shorter costs a passage. So each part of a text counts what the least generous of today's byte-pair tokenizers
makes of it: letters three a token, digits and marks one each, a line end one, other scripts by their bytes in
UTF-8 less one. One space before a word is free.

Measured beside real tokenizers: see docs/decisions.md, "What services differ in".

>>> token_bound("The Bay of Fundy: 16.3 m")
11
"""

import re

_PARTS = re.compile(r"[A-Za-z]+|[\x21-\x7e]|\s{2,}|[\n\r\t]|[^\x00-\x7f]")
_LETTERS_PER_TOKEN = 3


def token_bound(text: str) -> int:
    """Return a number of tokens that `text` does not exceed in ordinary writing."""
    return sum(map(_cost, _PARTS.findall(text)))


def _cost(part: str) -> int:
    if part.isspace():
        return part.count("\n") + 1 if len(part) > 1 else 1
    if part.isascii():
        return -(-len(part) // _LETTERS_PER_TOKEN) if part.isalpha() else 1
    return len(part.encode("utf-8", "replace")) - 1 or 1
