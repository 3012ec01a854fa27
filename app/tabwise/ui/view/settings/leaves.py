"""What left this computer: what was agreed to, how much went where, and sites whose pages never leave."""

from tabwise.ui.nodes import h
from tabwise.ui.text import number, size
from tabwise.ui.view.parts import button, icon_button
from tabwise.ui.view.settings.parts import part
from tabwise.ui.words import say


def leaves_section(state: dict) -> list:
    """Return the account of what left, the agreements, and the sites that stay here."""
    account = state["account"]
    if account is None:
        return [h("p", {"class": "empty", "key": "unknown"}, say("library_unknown")), _kept_here(state)]
    return [
        part("leaves_totals", _totals(account["totals"])),
        part("leaves_agreed", _agreed(account["agreed"])),
        _kept_here(state),
    ]


def _totals(totals: list) -> tuple:
    if not totals:
        return h("p", {"class": "empty", "data-test": "leaves-none"}, say("leaves_none"))
    heads = ("leaves_place", "leaves_requests", "leaves_sent", "leaves_received")
    rows = []
    for total in totals:
        place = total["origin"] if total["remote"] else say("leaves_local", place=total["origin"])
        cells = [number(total["n_requests"]), size(total["sent_bytes"]), size(total["received_bytes"])]
        purpose = h("small", {}, say("purpose_" + total["purpose"]))
        name = h("th", {"scope": "row"}, h("span", {"dir": "ltr"}, place), purpose)
        key = total["origin"] + total["purpose"]
        rows.append(h("tr", {"key": key}, name, [h("td", {}, cell) for cell in cells]))
    return h(
        "div",
        {"class": "wide", "tabindex": "0", "role": "region", "aria-label": say("leaves_totals")},
        h(
            "table",
            {"data-test": "leaves-totals"},
            h("thead", {}, h("tr", {}, [h("th", {"scope": "col"}, say(head)) for head in heads])),
            h("tbody", {}, rows),
        ),
    )


def _agreed(agreed: list) -> tuple:
    if not agreed:
        return h("p", {"class": "empty"}, say("leaves_agreed_none"))
    rows = [
        h(
            "li",
            {"class": "line", "key": place["origin"] + place["purpose"], "data-test": "agreed"},
            h(
                "span",
                {"class": "line-text"},
                h("b", {"dir": "ltr"}, place["origin"]),
                h("small", {}, say("purpose_" + place["purpose"])),
            ),
            button(
                say("give_back"),
                {"type": "egress_revoke", "origin": place["origin"], "purpose": place["purpose"]},
                "secondary small",
                test="revoke",
                aria=say("give_back_label", site=place["origin"]),
            ),
        )
        for place in agreed
    ]
    return h("ul", {"class": "list"}, rows)


def _kept_here(state: dict) -> tuple:
    fault = state["leaves_error"]
    sites = sorted(state["settings"]["never_leaves"], key=lambda site: site.lstrip("*."))
    box = {
        "type": "text",
        "id": "never-leaves",
        "class": "filter field",
        "dir": "ltr",
        "spellcheck": "false",
        "autocapitalize": "off",
        "data-test": "never-leaves",
        "aria-label": say("rule_label"),
        "aria-invalid": "true" if fault else None,
        "aria-describedby": "never-leaves-fault" if fault else None,
        "placeholder": say("rule_hint"),
        "value": state["leaves_draft"],
        "on-input": {"type": "leaves_draft"},
    }
    add = button(say("leaves_add"), {"type": "leaves_add"}, "secondary", test="leaves-add")
    rows = [
        h(
            "li",
            {"class": "line", "key": site, "data-test": "stays"},
            h("bdi", {"class": "line-text", "dir": "ltr"}, site),
            icon_button("trash", say("rule_remove", site=site), {"type": "leaves_remove", "site": site}),
        )
        for site in sites
    ]
    return part(
        "never_leaves",
        h("div", {"class": "add-rule"}, h("input", box), add),
        h("p", {"class": "fault", "id": "never-leaves-fault"}, say("rule_" + fault)) if fault else None,
        h("ul", {"class": "list"}, rows) if rows else h("p", {"class": "empty"}, say("no_rules")),
    )
