"""The library: what it holds, how well its pages are found, removing everything."""

from tabwise.ui.nodes import h
from tabwise.ui.text import decimal, number, percent, size
from tabwise.ui.view.parts import button
from tabwise.ui.view.settings.meaning import facts_list
from tabwise.ui.view.settings.parts import part
from tabwise.ui.view.task import task_line
from tabwise.ui.words import say


def library_section(state: dict) -> list:
    """Return the counts of the library, how well it finds, and the way to empty it."""
    stats = state["stats"]
    if stats is None:
        return [h("p", {"class": "empty", "key": "unknown"}, say("library_unknown"))]
    facts = [
        ("fact_pages", number(len(state["library"]))),
        ("fact_passages", number(stats["n_chunks"])),
        ("fact_vectors", number(stats["n_vectors"])),
        ("fact_size", size(stats["size_bytes"])),
        ("fact_model", stats["model"] or say("no_vectors")),
    ]
    return [
        facts_list("counts", facts),
        part("measure", _measured(state)) if state["library"] else None,
        _clear(state) if state["library"] else None,
    ]


def _measured(state: dict) -> list:
    task = state["tasks"].get("self_test")
    running = task is not None and task["running"]
    start = button(say("measure_start"), {"type": "measure"}, "secondary", test="measure", id="measure")
    return [
        task_line(state, "self_test"),
        _table(state["measured"]) if state["measured"] and not running else None,
        None if running else h("div", {"class": "control", "key": "start"}, start),
    ]


def _table(measured: dict) -> tuple:
    heads = ("measure_mode", "measure_first", "measure_three", "measure_ten", "measure_mrr", "measure_ms")
    best = max([row["reciprocal_rank"] for row in measured["rows"]])
    rows = []
    for row in measured["rows"]:
        shares = [percent(row[name]) for name in ("recall_at_1", "recall_at_3", "recall_at_10")]
        cells = shares + [decimal(row["reciprocal_rank"], 2), decimal(row["query_ms"])]
        attrs = {"key": row["mode"], "class": "best" if row["reciprocal_rank"] == best else ""}
        name = h("th", {"scope": "row"}, say("mode_" + row["mode"]))
        rows.append(h("tr", attrs, name, [h("td", {}, cell) for cell in cells]))
    asked = say("measure_asked", n=measured["n_questions"])
    n_cited = measured["n_citations"]
    share = percent(measured["n_at_the_place"] / n_cited) if n_cited else ""
    counts = {"answered": number(measured["n_answered"]), "cited": number(n_cited), "share": share}
    return h(
        "div",
        {"class": "measured", "key": "measured", "data-test": "measured"},
        h("p", {"class": "hint"}, asked),
        h(
            "div",
            {"class": "wide", "tabindex": "0", "role": "region", "aria-label": say("measure")},
            h(
                "table",
                {},
                h("thead", {}, h("tr", {}, [h("th", {"scope": "col"}, say(head)) for head in heads])),
                h("tbody", {}, rows),
            ),
        ),
        h("p", {"data-test": "measured-citations"}, say("measure_cited", **counts)) if n_cited else None,
    )


def _clear(state: dict) -> tuple:
    if not state["clearing"]:
        ask = button(say("clear"), {"type": "clear_ask"}, "secondary", test="clear", id="clear")
        return h("div", {"class": "control", "key": "clear"}, ask)
    yes = button(say("clear_yes"), {"type": "clear"}, "danger", test="clear-yes")
    keep = button(say("keep"), {"type": "clear_keep"}, "secondary", test="clear-keep", id="keep")
    attrs = {"class": "control sure", "key": "sure", "role": "group", "aria-label": say("clear")}
    return h("div", attrs, h("p", {}, say("clear_sure", n=len(state["library"]))), yes, keep)
