"""How much a page has on a question, as a number from 0 to 1 that means the same for every page.

    coverage   idf-weighted share of the question's terms that the passage, its headings or its title have
    relevance  coverage, or the mean of coverage and the cosine similarity where there is one

Scores of a search are relative to what was searched; this one is not, so pages can be compared by it.
"""

from collections.abc import Callable

from tabwise.core.model import Hit, Page
from tabwise.core.text.terms import terms


def relevance(question: str, hit: Hit, page: Page, idf: Callable[[str], float]) -> float:
    """Return the relevance of a page by its best hit; `idf` > 0 for any term."""
    wanted = {term: idf(term) for term in terms(question, page.language)}
    text = "\n".join([page.title, *hit.chunk.heading_path, hit.chunk.text])
    own = frozenset(terms(text, page.language))
    total = sum(wanted.values())
    coverage = sum(weight for term, weight in wanted.items() if term in own) / total if total else 0.0
    return coverage if hit.dense is None else (coverage + min(max(hit.dense, 0.0), 1.0)) / 2
