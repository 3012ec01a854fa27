"""Which pages a question is kept to: the choice of sites and dates, and the chips of what was chosen."""

from tabwise.ui.dates import OWN_SPAN, SPANS, read_date
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import icon_button
from tabwise.ui.words import say


def narrowing_view(narrowed: dict, hosts: list) -> tuple:
    """Return the choice of sites and dates, for `state["narrowed"]` and the sites of the library."""
    chosen = [host for host in narrowed["sites"] if host not in hosts]
    sites = [_site(host, host in narrowed["sites"]) for host in chosen + hosts]
    return h(
        "section",
        {
            "class": "narrowing",
            "key": "narrowing",
            "id": "narrowing",
            "data-test": "narrowing",
            "aria-label": say("narrow"),
        },
        h("h3", {"id": "narrow-dates"}, say("narrow_dates")),
        h(
            "div",
            {"class": "spans", "role": "radiogroup", "aria-labelledby": "narrow-dates"},
            [_span(days, narrowed["days"]) for days in SPANS + (OWN_SPAN,)],
        ),
        _own_span(narrowed) if narrowed["days"] == OWN_SPAN else None,
        _recent(narrowed["recent"]),
        h("h3", {"id": "narrow-sites"}, say("narrow_sites")) if sites else None,
        h("ul", {"class": "sites", "aria-labelledby": "narrow-sites"}, sites) if sites else None,
    )


def _span(days: int, chosen: int) -> tuple:
    attrs = {
        "type": "radio",
        "id": "span-%d" % days,
        "name": "span",
        "class": "hidden",
        "value": str(days),
        "checked": days == chosen,
        "data-test": "span-%d" % days,
        "on-change": {"type": "narrow_span"},
    }
    return h("label", {"class": "pill", "key": str(days)}, h("input", attrs), h("span", {}, span_name(days)))


def span_name(days: int) -> str:
    """Return the name of a span of days back from today."""
    return say("span_own") if days == OWN_SPAN else say("span_" + str(days))


def _own_span(narrowed: dict) -> tuple:
    return h("div", {"class": "dates", "key": "dates"}, [_date(end, narrowed) for end in ("from", "to")])


def _date(end: str, narrowed: dict) -> tuple:
    other = narrowed["to" if end == "from" else "from"]
    attrs = {
        "type": "date",
        "value": narrowed[end],
        "max" if end == "from" else "min": other or None,
        "data-test": "date-" + end,
        "on-change": {"type": "narrow_date", "end": end},
    }
    return h("label", {"key": end}, h("span", {}, say("date_" + end)), h("input", attrs))


def _recent(on: bool) -> tuple:
    attrs = {"type": "checkbox", "checked": on, "data-test": "recent", "on-change": {"type": "narrow_recent"}}
    return h(
        "label", {"class": "check", "key": "recent"}, h("input", attrs), h("span", {}, say("prefer_recent"))
    )


def _site(host: str, on: bool) -> tuple:
    attrs = {
        "type": "button",
        "class": "pill on" if on else "pill",
        "aria-pressed": "true" if on else "false",
        "data-test": "site",
        "on-click": {"type": "narrow_site", "host": host},
    }
    return h("li", {"key": host}, h("button", attrs, h("bdi", {"dir": "ltr"}, host)))


def narrowed_chips(narrowed: dict) -> tuple | None:
    """Return what a question is kept to as chips that can be taken away, None when it is kept to nothing."""
    chips = []
    dates = _dates_text(narrowed)
    if dates:
        chips.append(_chip("dates", dates, {"type": "narrow_drop", "what": "dates"}))
    for host in narrowed["sites"]:
        chips.append(_chip("site " + host, host, {"type": "narrow_drop", "what": "site", "host": host}))
    if narrowed["recent"]:
        chips.append(_chip("recent", say("recent_first"), {"type": "narrow_drop", "what": "recent"}))
    if not chips:
        return None
    return h("ul", {"class": "kept-to", "key": "kept-to", "aria-label": say("kept_to")}, chips)


def _chip(key: str, text: str, event: dict) -> tuple:
    return h(
        "li",
        {"class": "kept", "key": key, "data-test": "kept"},
        h("bdi", {}, text),
        icon_button("cross", say("kept_drop", what=text), event, style="tiny", test="drop"),
    )


def _dates_text(narrowed: dict) -> str:
    if narrowed["days"] >= 0:
        return span_name(narrowed["days"]) if narrowed["days"] else ""
    ends = [(end, read_date(narrowed[end])) for end in ("from", "to")]
    return " ".join([say("date_" + end + "_day", day=_day(*date)) for end, date in ends if date])


def _day(year: int, month: int, day: int) -> str:
    return say("day", year=str(year), month=say("month_" + str(month)), day=str(day))


def narrow_button(shown: bool, n_chosen: int) -> tuple:
    """Return the button that opens the choice."""
    attrs = {
        "type": "button",
        "id": "narrow",
        "class": "icon-button narrow" + (" on" if n_chosen else ""),
        "data-test": "narrow",
        "aria-label": say("narrow"),
        "title": say("narrow"),
        "aria-expanded": "true" if shown else "false",
        "aria-controls": "narrowing" if shown else None,
        "on-click": {"type": "narrow"},
    }
    return h("button", attrs, icon("funnel"))
