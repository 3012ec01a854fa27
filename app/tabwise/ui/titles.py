"""What a reader calls a page: its title, its topic, the places in it that are cited."""

from tabwise.ui.text import clock_time, shorten, site_of
from tabwise.ui.words import say

_TITLE_MARKS = (" | ", " · ", " — ", " – ", " - ")


def title_of(record: dict) -> str:
    """Return the title of a tab, a page or a citation, or its site when it has none."""
    return record["title"].strip() or site_of(record["url"]) or say("untitled")


def topic_of(page: dict) -> str:
    """Return the title of a page without the name of its site, short enough for a question."""
    title = title_of(page)
    for mark in _TITLE_MARKS:
        head = title.rpartition(mark)[0].strip()
        if len(head) >= 8:
            title = head
            break
    return shorten(title, 60)


def places_of(citations: list) -> str:
    """Return the pages or times that are cited of one source, in order, "" where it has neither."""
    pages = sorted({citation["page_number"] for citation in citations if citation["page_number"]})
    times = sorted({citation["seconds"] for citation in citations if citation["seconds"] is not None})
    if pages:
        return say("cited_pages", numbers=", ".join([str(number) for number in pages]))
    return ", ".join([clock_time(seconds) for seconds in times])
