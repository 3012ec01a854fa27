"""Text helpers of the panel, against what CPython's own library says."""

from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.ui import text
from tabwise.ui.view.settings import about

LETTERS = st.text(st.characters(whitelist_categories=("Lu", "Ll", "Nd"), max_codepoint=0x44F))


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_quote_encodes_like_the_standard_library(value: str) -> None:
    assert text.quote(value) == quote(value, safe="")


@given(st.sampled_from([*range(0xC0, 0xDF), *range(0x391, 0x3AA), *range(0x400, 0x430)]))
def test_fold_lowers_latin_greek_and_cyrillic(code: int) -> None:
    assert text._fold_char(chr(code)) == (chr(code).lower() if chr(code).isalpha() else chr(code))


@given(st.integers(0, 10**12))
def test_number_has_thousands_separators(n: int) -> None:
    assert text.number(n).replace(",", "") == str(n)


@given(st.text(), st.integers(1, 80))
def test_shorten_never_exceeds_its_limit_by_more_than_the_ellipsis(value: str, limit: int) -> None:
    short = text.shorten(value, limit)
    assert len(short) <= max(limit + 1, len(value) if len(value) <= limit else 0)
    assert value.startswith(short.removesuffix("…"))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a?b#c",
        "http://user@example.org:8080/",
        "https://sub.example.org?q=1",
        "http://[::1]:90/x",
        "https://example.org",
    ],
)
def test_host_agrees_with_urlsplit(url: str) -> None:
    assert text.host_of(url).strip("[]") == urlsplit(url).hostname


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://www.example.org/a/b", "https://www.example.org/*"),
        ("http://localhost:8000/", "http://localhost/*"),
        ("file:///home/me/notes.html", "file:///*"),
        ("chrome://extensions/", ""),
        ("about:blank", ""),
    ],
)
def test_origin_pattern_covers_the_site_and_no_more(url: str, pattern: str) -> None:
    assert text.origin_pattern(url) == pattern


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", " https://x", "HTTPS://x", "//x", "/panel.html", "file:///x"],
)
def test_only_web_pages_and_stored_icons_are_safe(url: str) -> None:
    assert not text.is_safe_url(url)


@pytest.mark.parametrize("url", [about.NOTICE, about.PRIVACY])
def test_documents_that_come_along_can_be_opened(url: str) -> None:
    assert text.is_safe_url(url)


def test_site_is_what_a_reader_recognises() -> None:
    assert text.site_of("https://www.example.org:81/a") == "example.org"
    assert text.site_of("file:///home/me/notes.html#x") == "notes.html"
    assert text.site_of("chrome://extensions/") == "chrome://extensions/"


def test_durations_read_naturally() -> None:
    assert [text.seconds(ms) for ms in (0, 80, 1400, 12345)] == ["0 ms", "80 ms", "1.4 s", "12 s"]
