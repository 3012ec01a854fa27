"""Stage 5: the context as one bar, and every item with its tokens, kept or left out and why."""

from tabwise.demo.ui.view.parts import slider, stage
from tabwise.demo.ui.words import KINDS
from tabwise.ui.nodes import h
from tabwise.ui.text import number
from tabwise.ui.view.parts import button
from tabwise.ui.words import say

BUDGET_BOUNDS = (256, 4096, 64, "tokens")
RESERVE_BOUNDS = (0, 1024, 32, "tokens")
WINDOW_BOUNDS = (0, 12, 1, "turns")
# the order of the bar
ORDER = ("system", "question", "turn", "source")


def budget_view(state: dict) -> tuple:
    """Return the stage."""
    lab, off = state["lab"], state["cut"] is None
    controls = [
        _slider("budget_tokens", "Budget", lab, BUDGET_BOUNDS, off),
        _slider("reserve_tokens", "Kept free for the answer", lab, RESERVE_BOUNDS, off),
        _slider("window_turns", "Window of the conversation", lab, WINDOW_BOUNDS, off),
        _turns(state, off),
    ]
    figure = [_bar(state), _items(state)] if state["budget"] else [_waiting()]
    return stage("budget", state, controls, figure)


def _slider(name: str, label: str, lab: dict, bounds: tuple, off: bool) -> tuple:
    return slider(name, label, lab[name], bounds, {"type": "lab", "name": name}, off)


def _turns(state: dict, off: bool) -> tuple:
    attrs = {
        "type": "text",
        "class": "field",
        "dir": "auto",
        "value": state["line"],
        "aria-label": "A turn of your own",
        "placeholder": "Say something, or just add a turn",
        "autocomplete": "off",
        "maxlength": "500",
        "data-test": "line",
        "on-input": {"type": "line"},
        "disabled": off,
    }
    acts = [
        button(
            "Add turn", {"type": "add_turn"}, "secondary small", icon="plus", test="add-turn", disabled=off
        ),
        button("Reset", {"type": "reset_lab"}, "quiet small", icon="again", test="reset-lab", disabled=off),
    ]
    return h("div", {"class": "giving"}, h("input", attrs), h("div", {"class": "acts"}, acts))


def _waiting() -> tuple:
    return h("p", {"class": "waiting"}, "The first search fills the window.")


def _bar(state: dict) -> tuple:
    budget, lab = state["budget"], state["lab"]
    total = max(lab["budget_tokens"], budget["n_tokens"] + lab["reserve_tokens"], 1)
    parts = []
    for kind in ORDER:
        for place, item in enumerate(budget["items"]):
            if item["kind"] == kind and not item["reason"]:
                parts.append(_part(kind, item["n_tokens"], total, "%s-%d" % (kind, place)))
    free = max(budget["room_tokens"] - budget["n_tokens"], 0)
    parts.append(_part("free", free, total, "free"))
    parts.append(_part("reserve", lab["reserve_tokens"], total, "reserve"))
    said = "%s of %s tokens used, %s kept free for the answer" % (
        number(budget["n_tokens"]),
        number(budget["room_tokens"]),
        number(lab["reserve_tokens"]),
    )
    legend = [
        h("li", {"key": kind}, h("i", {"class": "part p-" + kind}), KINDS[kind])
        for kind in ORDER + ("free", "reserve")
    ]
    full = budget["n_tokens"] > budget["room_tokens"]
    return h(
        "div",
        {"class": "window"},
        h("p", {"class": "measured", "role": "status", "data-test": "room"}, said),
        h("p", {"class": "refused"}, "The instructions and the question alone are too much.")
        if full
        else None,
        h("div", {"class": "window-bar", "aria-hidden": "true"}, parts),
        h("ul", {"class": "window-legend", "aria-label": "Colours"}, legend),
    )


def _part(kind: str, n_tokens: int, total: int, key: str) -> tuple:
    share = "inline-size:%.2f%%" % (100 * n_tokens / total)
    return h("i", {"key": key, "class": "part p-" + kind, "style": share})


def _items(state: dict) -> tuple:
    items = state["budget"]["items"]
    most = max([item["n_tokens"] for item in items])
    rows = [_item(item, most, place) for place, item in enumerate(items)]
    return h("ul", {"class": "items", "data-test": "items"}, rows)


def _item(item: dict, most: int, place: int) -> tuple:
    reason = item["reason"]
    share = "inline-size:%d%%" % round(100 * item["n_tokens"] / most)
    attrs = {
        "key": "%s-%d" % (item["kind"], place),
        "class": "item left-out" if reason else "item",
        "data-test": "item",
        "data-kind": item["kind"],
        "data-reason": reason,
        "title": item["text"],
    }
    said = "left out: " + say("dropped_" + reason) if reason else "kept"
    return h(
        "li",
        attrs,
        h("i", {"class": "part p-" + item["kind"], "aria-hidden": "true"}),
        h("span", {"class": "item-name", "dir": "auto"}, item["name"]),
        h("span", {"class": "item-said"}, said),
        h("span", {"class": "score"}, number(item["n_tokens"])),
        h("span", {"class": "item-bar", "aria-hidden": "true"}, h("i", {"style": share})),
    )
