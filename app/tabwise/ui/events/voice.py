"""Speaking and listening: dictation into the question box, answers read aloud, and conversation on a page.

`voice` is the conversation (ui/voice.py), `dictating` whether the microphone writes into the box behind
`heard_after`, `reading` the block that is read aloud, "" for none. Words are understood and said by the
browser; what it tells comes here. A sentence that its source does not bear out is said with a warning.
"""

from tabwise.ui.conversation import working_block
from tabwise.ui.events import access, answers, chat, toast
from tabwise.ui.events.answers import put_inside
from tabwise.ui.state import SILENT, find, put
from tabwise.ui.voice import step
from tabwise.ui.words import error_sentence, language, say

_BORNE_OUT = ("supported", "partly")
_REGIONS = {"en": "en-US", "de": "de-DE", "es": "es-ES"}
_QUIET = ("no-speech", "aborted")


def spoken_language(state: dict) -> str:
    """Return the language that is spoken and listened for: the chosen one, else that of the interface."""
    return state["settings"]["preferences"]["voice_language"] or _REGIONS.get(language(), language())


def dictate(state: dict, event: dict) -> tuple:
    """Write what is said into the question box, or stop doing so."""
    if state["dictating"]:
        return put(state, dictating=False), [("unlisten",), ("focus", "question")]
    state, effects = _hush(state)
    return put(state, dictating=True, heard_after=state["draft"]), effects + [
        ("listen", spoken_language(state))
    ]


def read_aloud(state: dict, event: dict) -> tuple:
    """Read an answer aloud, or stop reading it."""
    was = state["reading"]
    state, effects = _hush(state)
    block = find(state["blocks"], "id", event["block"])
    if was == event["block"] or block is None:
        return state, effects
    state = put_inside(put(state, reading=block["id"]), block["id"], reading=True)
    for sentence in block["sentences"]:
        state, more = _step(state, event, "sentence", said(sentence))
        effects = effects + more
    return state, effects


def key(state: dict, event: dict) -> tuple:
    """The key to talk went down on the page, or up again."""
    return _step(state, event, "press" if event["down"] else "release")


def stop(state: dict, event: dict) -> tuple:
    """Stop listening, speaking and answering."""
    return _step(state, event, "stop")


def heard(state: dict, event: dict) -> tuple:
    """The browser understood something, perhaps not finally."""
    if state["dictating"]:
        before = state["heard_after"]
        return put(state, draft=(before + " " if before else "") + event["text"], draft_error=""), []
    return _step(state, event, "heard", event["text"])


def ended(state: dict, event: dict) -> tuple:
    """The browser listens no more."""
    if state["dictating"]:
        return put(state, dictating=False), [("focus", "question")]
    return _step(state, event, "ended")


def uttered(state: dict, event: dict) -> tuple:
    """The browser has said a sentence."""
    state, effects = _step(state, event, "uttered")
    return (_unread(state) if state["voice"]["state"] == "idle" else state), effects


def failed(state: dict, event: dict) -> tuple:
    """The browser cannot listen or speak."""
    reason = event["error"]
    text = say("voice_sorry")
    if reason in _QUIET:
        text = ""
    elif reason in ("not-allowed", "service-not-allowed", "audio-capture"):
        text = say("voice_no_microphone")
    elif reason == "no-voice":
        text = say("voice_no_voice")
    elif reason in ("unsupported", "language-not-supported", "network"):
        text = say("voice_no_listening")
    if state["page"] == "voice":
        return _step(state, event, "failed", text)
    state = _unread(put(state, dictating=False, voice=SILENT))
    if not text:
        return state, []
    setup = {"type": "open_in_tab"} if reason == "not-allowed" else None
    return toast.show(state, text, event, setup, "open_in_tab")


def open_in_tab(state: dict, event: dict) -> tuple:
    """Open the panel in a tab, where the browser can ask for the microphone."""
    return put(state, toast=None), [("open", "panel.html")]


def sources(state: dict, event: dict) -> tuple:
    """Show or hide the answer with its sources beside the icon on the page."""
    is_open = not state["voice_open"]
    return put(state, voice_open=is_open, card=None), [("voice_open", is_open)]


def settings(state: dict, event: dict) -> tuple:
    """The settings were told: the page learns which key is held to talk."""
    state, effects = access.settings(state, event)
    return ready(state, event, effects) if state["page"] == "voice" else (state, effects)


def ready(state: dict, event: dict, effects: list | None = None) -> tuple:
    """The script in the page can be reached: tell it the key to talk."""
    return state, (effects or []) + [("voice_key", state["settings"]["preferences"]["voice_key"])]


def on_ask(state: dict, message: dict, event: dict) -> tuple:
    """An event of a question: on a page what it brings is said, while the answer is wanted."""
    block = find(state["blocks"], "id", message["re"])
    state, effects = answers.on_ask(state, message, event)
    if state["page"] != "voice" or block is None or block["state"] != "working":
        return state, effects
    state, more = _tell(state, message, event, len(block["sentences"]))
    return state, effects + more


def _tell(state: dict, message: dict, event: dict, n_said: int) -> tuple:
    kind = message["type"]
    if kind == "sentence" and message["index"] >= n_said:
        return _step(state, event, "sentence", said(message["sentence"]))
    if kind == "done":
        return _step(state, event, "complete", "" if message["result"]["found"] else say("nothing_found"))
    if kind == "error":
        return _step(state, event, "failed", say("voice_sorry") + " " + error_sentence(message["code"]))
    return _step(state, event, "stop") if kind == "cancelled" else (state, [])


def said(sentence: dict) -> str:
    """Return a sentence as it is said."""
    if sentence["verdict"] in _BORNE_OUT:
        return sentence["text"]
    return say("voice_unsure", sentence=sentence["text"])


def _hush(state: dict) -> tuple:
    """Fall silent, whatever was said."""
    voice, acts = step(state["voice"], "stop")
    return _unread(put(state, voice=voice)), [act for act in acts if act[0] == "hush"]


def _unread(state: dict) -> dict:
    """Note that no answer is read aloud."""
    return put_inside(put(state, reading=""), state["reading"], reading=False) if state["reading"] else state


def _step(state: dict, event: dict, what: str, text: str = "") -> tuple:
    voice, acts = step(state["voice"], what, text)
    state = put(state, voice=voice)
    effects: list = []
    for act in acts:
        if act[0] in ("listen", "utter"):
            effects.append(act + (spoken_language(state),))
        elif act[0] == "ask":
            state, more = chat.ask(put(state, draft=act[1]), event)
            effects = effects + more
            if working_block(state) is None:  # it was refused, and the box says why
                state, more = _step(state, event, "failed", error_sentence(state["draft_error"]))
                effects = effects + more
        elif act[0] == "cancel":
            state, more = chat.stop(state, put(event, id=event["id"] + "-stop"))
            effects = effects + more
        else:
            effects.append(act)
    return state, effects


TABLE = {
    "dictate": dictate,
    "read_aloud": read_aloud,
    "voice_key": key,
    "voice_stop": stop,
    "voice_heard": heard,
    "voice_ended": ended,
    "voice_uttered": uttered,
    "voice_error": failed,
    "voice_sources": sources,
    "open_in_tab": open_in_tab,
    "voice_ready": ready,
    "settings": settings,
}
