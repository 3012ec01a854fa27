"""One question with its answer: sentences, what was missing or noticed, sources, what can be done with it."""

from tabwise.protocol.schema import VERDICTS
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import seconds, size
from tabwise.ui.view.agreement import agreement_view
from tabwise.ui.view.each import each_view
from tabwise.ui.view.egress import preview_view
from tabwise.ui.view.parts import button, error_box, spinner
from tabwise.ui.view.receipt import how_view
from tabwise.ui.view.sentences import sentences_view
from tabwise.ui.view.sources import sources_view
from tabwise.ui.view.steps import steps_view
from tabwise.ui.view.turn import turn_tools
from tabwise.ui.words import engine_name, error_sentence, knows, say, unit

_ON_THIS_COMPUTER = ("extractive", "bundled", "prompt_api")

_WITH_FOOT = ("done", "stopped", "interrupted")


def block_view(block: dict, inside: dict, chip: str, now: float, place: int, n_versions: int) -> tuple:
    """Return a question with whatever is known of its answer.

    `inside` is what is known beside it (events/answers.py), `chip` names the citation whose excerpt is shown
    ("" for none); the question is version `place` of `n_versions`.
    """
    working = block["state"] == "working"
    attrs = {
        "class": "block",
        "id": "block-" + block["id"],
        "key": block["id"],
        "data-test": "answer",
        "data-state": block["state"],
        "aria-busy": "true" if working else "false",
    }
    answer = block["answer"]
    return h(
        "article",
        attrs,
        h(
            "div",
            {"class": "asked-line", "key": "asked"},
            h("h2", {"class": "asked", "dir": "auto"}, block["question"]),
            turn_tools(block["id"], place, n_versions),
        ),
        h("p", {"class": "note"}, icon("again"), say("restarted")) if block["restarted"] else None,
        steps_view(inside["steps"], working),
        sentences_view(block, inside, chip),
        each_view(block["id"], inside["each"], chip),
        None if block["whole"] else _placeholder(),
        _working(block, inside, now) if working else _outcome(block),
        agreement_view(block, inside, chip) if answer and answer["agreement"] else None,
        _notes(answer) if answer else None,
        preview_view(block["id"], inside),
        sources_view(block) if not working else None,
        _foot(block, inside) if block["whole"] and block["state"] in _WITH_FOOT else None,
    )


def _working(block: dict, inside: dict, now: float) -> tuple:
    stage = block["stage"]
    name = say("stage_" + stage["stage"]) if stage else say("working")
    count = ""
    if stage and stage["total"] > 1:
        count = say("stage_count", done=stage["done"], total=stage["total"], unit=unit(stage["unit"]))
    ended = [
        h("li", {"key": s["stage"]}, icon("check"), say("stage_" + s["stage"]), _time(s["ms"]))
        for s in block["stages"]
    ]
    is_empty = not block["sentences"] and not inside["each"] and not inside["steps"]
    return h(
        "div",
        {"class": "stages", "data-test": "progress"},
        h("ol", {}, ended) if ended else None,
        h(
            "p",
            {"class": "stage"},
            spinner(),
            h("span", {"class": "stage-name"}, name),
            h("span", {"class": "count"}, count) if count else None,
            _time(max(0, now - block["started"])),
        ),
        _placeholder() if is_empty else None,
    )


def _placeholder() -> tuple:
    return h("div", {"class": "placeholder", "aria-hidden": "true"}, h("i"), h("i"), h("i"))


def _time(ms: float) -> tuple:
    return h("span", {"class": "time"}, seconds(ms))


def _outcome(block: dict) -> tuple | None:
    if not block["whole"]:
        return None
    if block["state"] == "stopped":
        return h(
            "p", {"class": "note"}, icon("stop"), say("stopped" if block["sentences"] else "stopped_empty")
        )
    if block["state"] == "interrupted":
        said = say("interrupted" if block["sentences"] else "interrupted_empty")
        return h("p", {"class": "note", "data-test": "interrupted"}, icon("alert"), said)
    if block["state"] == "failed":
        again = {"type": "again", "block": block["id"]}
        events = {
            "retry": again,
            "edit": {"type": "edit", "block": block["id"]},
            "dismiss": {"type": "dismiss", "block": block["id"]},
            "apart": {"type": "ask_apart", "block": block["id"]},
            "add": {"type": "add_active"},
            "refresh": {"type": "refresh"},
            "pages": {"type": "view", "value": "pages"},
            "reembed": {"type": "reembed"},
            "reset": {"type": "reset"},
            "reload": {"type": "reload"},
            "settings": {"type": "open_settings"},
        }
        return error_box(block["error"]["code"], events, block["error"]["subject"])
    if block["answer"] is not None and not block["answer"]["found"]:
        return h(
            "div",
            {"class": "nothing"},
            h("p", {"class": "nothing-text"}, say("nothing_found")),
            h("p", {}, say("nothing_found_more")),
        )
    return None


def _notes(answer: dict) -> tuple | None:
    """What a reader should know beside the sentences: missing parts, another engine, odd text of a page."""
    notes = []
    if answer["missing"]:
        notes.append(("missing", "unknown", say("missing", parts=", ".join(answer["missing"]))))
    if answer["fallback"] is not None and answer["found"]:
        notes.append(("fallback", "alert", fallback_text(answer["fallback"])))
    for notice in answer["notices"]:
        text = notice_text(notice)
        if text not in [said for _, _, said in notes]:
            notes.append(("notice", "alert", text))
    if answer["why_local"]:
        code = answer["why_local"]
        reason = say(code) if code == "mirror_behind" else error_sentence(code)
        notes.append(("why-local", "alert", say("answered_here", reason=reason)))
    if not answer["semantic"] and answer["plan"]["kind"] != "read":
        notes.append(("lexical", "alert", say("lexical_only")))
    if not notes:
        return None
    shown = [
        h(
            "li",
            {"key": "%s %d" % (kind, place), "data-test": kind},
            icon(name),
            h("span", {}, text),
        )
        for place, (kind, name, text) in enumerate(notes)
    ]
    return h("ul", {"class": "answer-notes", "key": "notes"}, shown)


def fallback_text(fallback: dict) -> str:
    """Say why the chosen engine did not answer."""
    key = "fallback_" + fallback["code"]
    reason = (
        say(key, subject=fallback["subject"])
        if knows(key)
        else error_sentence(fallback["code"], fallback["subject"])
    )
    return say("fallback", reason=reason)


def notice_text(notice: dict) -> str:
    """Say what was noticed."""
    kind, text = notice["kind"], notice["text"]
    if kind == "instructions" and notice["citation"] is not None:
        return say("notice_instructions_at", number=notice["citation"])
    if kind == "stopped_early":
        return error_sentence(text) if text else say("notice_stopped_early")
    return say("notice_" + kind, text=text)


def _foot(block: dict, inside: dict) -> tuple:
    answer = block["answer"]
    again = {"type": "again", "block": block["id"]}
    has_text = block["sentences"] or inside["each"]
    is_written = answer is not None and answer["engine"] != "extractive" and _is_reworded(block)
    return h(
        "footer",
        {"class": "foot", "key": "foot"},
        _checked(block["sentences"]),
        _made_by(answer, inside) if answer else None,
        h(
            "div",
            {"class": "acts"},
            button(say("copy"), {"type": "copy", "block": block["id"]}, "quiet", icon="copy")
            if has_text
            else None,
            _read_aloud(block["id"], inside["reading"]) if block["sentences"] else None,
            _quotes(block, inside) if is_written else None,
            button(say("ask_again"), again, "quiet idle", icon="again", test="again"),
        ),
        how_view(block["id"], answer, inside) if answer else None,
    )


def _is_reworded(block: dict) -> bool:
    """Whether a cited sentence says more than the words it cites: then these are worth a look."""
    cited = [citation["quote"] for citation in block["citations"]]
    return any([one["text"] not in cited for one in block["sentences"] if one["citations"]])


def _read_aloud(block_id: str, reading: bool) -> tuple:
    label = say("stop_reading" if reading else "read_aloud")
    event = {"type": "read_aloud", "block": block_id}
    return button(label, event, "quiet", icon="stop" if reading else "speaker", test="read-aloud")


def _quotes(block: dict, inside: dict) -> tuple:
    attrs = {
        "type": "button",
        "class": "button quiet",
        "aria-pressed": "true" if inside["quotes"] else "false",
        "data-test": "quotes",
        "on-click": {"type": "quotes", "block": block["id"]},
    }
    return h("button", attrs, icon("quote"), h("span", {}, say("quotes")))


def _made_by(answer: dict, inside: dict) -> tuple:
    """Which engine if anything was found, how long, and what left this computer, in one line."""
    name = engine_name(answer["engine"], answer["engine_label"])
    parts = [
        h("span", {"key": "engine", "dir": "auto"}, name) if answer["found"] else None,
        _time(sum([timing["ms"] for timing in answer["timings"]])),
    ]
    sent = [total for total in inside["sent"] if total["remote"]]
    if sent:
        gone = [say("sent_to", size=size(one["sent_bytes"]), place=place_of(one["origin"])) for one in sent]
        parts.append(h("span", {"class": "left", "data-test": "sent"}, icon("out"), ", ".join(gone)))
    elif inside["sent"] or _stayed_here(answer):
        parts.append(h("span", {"class": "stayed", "data-test": "sent"}, icon("lock"), say("nothing_left")))
    return h("p", {"class": "made-by", "data-test": "made-by"}, parts)


def _stayed_here(answer: dict) -> bool:
    """Whether an answer of which nothing else is known, an older one perhaps, can have sent nothing."""
    local = answer["engine"] in _ON_THIS_COMPUTER or answer["engine"].startswith("catalogue:")
    fallback = answer["fallback"]
    return local and answer["store"] == "local" and (fallback is None or fallback["code"] == "egress_refused")


def place_of(origin: str) -> str:
    """Return the host and port of an origin."""
    return origin.partition("://")[2] or origin


def _checked(sentences: list) -> tuple | None:
    if not sentences:
        return None
    parts = []
    for verdict in VERDICTS:
        n = len([s for s in sentences if s["verdict"] == verdict])
        if n:
            parts.append((verdict, say("count_" + verdict, n=n)))
    if len(parts) == 1 and parts[0][0] == "supported":
        text = say("all_supported", n=len(sentences))
    else:
        text = say("checked", parts=", ".join([part for _, part in parts]))
    return h("p", {"class": "checked"}, text)
