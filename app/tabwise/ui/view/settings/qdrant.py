"""The vector store: where it is, its key, what answers there, and how far the mirror is."""

from tabwise.protocol.qdrant import KEY_NAME
from tabwise.ui.events.qdrant import found_text, state_text
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button, spinner
from tabwise.ui.view.settings.parts import switch_line
from tabwise.ui.view.task import task_line
from tabwise.ui.words import error_action, error_sentence, say


def qdrant_section(state: dict) -> list:
    """Return the section of the vector store."""
    chosen, boxes = state["settings"]["qdrant"], state["qdrant"]
    address = chosen["address"] if boxes["address"] is None else boxes["address"]
    collection = chosen["collection"] if boxes["collection"] is None else boxes["collection"]
    return [
        h("p", {"class": "hint", "key": "hint"}, say("qdrant_hint")),
        h(
            "div",
            {"class": "fields", "key": "fields"},
            _box("address", address),
            _box("collection", collection),
        ),
        _key(state),
        h("div", {"class": "control", "key": "try"}, _try(boxes)),
        _answer(boxes),
        switch_line("qdrant_on", chosen["enabled"], {"type": "qdrant_switch"}, "line alone"),
        _mirror(state) if chosen["enabled"] else None,
    ]


def _box(name: str, value: str) -> tuple:
    attrs = {
        "type": "text",
        "id": "qdrant-" + name,
        "class": "filter field",
        "dir": "ltr",
        "spellcheck": "false",
        "autocapitalize": "off",
        "data-test": "qdrant-" + name,
        "value": value,
        "on-input": {"type": "qdrant_typed", "name": name},
        "on-change": {"type": "qdrant_save"},
    }
    return h(
        "label", {"class": "field-line", "key": name}, h("b", {}, say("qdrant_" + name)), h("input", attrs)
    )


def _key(state: dict) -> tuple:
    place = state["keys"].get(KEY_NAME)
    if place:
        forget = {"type": "qdrant_forget_key"}
        return h(
            "div",
            {"class": "control", "key": "key", "data-test": "qdrant-key-kept"},
            h("span", {}, say("qdrant_key") + ": " + say("key_is_" + place)),
            button(say("key_forget"), forget, "secondary small", test="qdrant-forget"),
        )
    typed = state["qdrant"]["key"]
    attrs = {
        "type": "password",
        "id": "qdrant-key",
        "class": "filter field",
        "dir": "ltr",
        "autocomplete": "off",
        "data-test": "qdrant-key",
        "placeholder": say("qdrant_key_none"),
        "value": typed or "",
        "on-input": {"type": "qdrant_typed", "name": "key"},
    }
    places = [
        button(
            say("key_keep_" + where),
            {"type": "qdrant_key", "place": where},
            "secondary small",
            test="qdrant-key-" + where,
        )
        for where in ("session", "kept")
    ]
    return h(
        "div",
        {"class": "fields", "key": "key"},
        h("label", {"class": "field-line"}, h("b", {}, say("qdrant_key")), h("input", attrs)),
        h("div", {"class": "control"}, places) if typed else None,
    )


def _try(boxes: dict) -> list:
    trying = boxes["trying"] != ""
    return [
        button(say("qdrant_try"), {"type": "qdrant_try"}, "secondary", test="qdrant-try", disabled=trying),
        spinner() if trying else None,
        h("span", {}, say("qdrant_trying")) if trying else None,
    ]


def _answer(boxes: dict) -> tuple | None:
    error, found = boxes["error"], boxes["found"]
    if error:
        return _fault(error)
    if not found:
        return None
    older = found["older"]
    return h(
        "div",
        {"class": "fields", "key": "answer", "data-test": "qdrant-found"},
        h("p", {}, found_text(found)),
        h("p", {"class": "hint"}, say("qdrant_older", names=", ".join(older))) if older else None,
    )


def _fault(error: dict) -> tuple:
    subject = error["subject"]
    leads = error["code"] in ("qdrant_path", "qdrant_tls") and subject != ""
    use = {"type": "qdrant_use", "address": subject}
    allow = {"type": "qdrant_allow", "origin": subject} if error["code"] == "network_blocked" else None
    may = error_action("tab_needs_permission")[0]
    attrs = {"class": "control", "key": "answer", "data-test": "qdrant-error", "data-code": error["code"]}
    return h(
        "div",
        attrs,
        h("p", {"class": "fault"}, error_sentence(error["code"])),
        h("bdi", {"class": "hint", "dir": "ltr"}, subject) if subject and not leads else None,
        button(may, allow, "secondary small", test="qdrant-allow") if allow else None,
        button(say("qdrant_use", address=subject), use, "secondary small", test="qdrant-use")
        if leads
        else None,
    )


def _mirror(state: dict) -> tuple | None:
    told, boxes = state["qdrant"]["state"], state["qdrant"]
    if told is None:
        return None
    task = state["tasks"].get("qdrant_sync")
    running = task is not None and task["running"]
    return h(
        "div",
        {"class": "fields", "key": "mirror"},
        h("p", {"class": "counts", "data-test": "qdrant-state"}, state_text(told)),
        task_line(state, "qdrant_sync"),
        None if running else _sure(told) if boxes["sending"] else _fill(),
    )


def _fill() -> tuple:
    fill = {"type": "qdrant_send_ask"}
    shown = button(say("qdrant_fill"), fill, "secondary", test="qdrant-fill", id="qdrant-fill")
    return h("div", {"class": "control", "key": "fill"}, shown)


def _sure(told: dict) -> tuple:
    attrs = {"class": "offer", "key": "sure", "role": "group", "aria-label": say("qdrant_fill")}
    yes = button(say("qdrant_send"), {"type": "qdrant_send"}, "primary", test="qdrant-send", id="qdrant-send")
    no = button(say("not_now"), {"type": "qdrant_send_not"}, "secondary", test="qdrant-send-not")
    return h("div", attrs, h("p", {}, say("qdrant_sends", place=told["destination"])), yes, no)
