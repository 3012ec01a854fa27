"""A page in short on its card, hints on open tabs, and the work on summaries that are missing."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.tabs import unsummarised
from tabwise.ui.text import percent, shorten
from tabwise.ui.view.parts import button, job_head, spinner
from tabwise.ui.view.sentences import VERDICT_ICONS
from tabwise.ui.words import say, verdict_text

PART_CHARS = 160  # of what is being written
INTEREST_CHARS = 60  # of an interest that a tab is near


def told_of(told: dict, names: dict, page: dict | None) -> list:
    """Return what a card tells of its page: [Summary or None, whether it is unfolded, by whom, in hand].

    told: `state["summaries"]`; names: writers by engine. In hand: the part that was written last, {} before
    the first, None for a page that is not in hand. Each is the same object while nothing changed.
    """
    source = page["source"] if page is not None else ""
    summary = told["known"].get(source)
    unfolded = summary is not None and source in told["unfolded"]
    by = names.get(summary["engine"], summary["engine"]) if summary is not None and unfolded else ""
    in_hand = told["parts"].get(source, _NO_PART) if source and source == told["in_hand"] else None
    return [summary, unfolded, by, in_hand]


_NO_PART: dict = {}


def summary_view(
    element_id: str, summary: dict | None, unfolded: bool, by: str, in_hand: dict | None
) -> tuple | list | None:
    """Return the summary of a page as its card shows it; the arguments are those of `told_of`."""
    if in_hand is not None:
        return _writing(in_hand)
    if summary is None:
        return None
    line = {
        "type": "button",
        "class": "summary-line",
        "data-test": "summary",
        "aria-expanded": "true" if unfolded else "false",
        "aria-controls": element_id if unfolded else None,
        "on-click": {"type": "summary_unfold", "source": summary["source"]},
    }
    head = h(
        "button",
        line,
        h("span", {"class": "summary-text", "dir": "auto"}, _line(summary, unfolded)),
        icon("down"),
    )
    return [head, _sentences(element_id, summary, by) if unfolded else None]


def _line(summary: dict, unfolded: bool) -> str:
    """The headline, which is not said twice where it is one of the sentences below it."""
    headline = summary["headline"]
    for sentence in summary["sentences"]:
        cut = summary["engine"] == "extractive" and sentence["start"] == headline["start"]
        if unfolded and (cut or sentence["text"] == headline["text"]):
            return say("summary_head")
    return headline["text"]


def _writing(part: dict) -> tuple:
    said = say("summary_writing")
    if part and part["n_parts"] > 1:
        said = said + " · " + say("summary_part", number=part["number"], total=part["n_parts"])
    return h(
        "p",
        {"class": "summary-writing", "data-test": "summary-writing"},
        spinner(),
        h("span", {}, said),
        h("bdi", {"class": "summary-part", "dir": "auto"}, shorten(part["text"], PART_CHARS))
        if part
        else None,
    )


def _sentences(element_id: str, summary: dict, by: str) -> tuple:
    rows = [
        h("li", {"key": str(place)}, _sentence(summary["source"], sentence))
        for place, sentence in enumerate(summary["sentences"])
    ]
    return h(
        "div",
        {"class": "summary-whole", "id": element_id},
        h("ul", {}, rows),
        h("p", {"class": "summary-by", "data-test": "summary-by"}, by + _read_of(summary["read_share"])),
    )


def _read_of(share: float) -> str:
    """Say how much of a page was read for its summary, "" for all; never 100 % while something is left."""
    return " " + say("summary_read", share=percent(min(share, 0.99))) if share < 1.0 else ""


def _sentence(source: str, sentence: dict) -> list:
    event = {"type": "summary_show", "source": source, "start": sentence["start"], "end": sentence["end"]}
    attrs = {
        "type": "button",
        "class": "summary-sentence",
        "data-test": "summary-sentence",
        "data-verdict": sentence["verdict"],
        "dir": "auto",
        "title": say("show_passage"),
        "on-click": event,
    }
    said = h("button", attrs, sentence["text"])
    if sentence["verdict"] == "supported":
        return [said]
    verdict = h(
        "p",
        {"class": "summary-verdict"},
        icon(VERDICT_ICONS[sentence["verdict"]]),
        h("span", {}, verdict_text(sentence["verdict"], [])),
    )
    return [said, verdict]


def hint_view(hint: dict | None) -> tuple | None:
    """Return what is likely of an open tab, and why; None for nothing."""
    if hint is None:
        return None
    interest = shorten(hint["interest"], INTEREST_CHARS)
    because = [say("because_" + why, interest=interest, n=hint["days"]) for why in hint["reasons"]]
    return h(
        "p",
        {"class": "hint-line " + hint["flag"], "data-test": "tab-hint", "data-flag": hint["flag"]},
        h("span", {"class": "hint-flag"}, say("hint_" + hint["flag"])),
        " ",
        h("bdi", {"class": "hint-why", "dir": "auto"}, ", ".join(because)),
    )


def missing_summaries(state: dict) -> tuple | None:
    """Return the button that makes the summaries that are missing, None while there is none to make."""
    n_missing = 0 if state["summaries"]["run"] else len(unsummarised(state))
    if not n_missing:
        return None
    label = say("summarise_all", n=n_missing)
    make = {"type": "summarise_all"}
    return button(label, make, "link", icon="lines", id="summarise", test="summarise")


def summaries_view(state: dict) -> tuple | None:
    """Return the progress of summaries that are made, None while none are."""
    told = state["summaries"]
    if not told["run"]:
        return None
    name, n_total = say("stage_summarise"), len(told["queue"])
    stop = button(
        say("stop"),
        {"type": "summarise_stop"},
        "quiet small",
        icon="stop",
        test="summarise-stop",
        disabled=told["stopping"],
    )
    return h(
        "section",
        {"class": "job", "key": "summarise", "data-test": "summarising", "aria-label": name},
        job_head(
            say("job_stopping") if told["stopping"] else name,
            say("job_rows", done=told["n_done"], total=n_total),
            stop,
        ),
        h("progress", {"max": str(n_total), "value": str(told["n_done"]), "aria-label": name}),
    )
