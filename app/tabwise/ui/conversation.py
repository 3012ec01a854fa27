"""The conversation as it is shown: its title, its questions, the answer a citation belongs to."""

from tabwise.ui.memo import Memo
from tabwise.ui.state import find
from tabwise.ui.text import shorten
from tabwise.ui.threads import by_day, found_rows, path_to
from tabwise.ui.titles import title_of

# what follows from parts of the state is kept until one of them changes
_derived = Memo()


def working_block(state: dict) -> dict | None:
    """Return the question that is being answered."""
    return find(state["blocks"], "state", "working")


def cited_block(state: dict, name: str) -> dict | None:
    """Return the block whose citations a chip names: a question's, or `<block>/<place>` of a page asked."""
    head, mark, place = name.partition("/")
    if not mark:
        return find(state["blocks"], "id", name)
    inside = state["inside"].get(head)
    pages = inside["each"] if inside else []
    page = pages[int(place)] if place.isdigit() and int(place) < len(pages) else None
    return block_of_page(head, int(place), page) if page is not None and page["answer"] else None


def block_of_page(block_id: str, place: int, page: dict) -> dict:
    """Return the answer of one page of a question that every page was asked, as a block of its own."""
    answer = page["answer"]
    return {
        "id": "%s/%d" % (block_id, place),
        "question": title_of(page),
        "state": "done",
        "sentences": answer["sentences"],
        "citations": answer["citations"],
        "answer": answer,
    }


def thread_title(state: dict) -> str:
    """Return the title of the open conversation; before it is listed its first question is one."""
    row = find(state["history"]["rows"], "id", state["thread"])
    if row is not None:
        title: str = row["title"]
        return title
    return shorten(" ".join(state["blocks"][0]["question"].split()), 60) if state["blocks"] else ""


def shown_blocks(state: dict) -> list:
    """Return the questions of the branch that is shown, from the first."""
    return _derived("path", path_to, state["blocks"], state["head"])


def listed_threads(state: dict) -> list:
    """Return the ids of the conversations in the order they are listed."""
    history = state["history"]
    if history["matches"] is not None:
        return [row["id"] for row, _ in found_rows(history["rows"], history["matches"])]
    groups = by_day(history["rows"], history["dated"]["now"], history["dated"]["offset_min"])
    return [row["id"] for group in groups for row in group[3]]
