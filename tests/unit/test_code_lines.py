"""Line numbers go, code stays; banners are known by name."""

import pytest

from tabwise.core.model import Node
from tabwise.core.page.banners import is_banner
from tabwise.core.page.code_lines import without_line_numbers


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["1 x = 1", "2", "3 print(x)"], ["x = 1", "", "print(x)"]),
        (["1def f():", "2    return 1", "3f()"], ["def f():", "    return 1", "f()"]),
        (["  9 | a", " 10 |", " 11 |   c"], ["a", "", "  c"]),
        (["1", "2", "3"], []),
    ],
    ids=["spaces", "glued", "bars", "column alone"],
)
def test_numbers_of_lines_are_left_out(lines: list[str], expected: list[str]) -> None:
    assert without_line_numbers(lines) == expected


@pytest.mark.parametrize(
    "lines",
    [
        ["1. Open the box", "2. Pull the fuse", "3. Close the box"],
        ["1 2 3", "4 5 6", "7 8 9"],
        ["x = 1", "2", "3"],
        ["1 one", "2 two"],
        [],
    ],
    ids=["numbered list", "numbers that do not count", "code of numbers", "two lines", "nothing"],
)
def test_numbers_that_are_content_stay(lines: list[str]) -> None:
    assert without_line_numbers(lines) == lines


@pytest.mark.parametrize(
    ("tag", "name", "is_one"),
    [
        ("div", "cookie-banner", True),
        ("section", "CookieConsentDialog", True),
        ("div", "onetrust-banner-sdk", True),
        ("aside", "privacy_notice open", True),
        ("div", "page-cookie-policy", False),
        ("article", "cookie-banner", False),
        ("div", "banner", False),
        ("div", "", False),
    ],
)
def test_banners_are_known_by_name(tag: str, name: str, is_one: bool) -> None:
    assert is_banner(Node(tag, (("class", name),), ())) is is_one
    assert is_banner(Node(tag, (("id", name),), ())) is is_one
