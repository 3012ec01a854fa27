"""The whole path from saved page to kept text, on the public article-extraction benchmark.

Files are read without their style sheets here; `scripts/bench.py capture` reads them in Chromium.
"""

import asyncio
import gzip
import json
import os
from pathlib import Path

import pytest

from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.files.charset import decode_text
from tabwise.adapters.files.html import parse_html
from tabwise.core.page.blocks import build_page
from tabwise.eval.extraction import body_text, score_extraction

DATA = Path(os.environ.get("TABWISE_DATA", "data")) / "article_extraction"

pytestmark = pytest.mark.native


def kept_text(key: str) -> str:
    html = decode_text(gzip.decompress((DATA / "html" / f"{key}.html.gz").read_bytes()))
    assert html is not None
    capture = parse_html(html, url=f"file:///{key}.html")
    return body_text(build_page(capture, asyncio.run(TrafilaturaContent().select(capture)), 0.0))


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="no article_extraction in $TABWISE_DATA")
def test_kept_text_reaches_the_published_quality() -> None:
    truth = json.loads((DATA / "ground-truth.json").read_text(encoding="utf-8"))
    labels = {key: value["articleBody"] for key, value in truth.items()}
    assert len(labels) == 181
    assert score_extraction({key: kept_text(key) for key in labels}, labels).f1 >= 0.96
