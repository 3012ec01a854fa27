"""Summaries and interests: whether pages are told in short unasked, by whom; what the reader looks for."""

from tabwise.protocol.providers import provider_model_id
from tabwise.ui.nodes import h
from tabwise.ui.state import find, put
from tabwise.ui.text import site_of
from tabwise.ui.view.parts import button, icon_button
from tabwise.ui.view.settings.parts import part, switch_line
from tabwise.ui.view.settings.writing import engine_row, known_engines, with_absent
from tabwise.ui.words import say

# the bundled model says less of a page than the page's own sentences; the engine would not use it
_NOT_FOR_PAGES = ("extractive", "bundled")


def summaries_section(state: dict) -> list:
    """Return the switch, the choice of the writer, the list of interests."""
    preferences = state["settings"]["preferences"]
    chosen = preferences["summary_engine"]
    rows = [engine_row(row, "summary_engine", chosen) for row in summary_writers(state)]
    switch = {"type": "prefer", "name": "auto_summaries"}
    return [
        switch_line("auto_summaries", preferences["auto_summaries"], switch, "line alone"),
        part(
            "summary_writer",
            h(
                "div",
                {"role": "radiogroup", "aria-label": say("summary_writer")},
                h("ul", {"class": "list"}, rows),
            ),
        ),
        _interests(state),
    ]


def summary_writers(state: dict) -> list:
    """Return who can write summaries, as `known_engines` does for answers."""
    rows = [_known("extractive", say("summaries_extractive_more"), False)]
    own = find(state["doctor"] or [], "topic", "summarizer")
    if own is not None:
        is_there = own["reason"] == "available"
        more = say("writer_summarizer_more") if is_there else say("doctor_summarizer_" + own["reason"])
        rows.append(_known("summarizer", more, not is_there))
    services = state["settings"]["providers"]
    places = {provider_model_id(service["id"]): site_of(service["address"]) for service in services}
    for row in known_engines(state):
        engine = row["engine"]
        if engine in places:
            row = put(row, more=say("summaries_service_more", place=places[engine]))
        if engine not in _NOT_FOR_PAGES:
            rows.append(row)
    return with_absent(rows, state["settings"]["preferences"]["summary_engine"])


def _known(engine: str, more: str, off: bool) -> dict:
    return {"engine": engine, "name": say("writer_" + engine), "more": more, "off": off}


def _interests(state: dict) -> tuple:
    interests, fault = state["settings"]["interests"], state["interest_fault"]
    box = {
        "type": "text",
        "id": "interest",
        "class": "filter field",
        "dir": "auto",
        "data-test": "interest",
        "aria-label": say("interest_label"),
        "aria-invalid": "true" if fault else None,
        "aria-describedby": "interest-fault" if fault else None,
        "placeholder": say("interest_hint"),
        "value": state["interest_draft"],
        "on-input": {"type": "interest_draft"},
    }
    return part(
        "interests",
        h(
            "div",
            {"class": "add-rule"},
            h("input", box),
            button(say("interest_add"), {"type": "interest_add"}, "secondary", test="interest-add"),
        ),
        h("p", {"class": "fault", "id": "interest-fault"}, say("interest_" + fault)) if fault else None,
        h("ul", {"class": "list"}, [_interest(text) for text in interests])
        if interests
        else h("p", {"class": "empty"}, say("no_rules")),
    )


def _interest(text: str) -> tuple:
    remove = {"type": "interest_remove", "interest": text}
    return h(
        "li",
        {"key": text, "class": "line", "data-test": "own-interest"},
        h("bdi", {"class": "line-text", "dir": "auto"}, text),
        icon_button("trash", say("interest_remove", name=text), remove, test="interest-remove"),
    )
