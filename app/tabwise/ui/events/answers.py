"""What is around an answer: pages asked one by one, research steps, bytes sent, receipt, freshness.

`inside` of the state holds one record a block (`INSIDE`), made when there is something to tell. A request
about an answer is remembered in `about` by its id, with the block and, for a citation, its number: replies
carry no more than that id.
"""

from tabwise.ui import client
from tabwise.ui.conversation import cited_block
from tabwise.ui.events import chat
from tabwise.ui.receipts import read_receipt, replay_text
from tabwise.ui.state import INSIDE, MANNERS, find, put, put_at, without
from tabwise.ui.titles import title_of
from tabwise.ui.words import error_sentence, say

LOOK_MS = 250  # an excerpt is looked at for so long before its page is read again
FRESH_MS = 60000  # and not again for so long
SLOW_MS = 1500  # an answer that takes longer is read out sentence by sentence
SPEAK_MS = 700  # apart: what follows faster would not be heard


def manner(state: dict, event: dict) -> tuple:
    """Choose how questions are answered."""
    chosen = event["value"]
    return (put(state, manner=chosen), []) if chosen in MANNERS else (state, [])


def chip_enter(state: dict, event: dict) -> tuple:
    """The pointer or the focus came to a citation: show its excerpt, and look soon whether it stands."""
    state, effects = chat.chip_enter(state, event)
    return state, effects + [("timer", LOOK_MS, {"type": "fresh_check", "token": event["id"]})]


def fresh_check(state: dict, event: dict) -> tuple:
    """An excerpt has been looked at for a moment: compare it with its page as that is now."""
    card = state["card"]
    if card is None or card["token"] != event["token"]:
        return state, []
    block = cited_block(state, card["block"])
    cited = find(block["citations"], "number", card["number"]) if block else None
    if cited is None:
        return state, []
    known = inside_of(state, card["block"])["fresh"].get(str(card["number"]))
    if known is not None and (known["freshness"] is None or event["now"] - known["at"] < FRESH_MS):
        return state, []
    waiting = {"freshness": known["freshness"] if known else None, "at": event["now"]}
    state = _fresh(state, card["block"], card["number"], waiting)
    tabs = [tab for tab in state["tabs"] if _shows(state, tab, cited)]
    state = _about(state, event, card["block"], card["number"])
    to_read = [put(tab, allowed=False, confirmed=False, selection=False) for tab in tabs]
    return client.send(state, event["id"], "freshness", citation=cited, tabs=to_read)


def quotes(state: dict, event: dict) -> tuple:
    """Show the cited words beneath each sentence, or hide them."""
    return put_inside(state, event["block"], quotes=not inside_of(state, event["block"])["quotes"]), []


def receipt_open(state: dict, event: dict) -> tuple:
    """The reader wants to know how an answer came about: fetch its receipt, once."""
    block = cited_block(state, event["block"])
    inside = inside_of(state, event["block"])
    if block is None or block["answer"] is None or inside["receipt"] is not None or inside["fetching"]:
        return state, []
    state = _about(put_inside(state, event["block"], fetching=True, receipt_error=""), event, event["block"])
    return client.send(state, event["id"], "receipt", answer=block["answer"]["id"])


def receipt_save(state: dict, event: dict) -> tuple:
    """Save a receipt as a file."""
    inside = inside_of(state, event["block"])
    if inside["receipt"] is None:
        return state, []
    name = "tabwise-receipt-%s.json" % inside["receipt"]["id"]
    return state, [("save", name, "application/json", inside["receipt_text"])]


def receipt_replay(state: dict, event: dict) -> tuple:
    """Run the searches of a receipt again."""
    inside = inside_of(state, event["block"])
    if inside["receipt"] is None or inside["replaying"]:
        return state, []
    state = put_inside(state, event["block"], replaying=True, replay=None, receipt_error="")
    return client.send(
        _about(state, event, event["block"]), event["id"], "replay", receipt=inside["receipt_text"]
    )


def on_ask(state: dict, message: dict, event: dict) -> tuple:
    """An event of a question; what it sent is kept, and what it may not send is asked for."""
    if message["type"] == "egress":
        return put_inside(state, message["re"], sent=message["totals"]), []
    block = find(state["blocks"], "id", message["re"])
    was_working = block is not None and block["state"] == "working"
    state, effects = chat.on_ask(state, message, event)
    if message["type"] == "sentence" and was_working:
        return _speak(state, message["re"], event)
    if message["type"] != "done" or not was_working:
        return state, effects
    fallback = message["result"]["fallback"]
    if fallback is None or fallback["code"] != "egress_refused":
        return state, effects
    asked = put(event, id=event["id"] + "-preview")
    state = _about(state, asked, message["re"])
    state, more = client.send(
        state, asked["id"], "egress_preview", origin=fallback["subject"], purpose="answer"
    )
    return state, effects + more


def on_each(state: dict, message: dict, event: dict) -> tuple:
    """An event of a question that every page is asked: a page has answered, or all have."""
    if find(state["blocks"], "id", message["re"]) is None:
        return state, []
    if message["type"] == "page_answer":
        page = message["page"]
        each = inside_of(state, message["re"])["each"] + [page]
        said = say("announce_page" if page["relevant"] else "announce_page_no", title=title_of(page))
        return put_inside(state, message["re"], each=each), [("announce", said)]
    if message["type"] == "egress":
        return put_inside(state, message["re"], sent=message["totals"]), []
    if message["type"] != "done":
        return chat.on_ask(state, message, event)
    pages = message["result"]
    state = put_inside(state, message["re"], each=pages)
    state = chat.finish(state, message["re"])
    n_relevant = len([page for page in pages if page["relevant"]])
    said = say("announce_each", n=n_relevant, total=len(pages))
    return state, [("announce", said), ("refocus", "question")]


def on_research(state: dict, message: dict, event: dict) -> tuple:
    """An event of a question that the agent looks into: a step began or ended, or it is answered."""
    if message["type"] == "step":
        step = message["step"]
        before = inside_of(state, message["re"])["steps"]
        steps = [one for one in before if one["number"] != step["number"]] + [step]
        return put_inside(state, message["re"], steps=sorted(steps, key=lambda one: one["number"])), []
    if message["type"] == "done":
        state = put_inside(state, message["re"], steps=message["result"]["steps"])
        message = put(message, result=message["result"]["answer"])
    return on_ask(state, message, event)


def on_receipt(state: dict, message: dict, event: dict) -> tuple:
    """A receipt arrived, or is not kept any more."""
    return _about_done(state, message, _take_receipt)


def on_replay(state: dict, message: dict, event: dict) -> tuple:
    """The searches were run again, or could not be."""
    return _about_done(state, message, _take_replay)


def on_freshness(state: dict, message: dict, event: dict) -> tuple:
    """A cited passage was compared with its page as that is now; where it could not be, nothing is said."""
    about = state["about"].get(message["re"])
    if about is None or message["type"] not in ("done", "error", "cancelled"):
        return state, []
    state = put(state, about=without(state["about"], message["re"]))
    block, number = about
    if message["type"] != "done":
        inside = inside_of(state, block)
        return put_inside(state, block, fresh=without(inside["fresh"], str(number))), []
    return _fresh(state, block, number, {"freshness": message["result"], "at": event["now"]}), []


def inside_of(state: dict, block: str) -> dict:
    """Return what is known beside the answer of a block."""
    known: dict = state["inside"].get(block, INSIDE)
    return known


def _speak(state: dict, block_id: str, event: dict) -> tuple:
    """Read out what is new of an answer that takes its time; what is not read out yet comes with its end."""
    block = find(state["blocks"], "id", block_id)
    inside = inside_of(state, block_id)
    if (
        block is None
        or event["now"] - max(block["started"] + SLOW_MS - SPEAK_MS, inside["said_at"]) < SPEAK_MS
    ):
        return state, []
    texts = [sentence["text"] for sentence in block["sentences"][inside["n_said"] :]]
    if not texts:
        return state, []
    state = put_inside(state, block_id, n_said=len(block["sentences"]), said_at=event["now"])
    return state, [("announce", " ".join(texts))]


def _take_receipt(state: dict, block: str, message: dict) -> tuple:
    state = put_inside(state, block, fetching=False)
    if message["type"] != "done":
        return _receipt_error(state, block, message)
    text = message["result"]["receipt"]
    receipt = read_receipt(text)
    if receipt is None:
        return _receipt_error(state, block, {"code": "receipt_unreadable"})
    return put_inside(state, block, receipt=receipt, receipt_text=text), []


def _take_replay(state: dict, block: str, message: dict) -> tuple:
    state = put_inside(state, block, replaying=False)
    if message["type"] != "done":
        return _receipt_error(state, block, message)
    replay = message["result"]
    return put_inside(state, block, replay=replay), [("announce", replay_text(replay))]


def _receipt_error(state: dict, block: str, message: dict) -> tuple:
    code = message.get("code", "")
    said = [("announce", error_sentence(code))] if code else []
    return put_inside(state, block, receipt_error=code), said


def _about_done(state: dict, message: dict, take) -> tuple:
    about = state["about"].get(message["re"])
    if about is None or message["type"] not in ("done", "error", "cancelled"):
        return state, []
    state = put(state, about=without(state["about"], message["re"]))
    return take(state, about[0], message)


def _shows(state: dict, tab: dict, cited: dict) -> bool:
    return cited["source"] in (state["sources"].get(tab["url"], ""), tab["url"])


def _about(state: dict, event: dict, block: str, number: int = 0) -> dict:
    return put(state, about=put_at(state["about"], event["id"], (block, number)))


def _fresh(state: dict, block: str, number: int, known: dict) -> dict:
    return put_inside(state, block, fresh=put_at(inside_of(state, block)["fresh"], str(number), known))


def put_inside(state: dict, block: str, **changes: object) -> dict:
    """Return the state in which this is known beside the answer of a block."""
    return put(state, inside=put_at(state["inside"], block, put(inside_of(state, block), **changes)))


TABLE = {
    "manner": manner,
    "chip_enter": chip_enter,
    "fresh_check": fresh_check,
    "quotes": quotes,
    "receipt_open": receipt_open,
    "receipt_save": receipt_save,
    "receipt_replay": receipt_replay,
}
