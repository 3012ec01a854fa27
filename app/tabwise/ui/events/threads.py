"""The conversation that is open: begun, opened, its versions, its earlier questions; copied, saved, printed.

The engine keeps conversations (protocol/tables/threads.py); a question carries the one it belongs to. One
that is still being answered when its conversation is opened is asked for again under its own id: whoever
answers it joins this panel in, and does nothing twice.
"""

from tabwise.protocol import codec
from tabwise.ui import client
from tabwise.ui.conversation import thread_title
from tabwise.ui.events import answers, clock, toast
from tabwise.ui.markdown import thread_markdown
from tabwise.ui.order import ordered
from tabwise.ui.state import ABOUT_SUMMARIES, NOT_OPENING, NOTHING_TAKEN, SHOWN, find, put, replace_in
from tabwise.ui.text import file_name, shorten
from tabwise.ui.threads import beside, block_of, blocks_from, newest_end, path_to, versions_of
from tabwise.ui.words import error_sentence, say

RESUME_MS = 4 * 3600000
"""A conversation changed this lately is open again when the panel opens."""
MAX_SAID_CHARS = 60
"""Of a question in the line that tells of it."""


def refresh(state: dict, event: dict) -> tuple:
    """Ask for the list of saved conversations."""
    return client.send(state, event["id"] + "-threads", "threads")


def on_threads(state: dict, message: dict, event: dict) -> tuple:
    """The list of saved conversations arrived; the first time the last one is opened when it is recent."""
    if message["type"] not in ("done", "error"):
        return state, []
    rows = message["result"] if message["type"] == "done" else []
    is_first = not state["history"]["known"]
    state = put(state, history=put(state["history"], rows=rows, known=True))
    if not is_first or state["blocks"] or not rows:
        return state, []
    newest = rows[0]
    if event["now"] - newest["updated_at"] > RESUME_MS:
        return state, []
    state = put(state, opening={"request": event["id"] + "-open", "turn": ""})
    return client.send(state, event["id"] + "-open", "thread", thread=newest["id"])


def open_thread(state: dict, event: dict) -> tuple:
    """Open a saved conversation, at the question `turn` when that is not ""."""
    state = put(state, view="chat", card=None)
    if event["thread"] == state["thread"]:
        return _seek(state, event["turn"], event) if event["turn"] else (state, [("focus", "question")])
    state = put(state, opening={"request": event["id"], "turn": event["turn"]})
    return client.send(state, event["id"], "thread", thread=event["thread"])


def on_thread(state: dict, message: dict, event: dict) -> tuple:
    """A conversation arrived; one that is no longer wanted is left out."""
    if message["re"] != state["opening"]["request"] or message["type"] not in ("done", "error"):
        return state, []
    wanted = state["opening"]["turn"]
    state = put(state, opening=NOT_OPENING)
    if message["type"] == "error":
        state, effects = toast.show(state, error_sentence(message["code"]), event)
        state, more = refresh(state, event)
        return state, effects + more
    thread = message["result"]
    blocks = [block_of(turn) for turn in thread["turns"]]
    state = leave(state)
    state = put(state, thread=thread["row"]["id"], head=thread["row"]["head"], blocks=blocks)
    for turn in thread["turns"]:
        state = _put_beside(state, turn)
    state, effects = _join(state, thread["turns"], event)
    shown = path_to(blocks, state["head"])
    if not shown:
        return state, effects
    if wanted:
        state, more = _seek(state, wanted, event)
        return state, effects + more
    return state, effects + [("scroll", "block-" + shown[-1]["id"]), ("focus", "question")]


def begin(state: dict, event: dict) -> tuple:
    """Begin a new conversation; what is being answered in the old one goes on and is kept there."""
    return put(leave(state), view="chat"), [("focus", "question")]


def version(state: dict, event: dict) -> tuple:
    """Show the question asked before (by -1) or after (by 1) in the same place, with what follows it."""
    block = find(state["blocks"], "id", event["block"])
    if block is None:
        return state, []
    versions = versions_of(state["blocks"])[block["parent"]]
    place = versions.index(block["id"]) + event["by"]
    if place < 0 or place >= len(versions):
        return state, []
    state = put(state, head=newest_end(state["blocks"], versions[place]), card=None)
    said = say("version", n=place + 1, total=len(versions))
    state, effects = _choose(state, event)
    return state, effects + [("announce", said), ("refocus", "question")]


def earlier(state: dict, event: dict) -> tuple:
    """Draw more of the questions before those that are drawn."""
    state = put(state, n_shown=state["n_shown"] + SHOWN)
    return _fetch(state, path_to(state["blocks"], state["head"])[-state["n_shown"] :], event)


def on_turns(state: dict, message: dict, event: dict) -> tuple:
    """Answers of earlier questions arrived, or could not be read."""
    if message["type"] not in ("done", "error"):
        return state, []
    then, state = state["then"], put(state, then="")
    if message["type"] == "error":
        return toast.show(state, error_sentence(message["code"]), event)
    turns = {turn["id"]: turn for turn in message["result"]}
    blocks = [
        block_of(turns[block["id"]]) if block["id"] in turns and not block["whole"] else block
        for block in state["blocks"]
    ]
    state = put(state, blocks=blocks)
    for turn in message["result"]:
        state = _put_beside(state, turn)
    return _give(state, then) if then else (state, [])


def give(state: dict, event: dict) -> tuple:
    """Copy, save or print the conversation as it is shown: `how` is "copy", "save" or "print"."""
    path = path_to(state["blocks"], state["head"])
    if [block for block in path if not block["whole"]]:
        return _fetch(put(state, then=event["how"]), path, event)
    return _give(state, event["how"])


def dismiss(state: dict, event: dict) -> tuple:
    """Take a failed question away; another version of it, or what was before it, is shown."""
    block = find(state["blocks"], "id", event["block"])
    if block is None:
        return state, []
    thread = state["thread"]
    gone = blocks_from(state["blocks"], block["id"])
    state = _without(state, gone)
    undo = {"type": "undismiss", "thread": thread, "blocks": gone}
    said = say("turn_removed", question=shorten(" ".join(block["question"].split()), MAX_SAID_CHARS))
    state, effects = toast.show(state, said, event, undo)
    state, more = client.send(state, event["id"], "remove_turn", thread=thread, turn=block["id"])
    return state, effects + more + [("focus", "question")]


def undismiss(state: dict, event: dict) -> tuple:
    """Bring a question back that was taken away; it is shown where its conversation still is."""
    thread = event["thread"]
    state = put_back(put(state, toast=None), thread, event["blocks"])
    if state["thread"] == thread:
        state = put(state, view="chat")
    return client.send(state, event["id"], "restore_threads", thread=thread)


def on_choose(state: dict, message: dict, event: dict) -> tuple:
    """The version that is shown was kept, or was not."""
    if message["type"] != "error":
        return state, []
    return toast.show(state, error_sentence(message["code"]), event)


def _give(state: dict, how: str) -> tuple:
    path = path_to(state["blocks"], state["head"])
    if how == "print":
        return put(state, n_shown=max(len(path), SHOWN)), [("print", "")]
    title = thread_title(state)
    text = thread_markdown(title, path, state["inside"])
    if how == "copy":
        return state, [("copy", text)]
    return state, [("save", file_name(title) + ".md", "text/markdown", text)]


def leave(state: dict) -> dict:
    """Close the conversation; what is known of answers still coming stays, and what is asked of summaries."""
    stays = [ABOUT_SUMMARIES] + list(state["pending"])
    inside = {block: state["inside"][block] for block in stays if block in state["inside"]}
    state = put(state, thread="", head="", blocks=[], n_shown=SHOWN, inside=inside, taken=NOTHING_TAKEN)
    return put(state, editing="", card=None, draft_error="", then="", opening=NOT_OPENING)


def without_turn(state: dict, turn: str) -> dict:
    """Return the state in which another panel took a question away, with all that follows it."""
    gone = blocks_from(state["blocks"], turn)
    return put(_without(state, gone), taken={"thread": state["thread"], "blocks": gone}) if gone else state


def put_back(state: dict, thread: str, blocks: list) -> dict:
    """Return the state in which questions that were taken away stand in their conversation again.

    Where another conversation is open by now, that one stays.
    """
    state = put(state, taken=NOTHING_TAKEN)
    if state["thread"] not in ("", thread):
        return state
    every = ordered(state["blocks"] + blocks, lambda block: block["started"])
    return put(state, thread=thread, blocks=every, head=blocks[-1]["id"])


def _without(state: dict, gone: list) -> dict:
    """Take blocks out, the first with all that follow it; a conversation of which none is left is closed."""
    ids = [block["id"] for block in gone]
    blocks = [block for block in state["blocks"] if block["id"] not in ids]
    head = newest_end(blocks, gone[0]["parent"]) if state["head"] in ids else state["head"]
    return put(state, blocks=blocks, head=head, thread=state["thread"] if blocks else "", card=None)


def _put_beside(state: dict, turn: dict) -> dict:
    known = beside(turn)
    return answers.put_inside(state, turn["id"], **known) if known else state


def _join(state: dict, turns: list, event: dict) -> tuple:
    """Take part in what is still being answered."""
    effects: list = []
    for turn in turns:
        if turn["state"] != "running" or turn["id"] in state["pending"]:
            continue
        asked = dict(turn["request"])
        kind = asked.pop("type")
        try:
            state, more = client.send(state, turn["id"], kind, **asked)
        except codec.Malformed:  # asked by another version
            block = put(find(state["blocks"], "id", turn["id"]) or {}, state="interrupted")
            state = put(state, blocks=replace_in(state["blocks"], "id", turn["id"], block))
            continue
        effects = effects + more
    state, ticking = clock.start(state)
    return state, effects + ticking


def _seek(state: dict, wanted: str, event: dict) -> tuple:
    """Show a question, on whichever branch it is."""
    effects: list = []
    path = path_to(state["blocks"], state["head"])
    if not find(path, "id", wanted) and find(state["blocks"], "id", wanted):
        state = put(state, head=newest_end(state["blocks"], wanted))
        state, effects = _choose(state, event)
        path = path_to(state["blocks"], state["head"])
    if not path:
        return state, effects
    place = [block["id"] for block in path].index(wanted) if find(path, "id", wanted) else len(path) - 1
    state = put(state, n_shown=max(SHOWN, len(path) - place))
    state, more = _fetch(state, path[-state["n_shown"] :], event)
    return state, effects + more + [("scroll", "block-" + path[place]["id"])]


def _choose(state: dict, event: dict) -> tuple:
    """Keep which version is shown, and get the answers that are drawn."""
    state, effects = client.send(
        state, event["id"] + "-choose", "choose_turn", thread=state["thread"], turn=state["head"]
    )
    state, more = _fetch(state, path_to(state["blocks"], state["head"])[-state["n_shown"] :], event)
    return state, effects + more


def _fetch(state: dict, blocks: list, event: dict) -> tuple:
    missing = [block["id"] for block in blocks if not block["whole"]]
    if not missing:
        return state, []
    return client.send(state, event["id"] + "-turns", "thread_turns", turns=missing)


TABLE = {
    "open_thread": open_thread,
    "new_thread": begin,
    "version": version,
    "earlier": earlier,
    "give_thread": give,
    "dismiss": dismiss,
    "undismiss": undismiss,
}
