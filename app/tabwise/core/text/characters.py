"""Characters a person cannot see are taken out; the others stay exactly as the page has them.

A page can carry instructions in characters that no one sees: tag characters, zero-width bits, bidirectional
overrides, private use. `clean` removes them and says how many, so that the reader can be told. What looks
invisible but carries meaning stays: joiners inside Arabic and Indic words and emoji families, variation
selectors after the signs that have them, the three-part flags (England, Scotland, Wales).

Nothing is normalised: a span of our text must be found on the page again, letter by letter.

Sources: Unicode 16 chapter 23 (special areas and format characters), UTS 51 (emoji sequences),
UAX 31 section 2.3 (where joiners are meaningful).
"""

import re
import unicodedata

_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SEPARATORS = re.compile("\r\n?|[\u0085\u2028\u2029]")
_BLANKS = re.compile("[\x0b\x0c]")

# Letters whose shape a joiner changes: Arabic and its relatives, the Indic scripts, Myanmar, Khmer,
# Mongolian, Balinese and its neighbours, Arabic presentation forms.
_JOINING = (
    "\u0600-\u061b\u061d-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u18af\u1a20-\u1aaf\u1b00-\u1bff"
    "\ua840-\ua8ff\ua980-\ua9ff\uaa60-\uaa7f\uabc0-\uabff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010a5f\U00011000-\U00011fff"
)
_PICTOGRAPHS = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe00-\ufe0f"
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_IDEOGRAPH_SELECTORS = "\U000e0100-\U000e01ef"
_MONGOLIAN_SELECTORS = "\u180b-\u180f"

_ALWAYS_HIDDEN = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # soft hyphen, joiner, fillers
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # zero width, bidirectional, byte order mark
    "\ufff0-\ufffc\ufdd0-\ufdef\ufffe\uffff"  # interlinear, object replacement, not characters
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # shorthand and musical formatting
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags and the rest of their plane
)
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"

_SUSPECT = re.compile(
    f"[{_ALWAYS_HIDDEN}{_JOINERS}{_SELECTORS}{_IDEOGRAPH_SELECTORS}{_MONGOLIAN_SELECTORS}"
    "\ud800-\udfff\r\x0b\x0c\u0085\u2028\u2029]"
)
# The order of use matters: each decides by neighbours that the later ones leave alone.
_FLAG_OR_HIDDEN = re.compile(f"({_FLAG})|[{_ALWAYS_HIDDEN}]")
_STRAY_SELECTOR = re.compile(
    f"(?<![0-9#*\u00a9\u00ae\u1000-\u109f\u203c-\u3299{_IDEOGRAPHS}\ua840-\ua877\U00010000-\U0003fffd])"
    f"[{_SELECTORS}]|(?<![{_IDEOGRAPHS}])[{_IDEOGRAPH_SELECTORS}]"
    f"|(?<![\u1800-\u180a\u1810-\u18af])[{_MONGOLIAN_SELECTORS}]"
)
_STRAY_JOINER = re.compile(
    f"(?<![{_JOINING}{_MONGOLIAN_SELECTORS}])\u200c"
    f"|(?<![{_JOINING}{_MONGOLIAN_SELECTORS}{_PICTOGRAPHS}\ufe0f])\u200d"
    f"|(?<=[{_PICTOGRAPHS}\ufe0f])\u200d(?![{_PICTOGRAPHS}])"
)


def repair_surrogates(text: str) -> str:
    """Join surrogate pairs and turn lone surrogates, which no encoder accepts, into U+FFFD."""
    if _LONE_SURROGATE.search(text) is None:
        return text
    joined = _SURROGATE_PAIR.sub(
        lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text
    )
    return _LONE_SURROGATE.sub("\ufffd", joined)


def clean(text: str) -> tuple[str, int]:
    """Return `text` without invisible characters, and how many were removed.

    Surrogates are repaired, line separators become "\\n", vertical tab and form feed a space; these are not
    counted. Cleaning twice changes nothing more.
    """
    if _SUSPECT.search(text) is None:
        return text, 0
    visible = _BLANKS.sub(" ", _SEPARATORS.sub("\n", repair_surrogates(text)))
    n_before = len(visible)
    visible = _FLAG_OR_HIDDEN.sub(_flag, visible)
    visible = _STRAY_JOINER.sub("", _STRAY_SELECTOR.sub("", visible))
    return visible, n_before - len(visible)


def collapse(text: str) -> str:
    """Make every run of white space one space and trim the ends."""
    return " ".join(text.split())


def cut_point(text: str, start: int, limit: int) -> int:
    """Return the last place in (start, limit] where `text` may be cut without breaking a drawn character.

    Combining marks, joiners, selectors, skin tones and the halves of a flag stay with what they belong to; a
    single character that is longer than the room is cut at `limit` all the same.
    """
    if limit >= len(text):
        return len(text)
    at = limit
    while at > start and _is_inside_character(text, at):
        at -= 1
    return at if at > start else limit


def _is_inside_character(text: str, at: int) -> bool:
    following, previous = text[at], text[at - 1]
    if unicodedata.category(following) in ("Mn", "Me", "Mc") or following in "\u200c\u200d":
        return True
    if previous == "\u200d" or "\U0001f3fb" <= following <= "\U0001f3ff":
        return True
    if "\U000e0020" <= following <= "\U000e007f":
        return True
    return _is_flag_half(previous) and _is_flag_half(following)


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _joined(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")


def _flag(match: re.Match[str]) -> str:
    return match[1] or ""
