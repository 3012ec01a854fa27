"""XQuAD (Artetxe, Ruder & Yogatama, 2020): 240 paragraphs of 48 articles, 1,190 questions, answer spans.

An article becomes one page of its paragraphs, so that a question has to find the paragraph first. Weights
are chosen on the questions of even articles and reported on those of odd ones.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from tabwise.core.model import Block, BlockKind, Page, SourceId
from tabwise.eval.collection import Collection, Document, plain_page


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
        pages.append(
            plain_page(source, title, text.removesuffix("\n"), language=language, blocks=tuple(blocks))
        )
    return pages, questions


def xquad_paragraphs(path: Path, *, language: str, held_out: bool | None = None) -> Collection:
    """Return the paragraphs as documents under their article's title, each question with its paragraph.

    `held_out` keeps the questions of odd (True) or even articles. Raises FileNotFoundError.
    """
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    documents: list[Document] = []
    queries: dict[str, str] = {}
    relevance: dict[str, dict[str, int]] = {}
    for number, article in enumerate(articles):
        title = article.get("title", "").replace("_", " ")
        for paragraph in article["paragraphs"]:
            document = Document(f"p{len(documents):03d}", title, paragraph["context"])
            documents.append(document)
            if held_out is not None and held_out != (number % 2 == 1):
                continue
            for question in paragraph["qas"]:
                queries[question["id"]] = question["question"]
                relevance[question["id"]] = {document.id: 1}
    return Collection(tuple(documents), queries, relevance, language)
