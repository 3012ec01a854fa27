"""Where sentences begin and end, as spans.

A stop ends a sentence unless something says that it belongs to the word: an abbreviation, an initial, a
decimal, an address, a small letter that follows. Wrong joins cost little (a longer quotation), wrong cuts
tear a fact from its subject, so doubt joins. A line break always ends a sentence, and none is longer than
`MAX_SENTENCE_CHARS`.

Libraries were tried on 27 hard lines and 32,000 words of news: sentencex 0.6.1 got 10 lines wrong and
returns strings whose places must be searched again; pysbd 0.3.4 got 9 wrong and took nine times as long;
syntok needs a compiled package. The rules below are the golden rules those libraries share, in one pass.

    >>> text = "Dr. Reid measured 3.5 m. The tide fell."
    >>> [text[start:end] for start, end in split(text)]
    ['Dr. Reid measured 3.5 m.', 'The tide fell.']
"""

import re

from tabwise.core.text.characters import cut_point

MAX_SENTENCE_CHARS = 600
_WINDOW_CHARS = 40

_STOP = re.compile(
    r"""(?P<mark>[.!?…؟۔։።]+|[。！？｡।॥]+)   # a stop, with others right behind it
        (?P<closer>["'”’»)\]}」』）》]*)
        (?P<notes>(?:\[[0-9a-z]{1,3}\])*)     # footnote marks
        (?=(?P<gap>\s*)(?P<opener>["'“‘«(\[{¿¡「『（《—–-]*)(?P<next>\S?))""",
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"[^\s\"'“‘«(\[{¿¡/—–]*\Z")
_NEXT_WORD = re.compile(r"[^\W\d_]+")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_NUMBER_BEFORE = re.compile(r"\d\s*\Z")

_ALWAYS_STOP = frozenset("。！？｡।॥")

# Never at the end of a sentence: what follows belongs to them.
_TITLE_LIST = """
dr mr mrs ms mx prof gen col capt cmdr lt sgt maj rep sen gov pres rev hon fr sr sra srta dra dña
mme mlle mgr herr hr dott sig ing mt vs cf viz e.g i.e z.b d.h u.a e.a resp bzw ggf inkl incl p.ex
ca approx им напр
"""
_TITLES = frozenset(_TITLE_LIST.split())
# At the end only when a typical first word follows.
_MIDDLE_LIST = """
inc ltd co corp llc plc bros jr esq st ave blvd rd sq dept univ assn govt est al etc usw jan feb mar
apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun min max avg tel ext ed eds orig
misc temp alt no nr núm vol fig figs ch sec art eq ex par pt pp tab nos str ст ул г рис см тыс млн
"""
_MIDDLE = frozenset(_MIDDLE_LIST.split())
_NEVER_FINAL = _TITLES | _MIDDLE
_BEFORE_NUMBER_LIST = """
no nr nos núm vol fig figs ch sec art eq ex par pp pg pt tab стр рис bd ps est tel ext
jan feb mar apr jun jul aug sep sept oct nov dec
"""
_BEFORE_NUMBER = frozenset(_BEFORE_NUMBER_LIST.split())
_STARTER_LIST = """
the a an this that these those he she it they we you i his her its their our my there here in on at
by for from with as after before when while if since although but and so then however yet what who
why how where which one some many most all no not more according during until despite der die das
ein eine er sie es wir ich le la les un une il elle ils nous el los las una ella
"""
_STARTERS = frozenset(_STARTER_LIST.split())
_MONTH_LIST = """
januar februar märz april mai juni juli august september oktober november dezember jahrhundert jahrhunderts
"""
_AFTER_ORDINAL = frozenset(_MONTH_LIST.split())


def split(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) spans of the sentences of `text`, in order.

    Spans do not overlap, begin and end on visible characters, and cover every character that is not white
    space.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        _split_line(line, start, spans)
        start += len(line) + 1
    return spans


def _split_line(line: str, offset: int, spans: list[tuple[int, int]]) -> None:
    begin = 0
    for stop in _STOP.finditer(line):
        if _ends_sentence(line, begin, stop):
            _add(line, begin, stop.end(), offset, spans)
            begin = stop.end()
    _add(line, begin, len(line), offset, spans)


def _add(line: str, begin: int, end: int, offset: int, spans: list[tuple[int, int]]) -> None:
    """Append the trimmed span, in pieces where it is too long."""
    while begin < end and line[begin].isspace():
        begin += 1
    while end > begin and line[end - 1].isspace():
        end -= 1
    while end - begin > MAX_SENTENCE_CHARS:
        cut = _long_cut(line, begin)
        stop = cut
        while line[stop - 1].isspace():
            stop -= 1
        spans.append((offset + begin, offset + stop))
        begin = cut
        while line[begin].isspace():
            begin += 1
    if end > begin:
        spans.append((offset + begin, offset + end))


def _long_cut(line: str, begin: int) -> int:
    """Where an overlong sentence is cut: behind a semicolon or colon, else a comma, else a word."""
    limit = begin + MAX_SENTENCE_CHARS
    middle = begin + MAX_SENTENCE_CHARS // 2
    for mark in ("; ", ": ", ", ", "、", "，", " "):
        at = line.rfind(mark, middle, limit)
        if at >= 0:
            return at + len(mark)
    return cut_point(line, begin, limit)


def _ends_sentence(line: str, begin: int, stop: re.Match[str]) -> bool:
    mark, closer, gap, following = stop["mark"], stop["closer"], stop["gap"], stop["next"]
    if not following:
        return True
    if mark[0] in _ALWAYS_STOP:
        return not closer or bool(gap)
    if not gap:
        return False
    if mark[0] != "." or len(mark) > 1:
        return not following.islower()
    return _full_stop_ends(line, begin, stop)


def _full_stop_ends(line: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether a single full stop, followed by white space and more text, ends its sentence."""
    following, closer = stop["next"], stop["closer"]
    # A window, not the whole line: a line of 20,000 abbreviations must not take quadratic time.
    word_match = _LAST_WORD.search(line, max(begin, stop.start() - _WINDOW_CHARS), stop.start())
    word = word_match[0] if word_match is not None else ""
    word_start = stop.start() - len(word)
    lowered = word.lower()
    next_match = _NEXT_WORD.match(line, stop.end() + len(stop["gap"]) + len(stop["opener"]))
    next_word = next_match[0].lower() if next_match is not None else ""
    if following.islower():
        return (
            not closer
            and len(word) >= 5
            and word.isalpha()
            and word.islower()
            and lowered not in _NEVER_FINAL
        )
    if closer:
        return True
    if lowered in _TITLES:
        return False
    if len(word) == 1 and word.isalpha():
        return _single_letter_ends(line, word, word_start)
    if following.isdigit():
        return lowered not in _BEFORE_NUMBER and _DOTTED.fullmatch(word) is None
    if word.isdigit():
        is_list_number = word_start - begin < _WINDOW_CHARS and not line[begin:word_start].strip()
        return not is_list_number and next_word not in _AFTER_ORDINAL
    if lowered in _MIDDLE or _DOTTED.fullmatch(word):
        return next_word in _STARTERS
    return True


def _single_letter_ends(line: str, word: str, word_start: int) -> bool:
    """An initial goes on; the pronoun and a unit behind its number end."""
    return word == "I" or _NUMBER_BEFORE.search(line, max(0, word_start - 8), word_start) is not None
