"""What every stage is made of: its frame, sliders, figures with a label, and its Python."""

from tabwise.demo.messages import STAGES
from tabwise.demo.ui.words import STAGES as TEXTS
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import number


def stage(name: str, state: dict, controls: list, figure: list) -> tuple:
    """Return a stage: explanation and controls on one side, what is drawn from the engine on the other."""
    title, text = TEXTS[name]
    place = STAGES.index(name) + 1
    attrs = {"class": "stage-row", "id": name, "key": name, "aria-labelledby": name + "-title"}
    return h(
        "section",
        attrs,
        h(
            "div",
            {"class": "about"},
            h("p", {"class": "place", "aria-hidden": "true"}, str(place)),
            h("h2", {"id": name + "-title"}, title),
            h("p", {"class": "explained"}, text),
            h("div", {"class": "controls"}, controls) if controls else None,
            _code_button(name, state),
        ),
        h("div", {"class": "figure"}, figure),
        _code(name, state),
    )


def slider(name: str, label: str, value: int, bounds: tuple, event: dict, disabled: bool) -> tuple:
    """Return a labelled slider; `bounds` is (lowest, highest, step, unit)."""
    low, high, step, unit = bounds
    return h(
        "label",
        {"class": "slider", "key": name},
        h("span", {"class": "slider-label"}, label),
        h("output", {}, "%d %s" % (value, unit)),
        h(
            "input",
            {
                "type": "range",
                "min": str(low),
                "max": str(high),
                "step": str(step),
                "value": str(value),
                "data-test": name,
                "on-input": event,
                "disabled": disabled,
                "aria-valuetext": "%d %s" % (value, unit),
            },
        ),
    )


def tile(value: str, label: str, test: str) -> tuple:
    """Return one figure with what it counts."""
    return h(
        "div",
        {"class": "tile", "key": test},
        h("dd", {"data-test": test}, value),
        h("dt", {}, label),
    )


def tiles(*items: tuple) -> tuple:
    """Return a row of figures."""
    return h("dl", {"class": "tiles"}, list(items))


def choice(group: str, legend: str, options: tuple, chosen: str, event: dict, off: tuple = ()) -> tuple:
    """Return radio buttons; `event` is sent with the option as its value, options in `off` are disabled."""
    buttons = []
    for value, label in options:
        attrs = {
            "type": "radio",
            "name": group,
            "checked": value == chosen,
            "data-test": group + "-" + value,
            "on-change": with_value(event, value),
            "disabled": value in off,
        }
        style = "mode chosen" if value == chosen else "mode"
        buttons.append(h("label", {"key": value, "class": style}, h("input", attrs), h("span", {}, label)))
    return h("fieldset", {"class": "modes"}, h("legend", {}, legend), buttons)


def with_value(event: dict, value: str) -> dict:
    """Return an event with its value."""
    event = dict(event)
    event["value"] = value
    return event


def files_button(label: str, accept: str, test: str, disabled: bool = False, multiple: bool = True) -> tuple:
    """Return a button that lets files be chosen; they come as "given"."""
    attrs = {
        "type": "file",
        "class": "hidden",
        "accept": accept,
        "multiple": multiple,
        "data-test": test,
        "on-change": {"type": "given"},
        "disabled": disabled,
    }
    return h(
        "label",
        {"class": "button secondary small files"},
        icon("plus"),
        h("span", {}, label),
        h("input", attrs),
    )


def duration(ms: float) -> str:
    """Return a duration as it is measured: `< 1 ms`, `87 ms`, `2.4 s`."""
    if ms < 1:
        return "< 1 ms"
    if ms < 1000:
        return "%d ms" % round(ms)
    return "%.1f s" % (ms / 1000)


def amount(n_bytes: int) -> str:
    """Return a size as a reader says it: `840 bytes`, `12.5 kB`, `3.1 MB`."""
    if n_bytes < 1000:
        return "%d bytes" % n_bytes
    if n_bytes < 1000000:
        return "%.1f kB" % (n_bytes / 1000)
    return "%.1f MB" % (n_bytes / 1000000)


def _code_button(name: str, state: dict) -> tuple:
    shown = name in state["shown"]
    attrs = {
        "type": "button",
        "class": "button secondary small code-button",
        "on-click": {"type": "code", "stage": name},
        "aria-expanded": "true" if shown else "false",
        "aria-controls": name + "-code",
        "data-test": "code-" + name,
        "disabled": state["engine"] is None,
    }
    return h("button", attrs, icon("down"), h("span", {}, "Hide the Python" if shown else "Show the Python"))


def _code(name: str, state: dict) -> tuple:
    if name not in state["shown"]:
        return h("div", {"class": "code", "id": name + "-code", "hidden": True})
    listings = [_listing(listing) for listing in state["code"].get(name, [])]
    return h("div", {"class": "code", "id": name + "-code", "data-test": "listing-" + name}, listings)


def _listing(listing: dict) -> tuple:
    where = "%s, line %s" % (listing["module"], number(listing["first_line"]))
    lines = [h("span", {"class": "py-" + kind}, text) if kind else text for kind, text in listing["pieces"]]
    label = "Source of " + listing["name"]
    return h(
        "figure",
        {"key": listing["module"] + listing["name"]},
        h("figcaption", {}, h("b", {}, listing["name"]), h("span", {}, where)),
        h("pre", {"tabindex": "0", "role": "region", "aria-label": label}, h("code", {}, lines)),
    )
