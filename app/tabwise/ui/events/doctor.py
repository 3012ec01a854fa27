"""What works here and why not: asked when the settings open, looked into further when the reader says so."""

from tabwise.ui import client
from tabwise.ui.events import models, sections, services
from tabwise.ui.state import put
from tabwise.ui.words import error_sentence, say

# where the action "settings" of a topic leads: the section of the page
SECTION_OF = {"sites": "reading", "provider": "services", "qdrant": "qdrant"}


def describe(state: dict, event: dict) -> tuple:
    """Ask for what can be seen without looking far."""
    return client.send(state, event["id"] + "-doctor", "doctor", check=False, test=False)


def examine(state: dict, event: dict) -> tuple:
    """Look through the whole library file; `test` asks the services too."""
    if state["examining"]:
        return state, []
    state = put(state, examining=event["id"])
    return client.send(state, event["id"], "doctor", check=True, test=event["test"])


def act(state: dict, event: dict) -> tuple:
    """Do what a line offers."""
    action, topic = event["action"], event["topic"]
    if action == "retry":
        return examine(state, put(event, test=False))
    if action == "test":
        return examine(state, put(event, test=True))
    if action == "reset":
        return client.send(put(state, fault=None), event["id"], "reset_library")
    if action == "reembed":
        return models.reembed(state, event)
    if action == "restart":
        return client.send(state, event["id"], "engine_restart")
    if action == "keep_storage":
        return state, [("keep_storage",)]
    if action == "download":
        return state, [("announce", say("stage_download")), ("fetch_browser_model", topic)]
    if action == "extension_details":
        return state, [("open_details",)]
    if topic == "provider" and event["subject"]:
        return services.edit(state, {"service": event["subject"]})
    section = "library" if action == "pages" else SECTION_OF.get(topic, topic)
    return sections.go(state, {"section": section})


def again(state: dict, event: dict) -> tuple:
    """Something that a line told of has changed."""
    return describe(state, event)


def on_doctor(state: dict, message: dict, event: dict) -> tuple:
    """The findings are there, or could not be told."""
    if message["type"] not in ("done", "error", "cancelled"):
        return state, []
    asked = state["examining"] == message["re"]
    state = put(state, examining="" if asked else state["examining"])
    if message["type"] == "done":
        state = put(state, doctor=message["result"])
        n_broken = len([line for line in message["result"] if line["state"] == "broken"])
        said = say("doctor_broken", n=n_broken) if n_broken else say("doctor_fine")
        return state, [("announce", said)] if asked else []
    return state, [("announce", error_sentence(message["code"]))] if message[
        "type"
    ] == "error" and asked else []


def on_restart(state: dict, message: dict, event: dict) -> tuple:
    """The engine starts anew; its notices tell the rest."""
    return state, []


TABLE = {"doctor_examine": examine, "doctor_act": act, "doctor_again": again}
