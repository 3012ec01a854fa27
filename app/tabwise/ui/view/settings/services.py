"""Services that write answers: those that are set up, and the fields of the one that is open."""

from tabwise.protocol.providers import PRESETS, provider_key_name, read_address
from tabwise.protocol.tables.settings import PROVIDER_KINDS
from tabwise.ui.events.services import found_text, name_of
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import site_of
from tabwise.ui.view.parts import button, spinner
from tabwise.ui.view.settings.parts import line_text
from tabwise.ui.words import error_action, error_sentence, say


def services_section(state: dict) -> list:
    """Return the services, the fields of the open one, and what can be added."""
    opened = state["service"]
    services = state["settings"]["providers"]
    rows = [_row(state, service) for service in services]
    kinds = [
        button(
            say("kind_" + kind), {"type": "service_add", "value": kind}, "secondary small", test="add-" + kind
        )
        for kind in PROVIDER_KINDS
    ]
    return [
        h("p", {"class": "hint", "key": "hint"}, say("services_hint")),
        h("ul", {"class": "list", "key": "services"}, rows) if rows else None,
        _fields(state, opened) if opened else None,
        None
        if opened
        else h(
            "div",
            {"class": "part-block", "key": "add", "role": "group", "aria-label": say("service_add")},
            h("h3", {}, say("service_add")),
            h("div", {"class": "control"}, kinds),
        ),
    ]


def _row(state: dict, service: dict) -> tuple:
    name = name_of(service)
    detail = [service["model"] or say("service_no_model"), site_of(service["address"])]
    place = state["keys"].get(provider_key_name(service["id"]))
    if place:
        detail.append(say("service_key_is", place=say("key_is_" + place)))
    elif PRESETS[service["kind"]]["needs_key"]:
        detail.append(say("service_no_key"))
    edit = {"type": "service_edit", "service": service["id"]}
    remove = {"type": "service_remove", "service": service["id"]}
    text = h(
        "span",
        {"class": "line-text"},
        h("b", {"dir": "auto"}, name),
        h("small", {"dir": "auto"}, " · ".join(detail)),
    )
    return h(
        "li",
        {"class": "line", "key": service["id"], "data-test": "service"},
        text,
        button(
            say("service_edit"),
            edit,
            "quiet small",
            test="service-edit",
            aria=say("act_on", act=say("service_edit"), name=name),
        ),
        button(
            say("remove"),
            remove,
            "quiet small",
            test="service-remove",
            aria=say("act_on", act=say("remove"), name=name),
        ),
    )


def _fields(state: dict, opened: dict) -> tuple:
    record, fixed = opened["entry"], PRESETS[opened["entry"]["kind"]]["fixed"]
    fault = read_address(record["address"], record["kind"])[1]
    trying = opened["trying"] != ""
    attrs = {
        "class": "service-fields",
        "key": "fields",
        "role": "group",
        "aria-label": name_of(record),
        "data-test": "service-fields",
    }
    return h(
        "div",
        attrs,
        h("h3", {}, say("kind_" + record["kind"])),
        h(
            "div",
            {"class": "fields"},
            _box("label", record["label"], ""),
            None if fixed else _box("address", record["address"], fault if record["address"] else ""),
            _box("model", record["model"], ""),
        ),
        _models(opened) if opened["found"] else None,
        _key(state, opened),
        h(
            "div",
            {"class": "control", "key": "acts"},
            button(
                say("service_try"), {"type": "service_try"}, "secondary", test="service-try", disabled=trying
            ),
            button(say("service_done"), {"type": "service_close"}, "quiet", test="service-done"),
            [spinner(), h("span", {}, say("qdrant_trying"))] if trying else None,
        ),
        _fault(opened) if opened["error"] else None,
        h("p", {"key": "found", "data-test": "service-found"}, found_text(opened["found"]))
        if opened["found"]
        else None,
    )


def _box(name: str, value: str, fault: str) -> tuple:
    attrs = {
        "type": "text",
        "id": "service-" + name,
        "class": "filter field",
        "dir": "auto" if name == "label" else "ltr",
        "spellcheck": "false",
        "autocapitalize": "off",
        "data-test": "service-" + name,
        "aria-invalid": "true" if fault else None,
        "aria-describedby": "service-fault" if fault else None,
        "value": value,
        "on-input": {"type": "service_typed", "name": name},
        "on-change": {"type": "service_save"},
    }
    return h(
        "label",
        {"class": "field-line", "key": name},
        h("b", {}, say("service_" + name)),
        h("input", attrs),
        h("span", {"class": "fault", "id": "service-fault"}, say("address_" + fault)) if fault else None,
    )


def _models(opened: dict) -> tuple | None:
    """The models a service told of, to choose one without typing its name."""
    names = [model["id"] for model in opened["found"]["models"]]
    if not names:
        return None
    chosen = opened["entry"]["model"]
    listed = names if chosen in names else [chosen] + names
    options = [h("option", {"key": name, "value": name, "selected": name == chosen}, name) for name in listed]
    attrs = {
        "value": chosen,
        "data-test": "service-models",
        "on-change": {"type": "service_save", "name": "model"},
    }
    box = h("span", {"class": "select boxed"}, h("select", attrs, options), icon("down"))
    return h("label", {"class": "line alone", "key": "offered"}, line_text("service_offered"), box)


def _key(state: dict, opened: dict) -> tuple:
    place = state["keys"].get(provider_key_name(opened["entry"]["id"]))
    if place:
        return h(
            "div",
            {"class": "control", "key": "key", "data-test": "service-key-kept"},
            h("span", {}, say("act_on", act=say("service_key"), name=say("key_is_" + place))),
            button(
                say("key_forget"), {"type": "service_forget_key"}, "secondary small", test="service-forget"
            ),
        )
    attrs = {
        "type": "password",
        "id": "service-key",
        "class": "filter field",
        "dir": "ltr",
        "autocomplete": "off",
        "data-test": "service-key",
        "value": opened["key"],
        "on-input": {"type": "service_typed", "name": "key"},
    }
    places = [
        button(
            say("key_keep_" + where),
            {"type": "service_key", "place": where},
            "secondary small",
            test="service-key-" + where,
        )
        for where in ("session", "kept")
    ]
    return h(
        "div",
        {"class": "fields", "key": "key"},
        h("label", {"class": "field-line"}, h("b", {}, say("service_key")), h("input", attrs)),
        h("div", {"class": "control"}, places) if opened["key"] else None,
    )


def _fault(opened: dict) -> tuple:
    error = opened["error"]
    attrs = {"class": "control", "key": "error", "data-test": "service-error", "data-code": error["code"]}
    allow = {"type": "service_allow", "address": opened["entry"]["address"]}
    may = error_action("tab_needs_permission")[0]
    return h(
        "div",
        attrs,
        h("p", {"class": "fault"}, error_sentence(error["code"], error["subject"])),
        button(may, allow, "secondary small", test="service-allow")
        if error["code"] == "network_blocked"
        else None,
    )
