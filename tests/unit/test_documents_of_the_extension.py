"""What the documents promise is what the code does: permissions, purposes, lengths, the policy's page."""

import json
import re
from pathlib import Path

import pytest

from buildlib.console import BuildError
from buildlib.documents import rendered
from tabwise.core.network.http import Purpose
from tabwise.core.network.hub import HUB
from tabwise.protocol.tables.settings import PROVIDER_KINDS

pytestmark = pytest.mark.native

ROOT = Path(__file__).parents[2]
MANIFEST = json.loads((ROOT / "extension" / "manifest.json").read_text("utf-8"))
PRIVACY = (ROOT / "docs" / "privacy.md").read_text("utf-8")
MAX_DESCRIPTION_CHARS = 132


def first_cells(markdown: str) -> list[str]:
    """The first cell of every row of the tables of a document."""
    return [cell.strip() for cell in re.findall(r"^\| ([^|]+) \|", markdown, re.M)]


def test_every_permission_has_its_reason_and_none_is_explained_that_is_not_asked_for() -> None:
    told = re.findall(r"^\| `([^`]+)`", (ROOT / "docs" / "permissions.md").read_text("utf-8"), re.M)
    asked = [*MANIFEST["permissions"], *MANIFEST["optional_host_permissions"]]
    assert told == [*sorted(MANIFEST["permissions"], key=str.lower), *MANIFEST["optional_host_permissions"]]
    assert sorted(told) == sorted(asked)
    assert "host_permissions" not in MANIFEST
    assert "content_scripts" not in MANIFEST


def test_the_policy_names_every_purpose_and_every_kind_of_service() -> None:
    flows = PRIVACY.partition("## What leaves this computer")[2].partition("##")[0]
    assert [cell for cell in first_cells(flows) if cell in set(Purpose)] == list(Purpose)
    (answer_row,) = re.findall(r"^\| answer \|.*$", flows, re.M)
    assert [kind for kind in PROVIDER_KINDS if kind.lower() not in answer_row.lower()] == []
    assert HUB.removeprefix("https://") in flows


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_the_description_fits_the_store(language: str) -> None:
    messages = json.loads((ROOT / "extension" / "_locales" / language / "messages.json").read_text("utf-8"))
    assert 0 < len(messages["description"]["message"]) <= MAX_DESCRIPTION_CHARS


def test_the_page_of_the_policy_says_all_of_it() -> None:
    page = rendered(PRIVACY)
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.partition("<body>")[2]))
    for word in re.findall(r"\w{4,}", PRIVACY):
        assert word in said
    assert "http" not in page.partition("<body>")[2]


def test_a_document_is_written_as_a_page() -> None:
    text = "Some **strong** `code`\nand more.\n\n- one\n- two\n  more"
    page = rendered(f"# A & B\n\n{text}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |")
    assert "<title>A &amp; B</title>" in page
    assert "<p>Some <strong>strong</strong> <code>code</code> and more.</p>" in page
    assert "<ul><li>one</li><li>two more</li></ul>" in page
    assert "<tr><td>1</td><td>2</td></tr>" in page


@pytest.mark.parametrize("text", ["[a link](https://a.example)", "<b>bold</b>", "> quoted"])
def test_what_the_page_cannot_show_is_refused(text: str) -> None:
    with pytest.raises(BuildError):
        rendered(f"# Title\n\n{text}")
