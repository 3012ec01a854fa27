"""Byte-level byte-pair encoding as it is defined, slow and short: what tokenizers are compared with.

Sennrich et al. 2016 over the bytes of words (Radford et al. 2019), each digit a word of its own.
"""

from collections.abc import Sequence
from itertools import pairwise

import regex

_WORDS = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
_DIGITS = regex.compile(r"\p{Nd}|\p{Nl}|\p{No}|[^\p{Nd}\p{Nl}\p{No}]+")


def encode(text: str, vocabulary: Sequence[str], merges: Sequence[str]) -> list[int]:
    """Token numbers of a text without control tokens."""
    ranks = {tuple(pair.split(" ")): rank for rank, pair in enumerate(merges)}
    numbers = {token: number for number, token in enumerate(vocabulary)}
    words = [word for part in _DIGITS.findall(text) for word in _WORDS.findall(part)]
    return [numbers[piece] for word in words for piece in _merge(_letters(word), ranks)]


def _merge(pieces: list[str], ranks: dict[tuple[str, ...], int]) -> list[str]:
    while len(pieces) > 1:
        pairs = list(pairwise(pieces))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        merged, i = [], 0
        while i < len(pieces):
            joined = i + 1 < len(pieces) and (pieces[i], pieces[i + 1]) == best
            merged.append(pieces[i] + pieces[i + 1] if joined else pieces[i])
            i += 2 if joined else 1
        pieces = merged
    return pieces


def _letters(word: str) -> list[str]:
    return [_LETTER_OF_BYTE[byte] for byte in word.encode()]


def _byte_letters() -> dict[int, str]:
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(hidden)}


_LETTER_OF_BYTE = _byte_letters()
