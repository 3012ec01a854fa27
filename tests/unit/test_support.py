"""The span that bears a sentence out: the smallest one, and no shopping for a kinder verdict."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import capture_of
from tabwise.core.answers.support import Support, find_support
from tabwise.core.model import Page, Verdict
from tabwise.core.page.blocks import build_page
from tabwise.engine.jobs import silent_job

TEXT = (
    "The bay lies between two provinces. Its tidal range reaches 16.3 metres at Burntcoat Head. "
    "The second largest range, 14.8 metres, is found in Ungava Bay. Turbines were tested there in 2016."
)


def page_of(*paragraphs: str) -> Page:
    return build_page(capture_of("https://sea.example/", "Tides", *paragraphs), None, 0.0)


def found(sentence: str, page: Page) -> Support:
    support = asyncio.run(silent_job().drive(find_support(sentence, page, 0, len(page.text))))
    assert support is not None
    return support


@pytest.mark.parametrize(
    ("sentence", "verdict", "quote"),
    [
        (
            "The tidal range reaches 16.3 metres at Burntcoat Head.",
            Verdict.SUPPORTED,
            "Its tidal range reaches 16.3 metres at Burntcoat Head.",
        ),
        (
            "The tidal range reaches 61 metres at Burntcoat Head.",
            Verdict.CONTRADICTED,
            "Its tidal range reaches 16.3 metres at Burntcoat Head.",
        ),
        (
            "The tidal range reaches 14.8 metres at Burntcoat Head.",
            Verdict.CONTRADICTED,
            "Its tidal range reaches 16.3 metres at Burntcoat Head.",
        ),
    ],
)
def test_the_smallest_span_decides(sentence: str, verdict: Verdict, quote: str) -> None:
    page = page_of(TEXT)
    support = found(sentence, page)
    assert support.judgement.verdict is verdict
    assert page.text[support.start : support.end] == quote


def test_two_sentences_brought_together_are_cited_as_one_span() -> None:
    page = page_of("The turbine stands in Orkney. It was built by Reid in 2016. Gulls nest on it.")
    support = found("The turbine in Orkney was built by Reid in 2016.", page)
    assert support.judgement.verdict is Verdict.SUPPORTED
    assert (
        page.text[support.start : support.end]
        == "The turbine stands in Orkney. It was built by Reid in 2016."
    )


def test_in_another_language_the_unit_with_its_numbers_is_cited() -> None:
    page = page_of(" ".join(f"This is sentence {n} of the page." for n in range(9)), TEXT)
    support = found("In der Bucht von Ungava ist der Hub mit 14,8 Metern der zweitgrößte der Welt.", page)
    assert support.judgement.verdict is Verdict.PARTLY
    assert page.text[support.start : support.end].startswith("The second largest range, 14.8 metres")


def test_what_the_passage_does_not_say_is_not_found() -> None:
    assert found("Bread is baked at 240 degrees.", page_of(TEXT)).judgement.verdict is Verdict.NOT_FOUND


def test_a_passage_of_headings_has_nothing_to_cite() -> None:
    steps: Any = find_support("Anything.", page_of(TEXT), 0, 0)
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert end.value.value is None


@given(st.sampled_from(TEXT.split(". ")), st.text(max_size=60))
def test_a_span_lies_in_the_passage(sentence: str, other: str) -> None:
    page = page_of(TEXT, other + " x")
    for asked in (sentence, other):
        support = found(asked, page)
        assert 0 <= support.start < support.end <= len(page.text)
