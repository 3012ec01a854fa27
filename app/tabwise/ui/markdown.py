"""An answer, or a whole conversation, as Markdown with numbered sources, for the clipboard or a file."""

from tabwise.ui.conversation import block_of_page
from tabwise.ui.state import INSIDE
from tabwise.ui.titles import places_of, title_of
from tabwise.ui.words import say

_ESCAPED = "\\`*_[]<>#|"


def answer_markdown(block: dict) -> str:
    """Return the question, the sentences with [n] marks and the list of sources of a block."""
    lines = ["## " + escape(block["question"]), ""]
    for sentence in block["sentences"]:
        marks = "".join(["[%d]" % number for number in sentence["citations"]])
        warning = "" if sentence["verdict"] == "supported" else " *(%s)*" % say(sentence["verdict"])
        lines.append(escape(sentence["text"]) + (" " + marks if marks else "") + warning)
        lines.append("")
    for citation in block["citations"]:
        link = "[%s](%s)" % (escape(title_of(citation)), link_target(citation["url"]))
        place = places_of([citation])
        if place:
            link += ", " + place
        lines.append("%d. %s: “%s”" % (citation["number"], link, escape(citation["quote"])))
    return "\n".join(lines).rstrip() + "\n"


def block_markdown(block: dict, inside: dict) -> str:
    """Return a question with its answer; where every page was asked, with the answer of each page."""
    parts = [answer_markdown(block)]
    for place, page in enumerate(inside["each"]):
        if page["answer"] is not None:
            parts.append("#" + answer_markdown(block_of_page(block["id"], place, page)))
    return "\n".join(parts)


def thread_markdown(title: str, path: list, inside: dict) -> str:
    """Return a conversation: its title, then each question with its answer; `inside` is that of the state."""
    told = [block_markdown(block, inside.get(block["id"], INSIDE)) for block in path]
    return "\n".join(["# " + escape(title) + "\n"] + told)


def escape(text: str) -> str:
    """Escape what Markdown would read as markup; white space becomes single spaces."""
    flat = " ".join(text.split())
    return "".join(["\\" + char if char in _ESCAPED else char for char in flat])


def link_target(url: str) -> str:
    """Return `url` with the characters encoded that would end a Markdown link."""
    for char, code in ((" ", "%20"), ("(", "%28"), (")", "%29"), ("<", "%3C"), (">", "%3E")):
        url = url.replace(char, code)
    return url
