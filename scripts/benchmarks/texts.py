"""Real English for the benchmarks: the demo's corpus, cut and mixed without randomness."""

from __future__ import annotations

import re

from buildlib.paths import APP

CORPUS = APP / "tabwise" / "demo" / "corpus"


def words() -> list[str]:
    """Every word of the corpus in order."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(CORPUS.glob("*.md"))]
    return re.findall(r"\S+", " ".join(texts))


def chunks(n_chunks: int, n_words: int) -> list[str]:
    """`n_chunks` different texts of `n_words` words: windows of the corpus, each begun further on."""
    pool = words()
    step = max(1, len(pool) // n_chunks)
    return [" ".join(pool[(i * step + k) % len(pool)] for k in range(n_words)) for i in range(n_chunks)]


def page(number: int, n_words: int) -> str:
    """An HTML page of paragraphs; pages of different numbers share no window of words."""
    pool = words()
    start = number * 7919
    body = [pool[(start + k * (number + 1)) % len(pool)] for k in range(n_words)]
    paragraphs = [" ".join(body[i : i + 90]) for i in range(0, n_words, 90)]
    html = "".join(f"<h2>Part {i}</h2><p>{text}.</p>" for i, text in enumerate(paragraphs))
    return (
        f"<!doctype html><html lang=en><title>Page {number}</title><main><h1>Page {number}</h1>{html}</main>"
    )
