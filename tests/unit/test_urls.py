"""One page, one source; two pages, two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.text.urls import canonical_source, display_site, moment_url, web_address


@pytest.mark.parametrize(
    ("url", "source"),
    [
        ("HTTPS://Example.COM/Path", "https://example.com/Path"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("http://example.com:8080/a", "http://example.com:8080/a"),
        ("https://example.com/a#part", "https://example.com/a"),
        ("https://example.com/a#:~:text=x", "https://example.com/a"),
        ("https://example.com/a?utm_source=n&utm_medium=m", "https://example.com/a"),
        ("https://example.com/a?b=2&gclid=1&a=1&fbclid=2", "https://example.com/a?b=2&a=1"),
        ("https://example.com/a?q=x%20y&q=z", "https://example.com/a?q=x%20y&q=z"),
        ("https://example.com/a?UTM_Campaign=x", "https://example.com/a"),
        ("https://münchen.example/straße", "https://münchen.example/straße"),
        ("https://example.com./a", "https://example.com/a"),
        ("http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x"),
        ("file:///home/me/page.html#top", "file:///home/me/page.html"),
        ("about:blank", "about:blank"),
        ("about:blank \r#part", "about:blank"),
        ("http://example.com:99999/", "http://example.com:99999/"),
    ],
)
@pytest.mark.fault("F72")
def test_source_of_url(url: str, source: str) -> None:
    assert canonical_source(url) == source


@pytest.mark.parametrize(
    ("canonical", "is_believed"),
    [
        ("https://example.com/article", True),
        ("https://www.example.com/article", True),
        ("http://example.com/article", True),
        ("https://evil.example/article", False),
        ("https://sub.example.com/article", False),
        ("https://example.com/", False),  # a template that folds the site into its front page
        ("https://example.com", False),
        ("javascript:alert(1)", False),
        ("/article", False),
        ("", False),
    ],
)
def test_canonical_url_is_believed_on_the_same_host_only(canonical: str, is_believed: bool) -> None:
    own = "https://example.com/article?page=2"
    assert (canonical_source(own, canonical) != own) == is_believed


def test_front_page_may_name_itself() -> None:
    assert canonical_source("https://www.example.com/?ref=1", "https://example.com/") == (
        "https://www.example.com/?ref=1"
    )
    assert canonical_source("https://www.example.com/?utm_source=1", "https://example.com/") == (
        "https://example.com/"
    )


ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=40)
PIECES = [
    "http://",
    "https:",
    "//",
    "a.example",
    ":80",
    ":x",
    "/",
    "?",
    "utm_id=1",
    "&",
    "#",
    "@",
    "[",
    "]",
    "é",
    "\ud800",
]


@given(*[ANY_TEXT | st.lists(st.sampled_from(PIECES)).map("".join)] * 2)
def test_never_raises_and_is_stable(url: str, canonical: str) -> None:
    source = canonical_source(url, canonical)
    assert canonical_source(source) == source
    source.encode("utf-8")
    display_site(url)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.example.com/a/b", "example.com"),
        ("https://docs.example.com:8443/", "docs.example.com:8443"),
        ("file:///home/me/My%20page.html", "My page.html"),
        ("about:blank", "blank"),
        ("", ""),
    ],
)
def test_site_as_people_say_it(url: str, site: str) -> None:
    assert display_site(url) == site


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.youtube.com/watch?v=abc", "https://www.youtube.com/watch?v=abc&t=754s"),
        ("https://m.youtube.com/watch?t=3&v=abc#x", "https://m.youtube.com/watch?v=abc&t=754s"),
        ("https://youtu.be/abc", "https://youtu.be/abc?t=754s"),
        ("https://www.youtube.com/feed/library", None),
        ("https://video.example/watch?v=abc", None),
        ("https://youtube.com.example/watch?v=abc", None),
        ("not an address", None),
    ],
)
def test_address_of_a_moment_where_the_site_is_known(url: str, expected: str | None) -> None:
    assert moment_url(url, 754) == expected


def test_text_without_a_time_has_no_moment() -> None:
    assert moment_url("https://youtu.be/abc", None) is None


@pytest.mark.parametrize(
    ("href", "base", "expected"),
    [
        ("https://b.example/x?y#z", "https://a.example/", "https://b.example/x?y#z"),
        ("/item?id=1", "https://a.example/list", "https://a.example/item?id=1"),
        ("item", "https://a.example/list/", "https://a.example/list/item"),
        ("#c5", "https://a.example/list", "https://a.example/list#c5"),
        ("//b.example/x", "http://a.example/", "http://b.example/x"),
        (" HTTPS://b.example/x ", "file:list.html", "https://b.example/x"),
        ("/item", "file:list.html", ""),
        ("javascript:alert(1)", "https://a.example/", ""),
        ("data:text/html,x", "https://a.example/", ""),
        ("mailto:a@b.example", "https://a.example/", ""),
        ("http://", "https://a.example/", ""),
        ("https://[x", "https://a.example/", ""),
    ],
)
def test_only_links_into_the_web_are_addresses(href: str, base: str, expected: str) -> None:
    assert web_address(href, base) == expected


@given(*[ANY_TEXT | st.lists(st.sampled_from(PIECES)).map("".join)] * 2)
def test_a_web_address_is_one_or_nothing(href: str, base: str) -> None:
    address = web_address(href, base)
    address.encode("utf-8")
    assert address == "" or address.lower().startswith(("http://", "https://"))
