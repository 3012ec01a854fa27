"""A receipt, drawn with the panel's own views: plan, rankings, budget, steps, prompts, sentences."""

from tabwise.demo.ui.view.parts import files_button
from tabwise.demo.ui.view.sentences import sentences_view
from tabwise.demo.ui.words import RECEIPT
from tabwise.ui.nodes import h
from tabwise.ui.text import number, site_of
from tabwise.ui.view.parts import button
from tabwise.ui.view.prompts import calls_view
from tabwise.ui.view.rankings import search_view
from tabwise.ui.view.receipt import times_view
from tabwise.ui.view.steps import steps_view
from tabwise.ui.words import engine_name, error_sentence, say


def receipt_view(state: dict) -> tuple:
    """Return the section; without a receipt, only how to open one."""
    title, text = RECEIPT
    receipt, fault = state["receipt"], state["receipt_fault"]
    acts = [
        files_button(
            "Open a receipt", ".json,application/json", "open-receipt", state["engine"] is None, False
        )
    ]
    if receipt:
        acts.append(
            button("Save it", {"type": "receipt_save"}, "quiet small", icon="save", test="receipt-save")
        )
        acts.append(
            button("Close", {"type": "receipt_close"}, "quiet small", icon="cross", test="receipt-close")
        )
    told = {"class": "refused", "role": "alert", "data-test": "receipt-fault"}
    return h(
        "section",
        {"class": "stage-row", "id": "receipt", "key": "receipt", "aria-labelledby": "receipt-title"},
        h(
            "div",
            {"class": "about"},
            h("h2", {"id": "receipt-title"}, title),
            h("p", {"class": "explained"}, text),
            h("div", {"class": "controls acts"}, acts),
            h("p", told, error_sentence(fault)) if fault else None,
        ),
        h("div", {"class": "figure"}, _drawn(state, receipt["value"]) if receipt else _none()),
    )


def _none() -> tuple:
    return h(
        "p", {"class": "waiting"}, "No receipt is open. “How this came about” opens that of an answer above."
    )


def _drawn(state: dict, receipt: dict) -> tuple:
    titles = {}
    for document in state["cut"]["documents"] if state["cut"] else []:
        titles[document["source"]] = document["title"]
    times = times_view([(timing["name"], timing["ms"]) for timing in receipt["timings"]])
    searches = [search_view(search, [], titles) for search in receipt["searches"]]
    kept, dropped = receipt["given"], receipt["dropped"]
    stations = [
        _station("plan", _plan(receipt["plan"])),
        _station("search", searches) if searches else None,
        _station("budget", _budget(kept, dropped, titles)) if kept or dropped else None,
        h("li", {"key": "steps", "class": "station"}, steps_view(receipt["steps"], True))
        if receipt["steps"]
        else None,
        _station("calls", calls_view(receipt["calls"])) if receipt["calls"] else None,
        _station("verdicts", _sentences(receipt, titles)) if receipt["sentences"] else None,
        _station("versions", _versions(receipt)),
    ]
    return h(
        "article",
        {"class": "answer-card how", "data-test": "receipt"},
        h("h3", {"class": "asked"}, receipt["question"]),
        times,
        h("ol", {"class": "stations"}, stations),
    )


def _station(name: str, shown) -> tuple:
    return h("li", {"key": name, "class": "station"}, h("h3", {}, say("receipt_" + name)), shown)


def _plan(plan: dict) -> tuple:
    queries = ["“%s”" % query for query in plan["queries"]]
    by = say("plan_by_model" if plan["by_model"] else "plan_by_rules")
    return _facts(
        [
            (say("plan_kind"), say("plan_" + plan["kind"])),
            (say("plan_by"), by),
            ("Queries", " ".join(queries)),
        ]
    )


def _facts(facts: list) -> tuple:
    rows = [
        h("div", {"class": "fact", "key": name}, h("dt", {}, name), h("dd", {}, value))
        for name, value in facts
    ]
    return h("dl", {"class": "receipt-facts"}, rows)


def _budget(kept: list, dropped: list, titles: dict) -> tuple:
    rows = []
    for item in kept:
        name = titles.get(item["source"]) or site_of(item["source"])
        rows.append(_share("[%d] %s" % (item["number"], name), item["n_tokens"], ""))
    for item in dropped:
        rows.append(_share(item["name"], item["n_tokens"], say("dropped_" + item["reason"])))
    return h("ul", {"class": "shares"}, rows)


def _share(name: str, n_tokens: int, reason: str) -> tuple:
    count = h("span", {"class": "time"}, number(n_tokens)) if n_tokens else None
    return h(
        "li", {}, h("span", {"class": "share-name"}, name), count, h("small", {}, reason) if reason else None
    )


def _sentences(receipt: dict, titles: dict) -> tuple:
    citations = []
    for citation in receipt["citations"]:
        named = dict(citation)
        named["title"] = titles.get(citation["source"]) or site_of(citation["source"])
        citations.append(named)
    pairs = []
    for one in receipt["sentences"]:
        judged = one["judgement"]
        sentence = {
            "text": one["text"],
            "verdict": judged["verdict"],
            "reasons": judged["reasons"],
            "citations": one["citations"],
        }
        pairs.append((sentence, citations))
    return sentences_view(pairs, False)


def _versions(receipt: dict) -> tuple:
    versions = receipt["versions"]
    return _facts(
        [
            (say("product"), versions["app"]),
            (say("receipt_engine"), engine_name(receipt["engine"], receipt["engine_label"])),
            (say("receipt_embedder"), versions["embedder"]),
        ]
    )
