"""Where the words of a query stand in an excerpt, to be lit up.

The engine finds by stems, which the panel does not have. A word of the excerpt is lit when it begins with a
word of the query, or when it is that word without its ending: at most MAX_ENDING letters less, at least
MIN_STEM left. In scripts without spaces the words of the query are looked for as they stand. What is lit is
a hint and decides nothing.
"""

from tabwise.ui.text import fold

MIN_STEM = 4
MAX_ENDING = 3
_FIRST_UNSPACED = 0x2E80  # CJK radicals, and the East Asian scripts after them


def marked(excerpt: str, query: str) -> list:
    """Return the excerpt in pieces, in order, as (text, whether it is lit); joined they are the excerpt."""
    wanted = [word for word, is_word in _words(fold(query)) if is_word]
    if not wanted:
        return [(excerpt, False)] if excerpt else []
    pieces: list = []
    for text, is_word in _words(excerpt):
        if is_word and ord(text[0]) >= _FIRST_UNSPACED:
            for piece in _within(text, wanted):
                _add(pieces, *piece)
        else:
            _add(pieces, text, is_word and _is_meant(fold(text), wanted))
    return pieces


def _is_meant(word: str, wanted: list) -> bool:
    for query_word in wanted:
        if word.startswith(query_word):
            return True
        shorter = len(query_word) - len(word)
        if len(word) >= MIN_STEM and 0 < shorter <= MAX_ENDING and query_word.startswith(word):
            return True
    return False


def _within(text: str, wanted: list) -> list:
    for query_word in wanted:
        at = fold(text).find(query_word)
        if at >= 0:
            end = at + len(query_word)
            rest = _within(text[end:], wanted) if text[end:] else []
            return [(text[:at], False), (text[at:end], True)] + rest
    return [(text, False)]


def _add(pieces: list, text: str, lit: bool) -> None:
    if not text:
        return
    if pieces and pieces[-1][1] == lit:
        pieces[-1] = (pieces[-1][0] + text, lit)
    else:
        pieces.append((text, lit))


def _words(text: str) -> list:
    """Cut a text into (piece, whether it is a word): runs of letters and digits, and what is between them."""
    pieces: list = []
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or _in_word(text[place]) != _in_word(text[start]):
            pieces.append((text[start:place], _in_word(text[start])))
            start = place
    return pieces


def _in_word(char: str) -> bool:
    code = ord(char)
    if code < 0x80:
        return char.isalpha() or char.isdigit()
    # Latin-1 signs, general punctuation, CJK punctuation, fullwidth signs: no letters
    return not (
        code < 0xC0 or 0x2000 <= code <= 0x206F or 0x3000 <= code <= 0x303F or 0xFF00 <= code <= 0xFF0F
    )
