"""The frame that stands on the panel's page before Python draws it: the same pieces in the same order."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from tabwise.ui.icons import PATHS
from tabwise.ui.state import VIEWS
from tabwise.ui.view.frame import VIEW_ICONS
from ui_driver import Driver, page

EXTENSION = Path(__file__).resolve().parents[2] / "extension"


class Drawings(HTMLParser):
    """The paths of the icons of a page, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.paths += [str(given["d"])] if tag == "path" else []
        self.words += [str(given["data-words"])] if given.get("class") == "view-name" else []


def drawings(name: str) -> Drawings:
    found = Drawings()
    found.feed((EXTENSION / name).read_text(encoding="utf-8"))
    return found


@pytest.fixture
def still() -> Drawings:
    return drawings("panel.html")


def test_its_views_are_those_of_the_panel(still: Drawings) -> None:
    assert still.words == list(VIEWS)
    assert still.paths[: len(VIEWS)] == [PATHS[VIEW_ICONS[view]] for view in VIEWS]


@pytest.mark.parametrize("name", ["panel.html", "popup.html"])
def test_its_signs_are_drawn_by_the_panel_too(name: str) -> None:
    assert set(drawings(name).paths) <= set(PATHS.values())


def test_the_bar_ends_with_the_sign_of_the_settings(still: Drawings) -> None:
    (button,) = Driver().ready(page("https://a.example/")).shown("open-settings")
    assert button[2][0][2][0][1]["d"] == still.paths[len(VIEWS)]
