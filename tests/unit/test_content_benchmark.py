"""The whole path from saved page to kept text, on the public article-extraction benchmark.

scrapinghub/article-extraction-benchmark, 181 pages with their article text. Its measure: multiset precision
and recall over word 4-grams, each page with the same weight, F1 of the means.
"""

import asyncio
import gzip
import json
import os
import re
from collections import Counter
from pathlib import Path
from statistics import mean

import pytest

from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.native.charset import decode_text
from tabwise.adapters.native.html import parse_html
from tabwise.core.blocks import build_page
from tabwise.core.model import BlockKind

DATA = Path(os.environ.get("TABWISE_DATA", "data")) / "article_extraction"

pytestmark = pytest.mark.native


def grams(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    return Counter(tuple(words[at : at + 4]) for at in range(max(1, len(words) - 3)) if words[at : at + 4])


def f1_of(predicted: dict[str, str], truth: dict[str, str]) -> float:
    precisions, recalls = [], []
    for key, text in truth.items():
        right, found = grams(text), grams(predicted[key])
        n_common = (right & found).total()
        precisions.append(n_common / found.total() if found else 0.0)
        recalls.append(n_common / right.total() if right else 0.0)
    return 2 * mean(precisions) * mean(recalls) / (mean(precisions) + mean(recalls))


def kept_text(key: str) -> str:
    data = gzip.decompress((DATA / "html" / f"{key}.html.gz").read_bytes())
    html = decode_text(data)
    assert html is not None
    capture = parse_html(html, url=f"file:///{key}.html")
    page = build_page(capture, asyncio.run(TrafilaturaContent().select(capture)), 0.0)
    # The benchmark's labels leave titles and captions out by convention.
    return "\n".join(
        page.text[block.start : block.end]
        for block in page.blocks
        if block.kind is not BlockKind.CAPTION and not (block.kind is BlockKind.HEADING and block.level == 1)
    )


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="no article_extraction in $TABWISE_DATA")
def test_kept_text_reaches_the_published_quality() -> None:
    truth = {
        key: value["articleBody"]
        for key, value in json.loads((DATA / "ground-truth.json").read_text(encoding="utf-8")).items()
    }
    assert len(truth) == 181
    assert f1_of({key: kept_text(key) for key in truth}, truth) >= 0.955
