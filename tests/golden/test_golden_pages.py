"""Whole pages against reviewed expectations; `golden_pages.py` says how to renew them."""

import json

import pytest

from golden.golden_pages import FOLDER, expectation_path, page_names, render


@pytest.mark.parametrize("name", page_names())
def test_page_is_read_as_expected(name: str) -> None:
    path = expectation_path(name)
    assert path.exists(), f"no expectation for {name}"
    assert render(name) == json.loads(path.read_text(encoding="utf-8"))


def test_every_expectation_has_its_page() -> None:
    expected = {path.name.removesuffix(".expected.json") for path in FOLDER.glob("*.expected.json")}
    assert expected == set(page_names())
