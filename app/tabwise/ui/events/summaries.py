"""Summaries of the listed pages: looked for, made when the reader asks, shown sentence by sentence.

What is made in the background tells nobody. So while a listed page lacks its summary and the reader wants
them made unasked, the engine is asked again after 1, 2, 4 … seconds, MAX_LOOKS times: when the Pages view or
the Library opens, when the Library lists other pages, and after pages were read. The first look replaces
what was known, so that a page that changed does not keep the summary of what it was; those after it ask for
what is missing. Each asks in parts: to read the summaries of all tabs at once would hold the panel up.

A service that may not be sent text of pages yet leaves them in their own words; each look asks what was held
back on its way there, so that the reader can allow it.
"""

from tabwise.protocol.providers import provider_model_id
from tabwise.ui import client
from tabwise.ui.events import chat, toast
from tabwise.ui.events.answers import inside_of
from tabwise.ui.shelf import shown_sources
from tabwise.ui.state import ABOUT_SUMMARIES, put, put_at, without
from tabwise.ui.tabs import listed_sources, unsummarised
from tabwise.ui.words import error_sentence, say

MAX_LOOKS = 7
FIRST_WAIT_MS = 1000
PART = 30


def look(state: dict, event: dict) -> tuple:
    """Ask for the summaries of the pages that are listed, and again until each has one."""
    return _look(state, event, _max_looks(state), _in_view(state))


def look_further(state: dict, event: dict) -> tuple:
    """Ask for the summaries that are not known yet: other pages are listed than before."""
    known = state["summaries"]["known"]
    missing = [source for source in _in_view(state) if source not in known]
    return _look(state, event, _max_looks(state), missing)


def look_again(state: dict, event: dict) -> tuple:
    """Time has passed since the look before; a later one takes its place."""
    told = state["summaries"]
    if told["look"] != event["after"] or not told["n_looks_left"]:
        return state, []
    missing = [source for source in _in_view(state) if source not in told["known"]]
    return _look(state, event, told["n_looks_left"] - 1, missing)


def summarise_all(state: dict, event: dict) -> tuple:
    """Make the summary of each listed page that has none."""
    return _write(state, event, unsummarised(state))


def write_all(state: dict, event: dict) -> tuple:
    """Have every listed page told in short by whoever is chosen; those that are are told as they are."""
    return _write(state, event, listed_sources(state))


def writer(state: dict) -> str:
    """Return the engine that is to write summaries."""
    chosen: str = state["settings"]["preferences"]["summary_engine"]
    return chosen


def _write(state: dict, event: dict, sources: list) -> tuple:
    if state["summaries"]["run"] or not sources:
        return state, []
    run = {"run": event["id"], "queue": sources, "n_done": 0, "in_hand": "", "parts": {}, "stopping": False}
    told = dict(state["summaries"])
    told.update(run)
    state, effects = client.send(put(state, summaries=told), event["id"], "summarise", sources=sources)
    return state, effects + [("announce", say("stage_summarise"))]


def summarise_stop(state: dict, event: dict) -> tuple:
    """Make no more of them."""
    told = state["summaries"]
    if not told["run"] or told["stopping"]:
        return state, []
    state = put(state, summaries=put(told, stopping=True))
    return client.send(state, event["id"], "cancel", target=told["run"])


def summary_unfold(state: dict, event: dict) -> tuple:
    """Show the sentences of a summary, or its one line alone."""
    told, source = state["summaries"], event["source"]
    others = [other for other in told["unfolded"] if other != source]
    unfolded = others if len(others) < len(told["unfolded"]) else others + [source]
    return put(state, summaries=put(told, unfolded=unfolded)), []


def summary_show(state: dict, event: dict) -> tuple:
    """Show on the page what a sentence rests on."""
    span = {name: event[name] for name in ("source", "start", "end")}
    return client.send(state, event["id"], "cite", **span)


def on_cite(state: dict, message: dict, event: dict) -> tuple:
    """The words of the passage are known."""
    if message["type"] == "error":
        return toast.show(state, error_sentence(message["code"]), event)
    if message["type"] != "done":
        return state, []
    return chat.show_citation(state, event["id"], message["result"], [])


def on_summaries(state: dict, message: dict, event: dict) -> tuple:
    """The summaries that are there arrived."""
    told = state["summaries"]
    if message["type"] != "done" or message["re"] != told["look"]:
        return state, []
    before, n_told = told["known"], told["n_told"] + PART
    known = dict(before)
    for source in told["asked"][told["n_told"] : n_told]:
        known.pop(source, None)
    for summary in message["result"]:
        kept = before.get(summary["source"])
        # an unchanged record stays the same object, so that its row is not drawn again
        known[summary["source"]] = kept if kept == summary else summary
    state = put(state, summaries=put(told, known=known, n_told=n_told))
    if n_told < len(told["asked"]):
        return _ask_part(state, event)
    n_left = told["n_looks_left"]
    if not n_left or not [source for source in told["asked"] if source not in known]:
        return state, []
    wait_ms = FIRST_WAIT_MS << (MAX_LOOKS - n_left)
    return state, [("timer", wait_ms, {"type": "summaries_again", "after": told["look"]})]


def on_summarise(state: dict, message: dict, event: dict) -> tuple:
    """The work goes on, a part was written, a summary is there, or it is over."""
    told, kind = state["summaries"], message["type"]
    if message["re"] != told["run"]:
        return state, []
    if kind == "progress" and message["unit"] == "pages":
        done = message["done"]
        in_hand = told["queue"][done] if done < len(told["queue"]) else ""
        return put(state, summaries=put(told, n_done=done, in_hand=in_hand)), []
    if kind == "summary_part":
        part = {name: message[name] for name in ("text", "number", "n_parts")}
        parts = put_at(told["parts"], message["source"], part)
        return put(state, summaries=put(told, parts=parts, in_hand=message["source"])), []
    if kind == "summary":
        summary = message["summary"]
        source = summary["source"]
        told = put(told, known=put_at(told["known"], source, summary), parts=without(told["parts"], source))
        return put(state, summaries=told), []
    if kind not in ("done", "error", "cancelled"):
        return state, []
    state = put(state, summaries=put(told, run="", queue=[], in_hand="", parts={}, stopping=False))
    if kind == "error":
        return toast.show(state, error_sentence(message["code"]), event)
    if kind == "done":
        said = say("summarised", n=message["result"]["n_summaries"])
        state, effects = _ask_what_waits(state, event)
        return state, effects + [("announce", said), ("refocus", "filter")]
    return state, [("refocus", "summarise")]


def _max_looks(state: dict) -> int:
    return MAX_LOOKS if state["settings"]["preferences"]["auto_summaries"] else 0


def _in_view(state: dict) -> list:
    """The sources of the pages whose cards are shown."""
    if state["view"] == "pages":
        return listed_sources(state)
    return shown_sources(state) if state["view"] == "shelf" else []


def _look(state: dict, event: dict, n_looks_left: int, sources: list) -> tuple:
    if not sources:
        return state, []
    told = put(state["summaries"], asked=sources, n_told=0, n_looks_left=n_looks_left)
    state, effects = _ask_part(put(state, summaries=told), event)
    state, more = _ask_what_waits(state, event)
    return state, effects + more


def _ask_part(state: dict, event: dict) -> tuple:
    told, request_id = state["summaries"], event["id"] + "-summaries"
    sources = told["asked"][told["n_told"] : told["n_told"] + PART]
    state = put(state, summaries=put(told, look=request_id))
    return client.send(state, request_id, "summaries", sources=sources)


def _ask_what_waits(state: dict, event: dict) -> tuple:
    """Ask what was held back on its way to the service that is to write, unless the reader knows."""
    chosen, services = writer(state), state["settings"]["providers"]
    places = [service["address"] for service in services if provider_model_id(service["id"]) == chosen]
    is_known = (
        inside_of(state, ABOUT_SUMMARIES)["preview"] is not None or state["summaries"]["declined"] == chosen
    )
    if not places or is_known:
        return state, []
    request_id = event["id"] + "-held"
    state = put(state, about=put_at(state["about"], request_id, (ABOUT_SUMMARIES, 0)))
    return client.send(state, request_id, "egress_preview", origin=places[0], purpose="summary")


TABLE = {
    "summaries_again": look_again,
    "summarise_all": summarise_all,
    "summarise_stop": summarise_stop,
    "summary_unfold": summary_unfold,
    "summary_show": summary_show,
}
