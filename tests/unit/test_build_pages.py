"""The pages as they are shipped hold their style sheets, in their order and for their medium."""

from pathlib import Path

import pytest

from buildlib.console import BuildError
from buildlib.pages import with_styles

pytestmark = pytest.mark.native

HEAD = """  <head>
    <link rel="icon" href="icons/32.png" />
    <link rel="stylesheet" href="css/first.css" />
    <link rel="stylesheet" href="css/second.css" media="print" />
  </head>
"""


def sheets(root: Path, first: str = "p { color: red }\n", second: str = "p { color: black }\n") -> Path:
    """A folder with the two style sheets of `HEAD`."""
    (root / "css").mkdir()
    (root / "css" / "first.css").write_text(first, "utf-8")
    (root / "css" / "second.css").write_text(second, "utf-8")
    return root


def test_style_sheets_stand_in_the_page_in_their_order(tmp_path: Path) -> None:
    page = with_styles(HEAD, sheets(tmp_path))
    assert page == (
        '  <head>\n    <link rel="icon" href="icons/32.png" />\n'
        "<style>\np { color: red }\n</style>\n"
        '<style media="print">\np { color: black }\n</style>\n'
        "  </head>\n"
    )


def test_a_sheet_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"css/first\.css is missing"):
        with_styles(HEAD, tmp_path)


@pytest.mark.parametrize("rule", ["p { background: url(a.png) }", '@import "other.css";', "</style><p>"])
def test_a_sheet_that_reaches_beyond_its_page_is_refused(tmp_path: Path, rule: str) -> None:
    with pytest.raises(BuildError, match=r"css/second\.css"):
        with_styles(HEAD, sheets(tmp_path, second=rule))
