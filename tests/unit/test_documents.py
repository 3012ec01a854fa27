"""The documents say what the measurements say, and their links lead somewhere."""

import re
from pathlib import Path

import pytest

from tables import rendered

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.native

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LOCAL_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)[^)]*\)|(?:src|href)=\"(?!https?:|#)([^\"#]+)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_tables_equal_the_record(document: Path) -> None:
    text = document.read_text("utf-8")
    assert rendered(text) == text, "run `python scripts/tables.py`"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files_of_the_repository(document: Path) -> None:
    targets = [first or second for first, second in LOCAL_LINK.findall(document.read_text("utf-8"))]
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert not missing
