"""How well the kept text of pages agrees with labelled article bodies, as the public benchmark scores it.

scrapinghub/article-extraction-benchmark, evaluate.py: texts are `\\w+` tokens, compared as multisets of
4-token shingles; a text of fewer tokens is one shingle. Every page weighs the same; precision and recall are
means over pages, F1 is of these means.

    precision  shared shingles / shingles of the kept text, pages that keep or hold something
    recall     shared shingles / shingles of the label

Worked example: "a b c d e" against the label "a b c d f": one of two shingles shared, precision = recall = ½.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean

from tabwise.core.model import Block, BlockKind, Page

SHINGLE_TOKENS = 4
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ExtractionScores:
    """F1 of the means, mean precision, mean recall, each 0–1, over `n_pages` pages."""

    f1: float
    precision: float
    recall: float
    n_pages: int


def score_extraction(kept: Mapping[str, str], labels: Mapping[str, str]) -> ExtractionScores:
    """Score the kept text of every labelled page. Raises KeyError when one is missing."""
    precisions, recalls = [], []
    for key, label in labels.items():
        right, found = _shingles(label), _shingles(kept[key])
        n_shared = (right & found).total()
        if found:
            precisions.append(n_shared / found.total())
        if right:
            recalls.append(n_shared / right.total())
    precision, recall = mean(precisions), mean(recalls)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return ExtractionScores(f1, precision, recall, len(labels))


def body_text(page: Page) -> str:
    """What of a page is compared with a label: all it keeps but its title and the captions of pictures.

    The labels leave these two out, a reader wants them. Everything else that we keep and the labels do not,
    datelines and discussions under an article among it, counts against us.
    """
    return "\n".join(page.text[block.start : block.end] for block in page.blocks if not _is_apart(block))


def _is_apart(block: Block) -> bool:
    is_title = block.kind is BlockKind.HEADING and block.level == 1
    return is_title or block.kind is BlockKind.CAPTION


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = _TOKEN.findall(text)
    n_shingles = max(1, len(tokens) - SHINGLE_TOKENS + 1)
    shingles = (tuple(tokens[at : at + SHINGLE_TOKENS]) for at in range(n_shingles))
    return Counter(shingle for shingle in shingles if shingle)
