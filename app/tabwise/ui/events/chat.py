"""Questions and their answers: ask, stream, stop, ask again, edit, excerpts, copy.

A question that is asked again or edited stands beside the first, as another version in the same place.
"""

from tabwise.ui import client
from tabwise.ui.conversation import cited_block, shown_blocks, working_block
from tabwise.ui.events import clock, saved, toast
from tabwise.ui.markdown import block_markdown
from tabwise.ui.scope import asked_filter, scope_sources
from tabwise.ui.state import INSIDE, MAX_QUESTION_CHARS, NOT_OPENING, find, put, put_at, replace_in, without
from tabwise.ui.text import is_given_file
from tabwise.ui.threads import new_block
from tabwise.ui.words import error_sentence, say


def draft(state: dict, event: dict) -> tuple:
    """The text of the question box changed."""
    return put(state, draft=event["value"], draft_error=""), []


def ask(state: dict, event: dict) -> tuple:
    """Ask what stands in the question box; refused text stays there."""
    question = state["draft"].strip()
    if working_block(state):
        return state, []
    if not question:
        return state, [("focus", "question")]
    if len(question) > MAX_QUESTION_CHARS:
        return _refuse(state, "question_too_long")
    if state["known"] and not state["library"]:
        return _refuse(state, "library_empty")
    asked_of = {"sources": scope_sources(state) or [], "filter": asked_filter(state, event)}
    edited = find(state["blocks"], "id", state["editing"])
    parent = edited["parent"] if edited else _last_told(state)
    state, effects = _ask(state, question, parent, asked_of, state["manner"], event)
    return put(state, draft="", narrowing=False), effects


def ask_text(state: dict, event: dict) -> tuple:
    """Ask a starter question."""
    return ask(put(state, draft=event["text"]), event)


def again(state: dict, event: dict) -> tuple:
    """Ask the question of a block again."""
    block = find(state["blocks"], "id", event["block"])
    if block is None or working_block(state):
        return state, []
    return _ask(state, block["question"], block["parent"], block["asked_of"], block["manner"], event)


def ask_apart(state: dict, event: dict) -> tuple:
    """Ask the question of a block again in a conversation of its own: the one it was in is gone."""
    block = find(state["blocks"], "id", event["block"])
    if block is None or working_block(state):
        return state, []
    state = put(state, thread="", head="", blocks=[])
    return _ask(state, block["question"], "", block["asked_of"], block["manner"], event)


def edit(state: dict, event: dict) -> tuple:
    """Bring a question back into the box, to be asked in another version."""
    block = find(state["blocks"], "id", event["block"])
    if block is not None:
        state = put(state, draft=block["question"], draft_error="", editing=block["id"])
    return state, [("focus", "question")]


def edit_cancel(state: dict, event: dict) -> tuple:
    """Leave the question as it was."""
    return put(state, draft="", draft_error="", editing=""), [("focus", "question")]


def stop(state: dict, event: dict) -> tuple:
    """Stop the running answer at once; what the engine still sends of it is not shown."""
    block = working_block(state)
    if block is None:
        return state, []
    state = _set(state, put(block, state="stopped", stage=None))
    state, effects = client.send(state, event["id"], "cancel", target=block["id"])
    return state, effects + [("announce", say("stopped")), ("focus", "question")]


def scope(state: dict, event: dict) -> tuple:
    """Choose which pages are asked."""
    return put(state, scope=event["value"]), []


def chip_enter(state: dict, event: dict) -> tuple:
    """The pointer or the focus came to a citation: show its excerpt."""
    card = {"block": event["block"], "number": event["number"], "chip": event["chip"], "token": event["id"]}
    return put(state, card=card), []


def chip_leave(state: dict, event: dict) -> tuple:
    """The pointer or the focus left: the excerpt stays a moment, so that the pointer can move onto it."""
    if state["card"] is None:
        return state, []
    return state, [("timer", 200, {"type": "card_expire", "token": state["card"]["token"]})]


def card_enter(state: dict, event: dict) -> tuple:
    """The pointer is on the excerpt: keep it."""
    if state["card"] is None:
        return state, []
    return put(state, card=put(state["card"], token=event["id"])), []


def card_expire(state: dict, event: dict) -> tuple:
    """Hide the excerpt unless something came back to it."""
    if state["card"] and state["card"]["token"] == event["token"]:
        return put(state, card=None), []
    return state, []


def show(state: dict, event: dict) -> tuple:
    """Go to the tab of a citation and light the passage up."""
    block = cited_block(state, event["block"])
    citation = find(block["citations"], "number", event["number"]) if block else None
    if block is None or citation is None:
        return state, []
    others = [c for c in block["citations"] if c["source"] == citation["source"] and c is not citation]
    return show_citation(state, event["id"], citation, others)


def show_citation(state: dict, request_id: str, citation: dict, others: list) -> tuple:
    """Light the passage of a citation up, and others of its page beside it."""
    if is_given_file(citation["url"]):  # its saved text is all there is to show
        return state, [("open", saved.address_of(citation["source"], citation["quote"], citation["start"]))]
    state = put(state, showing=put_at(state["showing"], request_id, citation))
    return client.send(state, request_id, "show", citation=citation, others=others)


def copy(state: dict, event: dict) -> tuple:
    """Copy an answer as Markdown."""
    block = find(state["blocks"], "id", event["block"])
    if block is None:
        return state, []
    return state, [("copy", block_markdown(block, state["inside"].get(block["id"], INSIDE)))]


def on_show(state: dict, message: dict, event: dict) -> tuple:
    """The browser showed the passage, or did not find it."""
    if message["type"] not in ("done", "error"):
        return state, []
    citation = state["showing"].get(message["re"])
    state = put(state, showing=without(state["showing"], message["re"]))
    if message["type"] == "error":
        return toast.show(state, error_sentence(message["code"]), event)
    if message["result"]["found"] or citation is None:
        return state, []
    source = citation["source"]
    changed = [s for s in state["changed"] if s != source] + [source]
    see = {"type": "open_saved", "source": source, "quote": citation["quote"], "start": citation["start"]}
    return toast.show(put(state, changed=changed), say("passage_gone"), event, see, "see_saved")


def on_ask(state: dict, message: dict, event: dict) -> tuple:
    """An event of a question arrived."""
    block = find(state["blocks"], "id", message["re"])
    if block is None or block["state"] != "working":
        return state, []
    kind = message["type"]
    if kind == "progress":
        return _set(state, _progressed(block, message, event["now"])), []
    if kind == "sentence":
        return _set(state, _said(block, message)), []
    if kind == "done":
        return _done(state, block, message["result"])
    if kind == "error":
        error = {"code": message["code"], "subject": message["subject"]}
        text = say("announce_error", sentence=error_sentence(message["code"]))
        failed = _set(state, put(block, state="failed", stage=None, error=error))
        return failed, [("announce", text), ("refocus", "question")]
    if kind == "cancelled":
        return _set(state, put(block, state="stopped", stage=None)), [("refocus", "question")]
    return state, []


def finish(state: dict, block_id: str) -> dict:
    """Return the state in which a question is done whose answers stand beside its block."""
    block = find(state["blocks"], "id", block_id)
    return _set(state, put(block, state="done", stage=None)) if block else state


def mark_restarted(state: dict) -> dict:
    """Note on the open question that the engine was restarted under it."""
    block = working_block(state)
    return _set(state, put(block, restarted=True)) if block else state


def _ask(state: dict, question: str, parent: str, asked_of: dict, manner: str, event: dict) -> tuple:
    block = new_block(event["id"], parent, question, asked_of, manner, event["now"])
    thread = state["thread"] or event["id"]
    state = put(state, thread=thread, head=block["id"], blocks=state["blocks"] + [block], editing="")
    # a conversation that is still on its way would take the place of this question
    state = put(state, opening=NOT_OPENING, draft_error="", view="chat", card=None, now=event["now"])
    chosen = state["settings"]["preferences"]
    fields = put(asked_of, question=question, thread=thread, parent=parent)
    if manner != "research":
        fields["mode"] = chosen["mode"]
    if manner == "ask":
        fields["k"] = chosen["k"]
    state, effects = client.send(state, event["id"], manner, **fields)
    state, ticking = clock.start(state)
    # the button that was pressed is gone by then: the focus goes where the next question is typed
    more = [("announce", say("announce_asked")), ("scroll", "block-" + block["id"]), ("focus", "question")]
    return state, effects + ticking + more


def _last_told(state: dict) -> str:
    """The last question shown of which anything was answered; the next one follows it.

    One that failed, or was stopped before it was answered, may never have reached the library.
    """
    for block in reversed(shown_blocks(state)):
        beside = state["inside"].get(block["id"], INSIDE)
        told = block["sentences"] or beside["each"] or beside["steps"]
        if told or block["state"] == "done" or not block["whole"]:
            name: str = block["id"]
            return name
    return ""


def _refuse(state: dict, code: str) -> tuple:
    return put(state, draft_error=code), [("announce", error_sentence(code)), ("focus", "question")]


def _progressed(block: dict, message: dict, now: float) -> dict:
    before = block["stage"]
    stage = {
        "stage": message["stage"],
        "done": message["done"],
        "total": message["total"],
        "unit": message["unit"],
        "since": before["since"] if before and before["stage"] == message["stage"] else now,
    }
    if before is None or before["stage"] == message["stage"]:
        return put(block, stage=stage)
    ended = {"stage": before["stage"], "ms": now - before["since"]}
    stages = [s for s in block["stages"] if s["stage"] != before["stage"]]
    return put(block, stage=stage, stages=stages + [ended])


def _said(block: dict, message: dict) -> dict:
    index = message["index"]
    sentences = list(block["sentences"])
    if index < len(sentences):
        sentences[index] = message["sentence"]
    else:
        sentences.append(message["sentence"])
    citations = list(block["citations"])
    for citation in message["citations"]:
        citations = [c for c in citations if c["number"] != citation["number"]] + [citation]
    return put(block, sentences=sentences, citations=sorted(citations, key=lambda c: c["number"]))


def _done(state: dict, block: dict, answer: dict) -> tuple:
    block = put(
        block,
        state="done",
        stage=None,
        answer=answer,
        sentences=answer["sentences"],
        citations=answer["citations"],
    )
    texts = [s["text"] for s in answer["sentences"]]
    n_said = state["inside"].get(block["id"], INSIDE)["n_said"]
    text = (
        " ".join([say("announce_answer", n=len(texts))] + texts[n_said:])
        if answer["found"]
        else say("nothing_found")
    )
    return _set(state, block), [("announce", text), ("refocus", "question")]


def _set(state: dict, block: dict) -> dict:
    return put(state, blocks=replace_in(state["blocks"], "id", block["id"], block))


TABLE = {
    "draft": draft,
    "ask": ask,
    "ask_text": ask_text,
    "again": again,
    "ask_apart": ask_apart,
    "edit": edit,
    "edit_cancel": edit_cancel,
    "stop": stop,
    "scope": scope,
    "chip_leave": chip_leave,
    "card_enter": card_enter,
    "card_leave": chip_leave,
    "card_expire": card_expire,
    "show": show,
    "copy": copy,
}
