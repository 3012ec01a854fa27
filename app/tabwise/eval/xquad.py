"""XQuAD (Artetxe, Ruder & Yogatama, 2020): 240 paragraphs of 48 articles, 1,190 questions, answer spans.

An article becomes one page of its paragraphs, so that a question has to find the paragraph first. Weights
are chosen on the questions of even articles and reported on those of odd ones.
"""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tabwise.core.model import Block, BlockKind, Page, SourceId


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with the span of its answer in the text of the page `source`."""

    text: str
    source: SourceId
    start: int
    end: int
    is_held_out: bool


def load_xquad(path: Path, *, language: str) -> tuple[list[Page], list[AnsweredQuestion]]:
    """Return the articles of a file `xquad.<language>.json` as pages, and its questions in order.

    Raises FileNotFoundError.
    """
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    pages: list[Page] = []
    questions: list[AnsweredQuestion] = []
    for number, article in enumerate(articles):
        source = SourceId(f"xquad-{number:02d}")
        text, blocks = "", []
        for paragraph in article["paragraphs"]:
            # One block is one line; a space keeps every answer where it is.
            context = paragraph["context"].replace("\n", " ")
            start = len(text)
            blocks.append(Block(BlockKind.PARAGRAPH, start, start + len(context)))
            text += context + "\n"
            for question in paragraph["qas"]:
                answer = question["answers"][0]
                begin = start + answer["answer_start"]
                end = begin + len(answer["text"])
                questions.append(AnsweredQuestion(question["question"], source, begin, end, number % 2 == 1))
        title = article.get("title", "").replace("_", " ")
        pages.append(_page(source, title, language, text.removesuffix("\n"), tuple(blocks)))
    return pages, questions


def _page(source: SourceId, title: str, language: str, text: str, blocks: tuple[Block, ...]) -> Page:
    return Page(
        source=source,
        url=source,
        title=title,
        language=language,
        text=text,
        blocks=blocks,
        content_hash=sha256(f"{title}\0{text}".encode()).hexdigest(),
        captured_at=0.0,
        n_removed=0,
        n_total_chars=len(text),
        n_read_chars=len(text),
    )
