"""What leaves this computer: asked before the first time, listed on the settings page, taken back there.

The engine holds back what nobody agreed to and answers without it; the panel then shows what would have gone
where, beneath the answer or, for summaries, above the pages. Whoever allows it has the question asked again,
or the summaries written.
"""

from tabwise.protocol.rules import read_pattern
from tabwise.ui import client
from tabwise.ui.events import access, chat, summaries
from tabwise.ui.events.answers import inside_of, put_inside
from tabwise.ui.state import ABOUT_SUMMARIES, put, put_at, without
from tabwise.ui.words import error_sentence, say


def describe(state: dict, event: dict) -> tuple:
    """Ask for the account of what left."""
    return client.send(state, event["id"] + "-egress", "egress_list")


def allow(state: dict, event: dict) -> tuple:
    """Let what was held back go, this once or from now on, and ask the question again."""
    preview = inside_of(state, event["block"])["preview"]
    if preview is None:
        return state, []
    state = put_inside(state, event["block"], preview=None)
    state = put(state, about=put_at(state["about"], event["id"], (event["block"], 0)))
    return client.send(
        state, event["id"], "egress_agree", destination=preview["destination"], once=event["once"]
    )


def refuse(state: dict, event: dict) -> tuple:
    """Nothing is sent; the answer made here stays."""
    state = put_inside(state, event["block"], preview=None)
    if event["block"] == ABOUT_SUMMARIES:
        state = put(state, summaries=put(state["summaries"], declined=summaries.writer(state)))
        return state, [("announce", say("egress_not_sent")), ("focus", "filter")]
    return state, [("announce", say("egress_not_sent")), ("focus", "question")]


def show_text(state: dict, event: dict) -> tuple:
    """Show the exact text that would go, or hide it."""
    shown = inside_of(state, event["block"])["preview_text"]
    return put_inside(state, event["block"], preview_text=not shown), []


def revoke(state: dict, event: dict) -> tuple:
    """Take back what was agreed to."""
    place = {"origin": event["origin"], "purpose": event["purpose"]}
    state, effects = client.send(state, event["id"], "egress_revoke", destination=place)
    said = say("egress_revoked", place=event["origin"])
    return state, effects + [("announce", said), ("focus", "leaves")]


def on_preview(state: dict, message: dict, event: dict) -> tuple:
    """What was held back is known: show it before the reader decides."""
    about = state["about"].get(message["re"])
    if about is None or message["type"] not in ("done", "error", "cancelled"):
        return state, []
    state = put(state, about=without(state["about"], message["re"]))
    preview = message["result"] if message["type"] == "done" else None
    if preview is None:
        return state, []
    said = say("egress_ask", place=preview["destination"]["origin"])
    state = put_inside(state, about[0], preview=preview, preview_text=False)
    # nobody who reads the list of pages has asked for anything just now
    focus = [("focus", "egress-" + about[0])] if about[0] != ABOUT_SUMMARIES else []
    return state, [("announce", said)] + focus


def on_account(state: dict, message: dict, event: dict) -> tuple:
    """The account as it is now; a question that waited for it is asked again."""
    if message["type"] not in ("done", "error", "cancelled"):
        return state, []
    about = state["about"].get(message["re"])
    state = put(state, about=without(state["about"], message["re"]))
    if message["type"] != "done":
        code = message.get("code", "")
        return state, [("announce", error_sentence(code))] if code else []
    state = put(state, account=message["result"])
    if about is None:
        return state, []
    if about[0] == ABOUT_SUMMARIES:
        return summaries.write_all(state, event)
    return chat.again(state, {"id": event["id"], "now": event["now"], "block": about[0]})


def leaves_draft(state: dict, event: dict) -> tuple:
    """The text of the box for a site whose pages stay here changed."""
    return put(state, leaves_draft=event["value"], leaves_error=""), []


def leaves_add(state: dict, event: dict) -> tuple:
    """Keep the pages of a site here; what is no site stays in the box with the reason."""
    pattern, fault = read_pattern(state["leaves_draft"])
    if fault:
        shown = put(state, leaves_error=fault)
        return shown, [("announce", say("rule_" + fault)), ("focus", "never-leaves")]
    kept = [site for site in state["settings"]["never_leaves"] if site != pattern] + [pattern]
    state = put(state, leaves_draft="", leaves_error="")
    state, effects = access.save(state, put(state["settings"], never_leaves=kept))
    return state, effects + [("announce", say("rule_added", site=pattern)), ("focus", "never-leaves")]


def leaves_remove(state: dict, event: dict) -> tuple:
    """Pages of a site may leave again, once that is agreed to."""
    kept = [site for site in state["settings"]["never_leaves"] if site != event["site"]]
    state, effects = access.save(state, put(state["settings"], never_leaves=kept))
    said = say("rule_removed", site=event["site"])
    return state, effects + [("announce", said), ("focus", "never-leaves")]


TABLE = {
    "leaves_draft": leaves_draft,
    "leaves_add": leaves_add,
    "leaves_remove": leaves_remove,
    "egress_allow": allow,
    "egress_refuse": refuse,
    "egress_text": show_text,
    "egress_revoke": revoke,
}
