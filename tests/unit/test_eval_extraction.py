"""Scores of extraction: the formula by hand."""

import pytest

from tabwise.core.model import Block, BlockKind, Page, SourceId
from tabwise.eval.extraction import ExtractionScores, body_text, score_extraction


def test_worked_example() -> None:
    assert score_extraction({"p": "a b c d e"}, {"p": "a b c d f"}) == ExtractionScores(0.5, 0.5, 0.5, 1)


def test_pages_weigh_the_same_and_f1_is_of_the_means() -> None:
    kept = {"long": " ".join("abcdefgh"), "short": "x y z w v"}
    labels = {"long": " ".join("abcdefgh"), "short": "x y z w"}
    scores = score_extraction(kept, labels)
    assert (scores.precision, scores.recall) == (0.75, 1.0)
    assert scores.f1 == pytest.approx(2 * 0.75 / 1.75)


def test_repeated_text_counts_as_often_as_the_label_has_it() -> None:
    assert score_extraction({"p": "a b c d a b c d"}, {"p": "a b c d"}).precision == pytest.approx(1 / 5)


def test_page_that_keeps_nothing_has_no_precision_and_no_recall() -> None:
    scores = score_extraction({"full": "a b c d", "empty": ""}, {"full": "a b c d", "empty": "x y z w"})
    assert (scores.precision, scores.recall) == (1.0, 0.5)


def test_text_of_few_tokens_is_one_shingle() -> None:
    assert score_extraction({"p": "a b"}, {"p": "a b"}).f1 == 1.0


def test_title_and_captions_are_not_compared() -> None:
    pieces = [
        (BlockKind.HEADING, 1, "Title"),
        (BlockKind.HEADING, 2, "Part"),
        (BlockKind.CAPTION, 0, "Picture"),
        (BlockKind.PARAGRAPH, 0, "Text"),
    ]
    blocks, start = [], 0
    for kind, level, text in pieces:
        blocks.append(Block(kind, start, start + len(text), level))
        start += len(text) + 1
    whole = "\n".join(text for _, _, text in pieces)
    page = Page(SourceId("s"), "u", "Title", "en", whole, tuple(blocks), "", 0.0, 0, 0, 0)
    assert body_text(page) == "Part\nText"
