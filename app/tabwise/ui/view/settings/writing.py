"""Who writes answers: every engine there is with what it can and costs, one of them chosen."""

from tabwise.protocol.providers import provider_model_id
from tabwise.ui.events.services import name_of
from tabwise.ui.nodes import h
from tabwise.ui.state import find
from tabwise.ui.text import decimal, site_of, size
from tabwise.ui.view.settings.parts import select_line
from tabwise.ui.words import knows, say

AGENT_STEPS = (10, 20, 40, 80)
AGENT_SECONDS = (60, 150, 300, 600)


def writing_section(state: dict) -> list:
    """Return the choice of the engine, and how long research may take."""
    preferences = state["settings"]["preferences"]
    rows = [engine_row(row, "engine", preferences["engine"]) for row in engine_rows(state)]
    return [
        h("p", {"class": "hint", "key": "hint"}, say("writing_hint")),
        h(
            "div",
            {"role": "radiogroup", "aria-label": say("section_writing"), "key": "engines"},
            h("ul", {"class": "list"}, rows),
        ),
        _limit("agent_steps", preferences["agent_steps"], AGENT_STEPS),
        _limit("agent_seconds", preferences["agent_seconds"], AGENT_SECONDS),
    ]


def engine_rows(state: dict) -> list:
    """Return the engines of which one is chosen, as `known_engines` does."""
    return with_absent(known_engines(state), state["settings"]["preferences"]["engine"])


def known_engines(state: dict) -> list:
    """Return the engines as {"engine", "name", "more", "off"}; `off` ones are named and cannot be chosen."""
    rows = [_known("extractive")]
    models = state["catalogue"]["models"] if state["catalogue"] else []
    rows += [_of_model(model) for model in models if model["state"] == "here"]
    own = find(state["doctor"] or [], "topic", "prompt_api")
    if own is not None:
        more = say("writer_prompt_api_more") if own["reason"] == "available" else say(_sentence(own))
        rows.append(
            {
                "engine": "prompt_api",
                "name": say("writer_prompt_api"),
                "more": more,
                "off": own["reason"] != "available",
            }
        )
    rows += [_of_service(service) for service in state["settings"]["providers"]]
    return rows


def with_absent(rows: list, chosen: str) -> list:
    """Return the rows and the chosen one, which is kept while what it names is not there."""
    if find(rows, "engine", chosen) is not None:
        return rows
    return rows + [{"engine": chosen, "name": chosen, "more": say("writer_absent"), "off": False}]


def writer_names(services: list, catalogue: dict | None) -> dict:
    """Return who can have written a summary, by engine, as a line below it says."""
    names = {model["engine"]: model["label"] for model in (catalogue["models"] if catalogue else [])}
    names.update({provider_model_id(service["id"]): name_of(service) for service in services})
    names.update({"prompt_api": say("writer_prompt_api"), "summarizer": say("writer_summarizer")})
    names = {engine: say("summary_by", name=names[engine]) for engine in names}
    names["extractive"] = say("summary_own_words")
    return names


def _known(engine: str) -> dict:
    return {
        "engine": engine,
        "name": say("writer_" + engine),
        "more": say("writer_" + engine + "_more"),
        "off": False,
    }


def _of_model(model: dict) -> dict:
    if knows("writer_" + model["engine"]):
        row = _known(model["engine"])
    else:
        more = say("writer_local_more", size=size(model["size_bytes"]))
        row = {"engine": model["engine"], "name": model["label"], "more": more, "off": False}
    if model["speed"] is not None:
        row["more"] += " " + say("writer_speed", rate=decimal(model["speed"]["decode_per_s"]))
        if model["speed"]["is_slow"]:
            row["more"] += " " + say("model_slow")
    return row


def _of_service(service: dict) -> dict:
    name = name_of(service)
    if service["model"]:
        name += " · " + service["model"]
    return {
        "engine": provider_model_id(service["id"]),
        "name": name,
        "more": say("writer_service_more", place=site_of(service["address"])),
        "off": service["model"] == "",
    }


def _sentence(line: dict) -> str:
    return "doctor_" + line["topic"] + "_" + line["reason"]


def engine_row(row: dict, name: str, chosen: str) -> tuple:
    """Return the line of an engine that can be chosen for the preference `name`."""
    attrs = {
        "type": "radio",
        "class": "radio",
        "name": name,
        "value": row["engine"],
        "checked": row["engine"] == chosen,
        "disabled": row["off"],
        "data-test": name.replace("_", "-") + "-" + row["engine"],
        "on-change": {"type": "choose", "name": name},
    }
    text = h(
        "span", {"class": "line-text"}, h("b", {"dir": "auto"}, row["name"]), h("small", {}, row["more"])
    )
    return h("li", {"key": row["engine"]}, h("label", {"class": "line"}, h("input", attrs), text))


def _limit(name: str, value: int, choices: tuple) -> tuple:
    # a number that was stored by hand stays in the list
    numbers = sorted(set(choices + (value,)))
    options = [(str(number), say(name + "_option", n=number)) for number in numbers]
    return select_line(name, str(value), options, {"type": "choose", "name": name}, "line alone")
