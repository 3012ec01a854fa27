"""Small text helpers that MicroPython lacks: case folding, numbers, addresses, percent encoding.

Numbers are written as the language of the interface does; `words.load` says which that is.
"""

from tabwise.protocol.addresses import host_of

_SAFE_PREFIXES = ("https://", "http://", "/_favicon/?", "/NOTICE.txt", "/privacy.html")
# language: mark between thousands, decimal mark, smallest number with the first, sign of a hundredth
_NUMBERS: dict = {
    "en": (",", ".", 1000, "%"),
    "de": (".", ",", 1000, "\u00a0%"),
    "es": (".", ",", 10000, "\u00a0%"),
}
_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"


_marks: list = list(_NUMBERS["en"])


def use_language(language: str) -> None:
    """Write numbers as `language` does from now on; as English does where its way is not known."""
    _marks[:] = _NUMBERS.get(language, _NUMBERS["en"])


def fold(text: str) -> str:
    """Return `text` in lower case: ASCII, Latin-1, Greek and Cyrillic letters.

    MicroPython's `str.lower` knows ASCII only; other scripts either have no case or stay as they are.
    """
    lowered = text.lower()
    if len(lowered.encode()) == len(lowered):  # ASCII alone, found without a step for each character
        return lowered
    return "".join([_fold_char(c) for c in lowered])


def _fold_char(char: str) -> str:
    code = ord(char)
    if 0xC0 <= code <= 0xDE and code != 0xD7:
        return chr(code + 0x20)
    if (0x391 <= code <= 0x3A9 and code != 0x3A2) or 0x410 <= code <= 0x42F:
        return chr(code + 0x20)
    if 0x400 <= code <= 0x40F:
        return chr(code + 0x50)
    return char


def number(n: int) -> str:
    """Return a whole number as the language writes it: 1234 → 1,234 in English, 1.234 in German."""
    if n < _marks[2]:
        return str(n)
    return "{:,}".format(n).replace(",", _marks[0])


def decimal(value: float, n_places: int = 1) -> str:
    """Return a number with decimal places as the language writes it: 1.5 in English, 1,5 in German."""
    written = ("%." + str(n_places) + "f") % value
    return written.replace(".", _marks[1])


def percent(share: float) -> str:
    """Return a share from 0 to 1 as a whole number of hundredths: 0.875 → 88%, with a space in German."""
    return str(int(share * 100 + 0.5)) + _marks[3]


def rounded(n: int) -> str:
    """Return a count as a reader says it: 950, 12,400, 1.2 M."""
    return number(n) if n < 1000000 else decimal(n / 1000000) + " M"


def size(n_bytes: int) -> str:
    """Return a size of a file: `12 KB`, `3.4 MB`, `1.2 GB`."""
    if n_bytes < 1000000:
        return "%d KB" % ((n_bytes + 999) // 1000)
    if n_bytes < 1000000000:
        return decimal(n_bytes / 1000000) + " MB"
    return decimal(n_bytes / 1000000000) + " GB"


def seconds(ms: float) -> str:
    """Return a duration as a reader says it: `80 ms`, `1.4 s`, `12 s`."""
    if ms < 100:
        return "%d ms" % ms
    if ms < 10000:
        return decimal(ms / 1000) + " s"
    return "%d s" % (ms / 1000)


def duration(ms: float) -> str:
    """Return a rough duration: `5 s`, `40 s`, `3 min`, `1 h 20 min`; rounded up, never nothing."""
    n_seconds = max(1, int(ms / 1000 + 0.999))
    if n_seconds <= 55:
        return "%d s" % ((n_seconds + 4) // 5 * 5)
    n_minutes = (n_seconds + 59) // 60
    if n_minutes < 60:
        return "%d min" % n_minutes
    return "%d h %d min" % (n_minutes // 60, n_minutes % 60)


def clock_time(seconds: int) -> str:
    """Write a moment of a recording as players do: 0:07, 12:34, 1:00:03."""
    hours, minutes = seconds // 3600, seconds // 60 % 60
    if hours:
        return "%d:%02d:%02d" % (hours, minutes, seconds % 60)
    return "%d:%02d" % (minutes, seconds % 60)


def shorten(text: str, max_chars: int) -> str:
    """Cut `text` at a word near `max_chars` code points and mark the cut with an ellipsis."""
    if len(text) <= max_chars:
        return text
    cut = text[:max_chars]
    space = cut.rfind(" ")
    if space > max_chars // 2:
        cut = cut[:space]
    return cut.rstrip(" ,;:.") + "…"


def isolated(text: str) -> str:
    """Return `text` so that its direction does not disturb the sentence it stands in.

    What holds letters written from right to left stands between the marks FSI and PDI, the same as `<bdi>`
    (Unicode Standard Annex 9, 2.4.3); any other text stays as it is.
    """
    if len(text.encode()) == len(text):  # ASCII alone, found without a step for each character
        return text
    for char in text:
        code = ord(char)
        if 0x590 <= code <= 0x8FF or 0xFB1D <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFC:
            return "\u2068" + text + "\u2069"
    return text


def file_name(text: str) -> str:
    """Return a title as a file is called: letters, digits and single hyphens, at most 60 characters."""
    kept = "".join([char if char.isalpha() or char.isdigit() or char > "\xbf" else " " for char in text])
    return "-".join(kept.split())[:60].rstrip("-") or "tabwise"


def without_fragment(url: str) -> str:
    """Return `url` up to its `#`."""
    return url.partition("#")[0]


def site_of(url: str) -> str:
    """Return the place a reader recognises: the host without `www.`, else the scheme and what follows."""
    host = host_of(url)
    if host:
        return host[4:] if host.startswith("www.") else host
    if url.startswith("file:"):
        return without_fragment(url)[5:].rpartition("/")[2] or "file"
    return shorten(url, 40)


def is_given_file(url: str) -> bool:
    """Whether an address is only the name of a file that was given to the panel."""
    return url.startswith("file:") and not url.startswith("file:/")


def origin_of(url: str) -> str:
    """Return scheme, host and port of a web address, "" of any other."""
    scheme, mark, rest = url.partition("://")
    place = rest.partition("/")[0].partition("?")[0].partition("#")[0].rpartition("@")[2]
    return scheme + "://" + place if mark and host_of(url) else ""


def origin_pattern(url: str) -> str:
    """Return the match pattern that covers the site of `url`, "" when no permission can cover it."""
    scheme = url.partition(":")[0]
    if scheme == "file":
        return "file:///*"
    host = host_of(url)
    if not host:
        return ""
    return "%s://%s/*" % (scheme, host)


def quote(text: str) -> str:
    """Percent-encode everything but unreserved ASCII (RFC 3986, 2.3)."""
    return "".join([chr(b) if chr(b) in _UNRESERVED else "%%%02X" % b for b in text.encode("utf-8")])


def favicon_url(page_url: str) -> str:
    """Return the address of the browser's own stored icon of a page; nothing is fetched from the site."""
    return "/_favicon/?pageUrl=" + quote(page_url) + "&size=32"


def is_safe_url(url: str) -> bool:
    """Whether `url` may stand in a link or an image: web pages, stored icons, documents we carry."""
    return url.startswith(_SAFE_PREFIXES)
