"""Which text each token stands for, and which tokens a grammar allows next.

A grammar is asked about the model's likeliest tokens first, in their order. Only when none of them fits are
others tried, by first character; where nearly every character may come next, single characters are enough.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from tabwise.core.grammar import Matcher

MAX_TRIED = 2_000
"""Tokens tried beyond the likeliest before single characters must do."""


def token_texts(tokenizer: Mapping[str, Any]) -> tuple[str, ...]:
    """Text of every token of a tokenizer.json, "" for control tokens and for pieces of a character."""
    vocabulary = _numbered(tokenizer)
    texts = [""] * (1 + max(vocabulary.values(), default=-1))
    read = _byte_level if _is_byte_level(tokenizer) else _sentence_piece
    for token, number in vocabulary.items():
        texts[number] = read(token)
    for added in tokenizer.get("added_tokens", ()):
        if added["id"] < len(texts) and added.get("special"):
            texts[added["id"]] = ""
    return tuple(texts)


class Vocabulary:
    """The texts of all tokens by number."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def text(self, token: int) -> str:
        """Text of a token, "" when it stands for none."""
        return self._texts[token] if 0 <= token < len(self._texts) else ""

    def fits(self, matcher: Matcher, token: int) -> bool:
        """Whether the token may come next."""
        text = self.text(token)
        return bool(text) and matcher.begins_with(text[0]) and matcher.advance(text) is not None

    def allowed(self, matcher: Matcher) -> list[int]:
        """Tokens that may come next, in order; only single characters where there are very many."""
        firsts = [char for char in self._by_first if matcher.begins_with(char)]
        tried = [token for char in firsts for token in self._by_first[char]]
        if len(tried) > MAX_TRIED:
            return sorted(token for token in tried if len(self._texts[token]) == 1)
        return sorted(token for token in tried if self.fits(matcher, token))

    @cached_property
    def _by_first(self) -> Mapping[str, list[int]]:
        groups: dict[str, list[int]] = {}
        for token, text in enumerate(self._texts):
            if text:
                groups.setdefault(text[0], []).append(token)
        return groups


def _numbered(tokenizer: Mapping[str, Any]) -> dict[str, int]:
    vocabulary = tokenizer["model"]["vocab"]
    if isinstance(vocabulary, list):  # Unigram: pairs of a token and its score
        return {token: number for number, (token, _) in enumerate(vocabulary)}
    return dict(vocabulary)


def _is_byte_level(tokenizer: Mapping[str, Any]) -> bool:
    decoder = tokenizer.get("decoder") or {}
    return any(one.get("type") == "ByteLevel" for one in (decoder, *decoder.get("decoders", ())))


def _byte_level(token: str) -> str:
    data = bytes(_BYTE_OF_LETTER.get(letter, 0x3F) for letter in token)
    text = data.decode("utf-8", "replace")
    return "" if "\ufffd" in text else text


def _sentence_piece(token: str) -> str:
    if token.startswith("<0x"):  # a byte
        return ""
    return token.replace("▁", " ")


def _letters_of_bytes() -> dict[str, int]:
    """How byte-level tokenizers write bytes: printable ones as themselves, the others from U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in printable]
    shown = {chr(byte): byte for byte in printable}
    return shown | {chr(256 + i): byte for i, byte in enumerate(hidden)}


_BYTE_OF_LETTER = _letters_of_bytes()
