"""A conversation by voice as a table: (state, what happens) → what to do. Pure, the same wherever it runs.

    idle ─ press ─▶ listening ─ ended, words heard ─▶ thinking ─ sentence ─▶ speaking ─ all said ─▶ idle
    listening ─ ended, nothing heard ─▶ idle            thinking, speaking ─ press ─▶ listening

A voice is a dict, replaced and never changed in place:
    state     one of STATES                      heard     what was understood so far
    waiting   texts to be said, in order         complete  whether the answer has ended
`step` returns (voice, acts); an act is a tuple: ("listen",) ("unlisten",) ("ask", text) ("cancel",)
("utter", text) ("hush",). What is not in the table at a moment is not for that moment, and changes nothing.
"""

from tabwise.ui.state import SILENT, put

STATES = ("idle", "listening", "thinking", "speaking")


def step(voice: dict, event: str, text: str = "") -> tuple:
    """Return (voice, acts) after `event`; `text` goes with "heard", "sentence", "note" and "failed"."""
    move = _TABLE.get((voice["state"], event))
    return move(voice, text) if move is not None else (voice, [])


def _listen(voice: dict, text: str) -> tuple:
    return put(SILENT, state="listening"), [("listen",)]


def _interrupt(voice: dict, text: str) -> tuple:
    cancel = [] if voice["complete"] else [("cancel",)]
    return put(SILENT, state="listening"), [("hush",)] + cancel + [("listen",)]


def _release(voice: dict, text: str) -> tuple:
    return voice, [("unlisten",)]


def _hear(voice: dict, text: str) -> tuple:
    return put(voice, heard=text), []


def _ask(voice: dict, text: str) -> tuple:
    question = voice["heard"].strip()
    if not question:
        return SILENT, []
    return put(SILENT, state="thinking", heard=question, complete=False), [("ask", question)]


def _say(voice: dict, text: str) -> tuple:
    if voice["state"] == "speaking":
        return put(voice, waiting=voice["waiting"] + [text]), []
    return put(voice, state="speaking"), [("utter", text)]


def _complete(voice: dict, text: str) -> tuple:
    """The answer ended; "" says nothing more, a text says what there is to say without sentences."""
    voice = put(voice, complete=True)
    if voice["state"] == "thinking":
        return _say(voice, text) if text else (SILENT, [])
    return voice, []


def _next(voice: dict, text: str) -> tuple:
    if voice["waiting"]:
        return put(voice, waiting=voice["waiting"][1:]), [("utter", voice["waiting"][0])]
    return (SILENT, []) if voice["complete"] else (put(voice, state="thinking"), [])


def _apologise(voice: dict, text: str) -> tuple:
    """Something went wrong: say so, instead of what was still to be said."""
    hush = [("hush",)] if voice["state"] == "speaking" else []
    if not text:
        return SILENT, hush
    return put(SILENT, state="speaking"), hush + [("utter", text)]


def _stop(voice: dict, text: str) -> tuple:
    acts = {"listening": [("unlisten",)], "speaking": [("hush",)]}.get(voice["state"], [])
    return SILENT, acts + ([] if voice["complete"] else [("cancel",)])


_TABLE = {
    ("idle", "press"): _listen,
    ("idle", "sentence"): _say,  # read aloud, without a question
    ("idle", "failed"): _apologise,
    ("listening", "release"): _release,
    ("listening", "heard"): _hear,
    ("listening", "ended"): _ask,
    ("listening", "failed"): _apologise,
    ("listening", "stop"): _stop,
    ("thinking", "press"): _interrupt,
    ("thinking", "sentence"): _say,
    ("thinking", "complete"): _complete,
    ("thinking", "failed"): _apologise,
    ("thinking", "stop"): _stop,
    ("speaking", "press"): _interrupt,
    ("speaking", "sentence"): _say,
    ("speaking", "complete"): _complete,
    ("speaking", "uttered"): _next,
    ("speaking", "failed"): _apologise,
    ("speaking", "stop"): _stop,
}
