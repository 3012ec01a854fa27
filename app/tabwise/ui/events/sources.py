"""Which saved page each tab shows: one page can have several addresses, and only the engine can tell.

It is asked about PART addresses at a time: to read the answer about all tabs would hold the panel up.
"""

from tabwise.protocol.addresses import host_of
from tabwise.ui import client
from tabwise.ui.state import put

PART = 100


def locate(state: dict, event: dict) -> tuple:
    """Ask for the sources of the tabs' addresses that are new, once there are saved pages to compare with."""
    if not state["known"] or not state["library"]:
        return state, []
    urls: list = []
    seen = set()
    for tab in state["tabs"]:
        url = tab["url"]
        if url not in state["sources"] and url not in seen and host_of(url):
            seen.add(url)
            urls.append(url)
    if not urls:
        return state, []
    # of open tabs only; until the answer an address is compared as it is
    before = state["sources"]
    sources = {tab["url"]: before[tab["url"]] for tab in state["tabs"] if tab["url"] in before}
    sources.update({url: "" for url in urls[:PART]})
    return client.send(put(state, sources=sources), event["id"] + "-locate", "locate", urls=urls[:PART])


def on_locate(state: dict, message: dict, event: dict) -> tuple:
    """The sources of addresses arrived; ask about those that are left."""
    if message["type"] != "done":
        return state, []
    sources = dict(state["sources"])
    sources.update({found["url"]: found["source"] for found in message["result"]})
    return locate(put(state, sources=sources), event)
