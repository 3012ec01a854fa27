"""One question with its answer: sentences, verdicts, citation chips, sources, what can be done with it."""

from tabwise.protocol.addresses import host_of
from tabwise.protocol.schema import VERDICTS
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.selectors import places_of, title_of
from tabwise.ui.state import find
from tabwise.ui.text import seconds
from tabwise.ui.view.parts import button, error_box, favicon, site, spinner, title
from tabwise.ui.view.why import why_view
from tabwise.ui.words import error_sentence, knows, say, unit, verdict_text

VERDICT_ICONS = {
    "supported": "check",
    "partly": "partly",
    "contradicted": "cross",
    "not_found": "unknown",
    "uncited": "dash",
}


def block_view(block: dict, chip: str, now: float, busy: bool) -> tuple:
    """Return a question with whatever is known of its answer.

    `chip` names the citation whose excerpt is shown ("" for none), `busy` whether any question runs.
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
    return h(
        "article",
        attrs,
        h("h2", {"class": "asked", "dir": "auto"}, block["question"]),
        h("p", {"class": "note"}, icon("again"), say("restarted")) if block["restarted"] else None,
        _sentences(block, chip),
        _working(block, now) if working else _outcome(block),
        _sources(block) if not working else None,
        _foot(block, busy) if block["state"] in ("done", "stopped") else None,
    )


def _sentences(block: dict, chip: str) -> tuple | None:
    if not block["sentences"]:
        return None
    shown = [_sentence(block, index, sentence, chip) for index, sentence in enumerate(block["sentences"])]
    return h("div", {"class": "answer"}, shown)


def _sentence(block: dict, index: int, sentence: dict, shown_chip: str) -> tuple:
    verdict = sentence["verdict"]
    said = verdict_text(verdict, sentence["reasons"])
    attrs = {"class": "sentence", "key": str(index), "data-test": "sentence", "data-verdict": verdict}
    chips = [_chip(block, index, number, shown_chip) for number in sentence["citations"]]
    mark = h(
        "span",
        {"class": "verdict", "role": "img", "aria-label": said, "title": said},
        icon(VERDICT_ICONS[verdict]),
    )
    plain = verdict == "supported"
    return h(
        "div",
        attrs,
        mark,
        h(
            "div",
            {"class": "said"},
            h("p", {}, h("span", {"dir": "auto"}, sentence["text"]), [[" ", c] for c in chips if c]),
            None if plain else h("p", {"class": "verdict-text", "aria-hidden": "true"}, said),
        ),
    )


def _chip(block: dict, index: int, number: int, shown_chip: str) -> tuple | None:
    citation = find(block["citations"], "number", number)
    if citation is None:
        return None
    name = "%s-%d-%d" % (block["id"], index, number)
    shown = name == shown_chip
    enter = {"type": "chip_enter", "block": block["id"], "number": number, "chip": name}
    attrs = {
        "type": "button",
        "class": "chip shown" if shown else "chip",
        "key": str(number),
        "data-test": "chip",
        "aria-label": say("source_chip", number=number, title=title_of(citation)),
        "aria-describedby": "card" if shown else None,
        "on-click": {"type": "show", "block": block["id"], "number": number},
        "on-enter": enter,
        "on-leave": {"type": "chip_leave"},
    }
    return h("button", attrs, str(number))


def _working(block: dict, now: float) -> tuple:
    stage = block["stage"]
    name = say("stage_" + stage["stage"]) if stage else say("working")
    count = ""
    if stage and stage["total"] > 1:
        count = say("stage_count", done=stage["done"], total=stage["total"], unit=unit(stage["unit"]))
    ended = [
        h("li", {"key": s["stage"]}, icon("check"), say("stage_" + s["stage"]), _time(s["ms"]))
        for s in block["stages"]
    ]
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
        None if block["sentences"] else _placeholder(),
    )


def _placeholder() -> tuple:
    return h("div", {"class": "placeholder", "aria-hidden": "true"}, h("i"), h("i"), h("i"))


def _time(ms: float) -> tuple:
    return h("span", {"class": "time"}, seconds(ms))


def _outcome(block: dict) -> tuple | None:
    if block["state"] == "stopped":
        return h(
            "p", {"class": "note"}, icon("stop"), say("stopped" if block["sentences"] else "stopped_empty")
        )
    if block["state"] == "failed":
        again = {"type": "again", "block": block["id"]}
        events = {
            "retry": again,
            "edit": {"type": "edit", "block": block["id"]},
            "dismiss": {"type": "dismiss", "block": block["id"]},
            "add": {"type": "add_active"},
            "refresh": {"type": "refresh"},
            "pages": {"type": "view", "value": "pages"},
            "reembed": {"type": "reembed"},
            "reset": {"type": "reset"},
            "reload": {"type": "reload"},
            "settings": {"type": "open_settings"},
        }
        return error_box(block["error"]["code"], events, block["error"]["subject"])
    if block["state"] == "done" and not block["answer"]["found"]:
        return h(
            "div",
            {"class": "nothing"},
            h("p", {"class": "nothing-text"}, say("nothing_found")),
            h("p", {}, say("nothing_found_more")),
        )
    return None


def _sources(block: dict) -> tuple | None:
    if not block["citations"]:
        return None
    groups: list = []
    for citation in block["citations"]:
        group = find(groups, "source", citation["source"])
        if group is None:
            groups.append({"source": citation["source"], "citations": [citation]})
        else:
            group["citations"].append(citation)
    return h(
        "section",
        {"class": "sources"},
        h("h3", {}, say("sources")),
        h("ol", {}, [_source(block, group["citations"]) for group in groups]),
    )


def _source(block: dict, citations: list) -> tuple:
    first = citations[0]
    numbers = [str(citation["number"]) for citation in citations]
    attrs = {
        "class": "source",
        "href": first["url"],
        "target": "_blank",
        "rel": "noreferrer",
        "title": say("show_passage"),
        "on-click": {"type": "show", "block": block["id"], "number": first["number"]},
    }
    return h(
        "li",
        {"key": first["source"]},
        h(
            "a",
            attrs,
            favicon(first["url"]),
            title(title_of(first)),
            site(first["url"], places_of(citations)),
        ),
        h("span", {"class": "numbers"}, [h("span", {"class": "number"}, n) for n in numbers]),
        _entries(citations),
    )


def _entries(citations: list) -> tuple | None:
    """Where the cited entries of a list lead, each address once."""
    shown = []
    seen = set()
    for citation in citations:
        url = citation["link"]
        if not url or not host_of(url) or url in seen:
            continue
        seen.add(url)
        attrs = {
            "class": "entry-link",
            "key": str(citation["number"]),
            "data-test": "entry-link",
            "href": url,
            "target": "_blank",
            "rel": "noreferrer",
            "title": url,
            "on-click": {"type": "open_page", "url": url},
        }
        label = say("open_entry", number=citation["number"])
        shown.append(h("a", attrs, h("span", {}, label), " ", site(url)))
    return h("p", {"class": "entry-links"}, shown) if shown else None


def _why_here(code: str) -> tuple:
    reason = say(code) if code == "mirror_behind" else error_sentence(code)
    return h("p", {"class": "note quiet", "data-test": "why-local"}, say("answered_here", reason=reason))


def _foot(block: dict, busy: bool) -> tuple:
    answer = block["answer"]
    return h(
        "footer",
        {"class": "foot"},
        _checked(block["sentences"]),
        h("p", {"class": "note quiet"}, say("lexical_only")) if answer and not answer["semantic"] else None,
        _why_here(answer["why_local"]) if answer and answer["why_local"] else None,
        h(
            "div",
            {"class": "acts"},
            button(say("copy"), {"type": "copy", "block": block["id"]}, "quiet", icon="copy")
            if block["sentences"]
            else None,
            button(
                say("ask_again"),
                {"type": "again", "block": block["id"]},
                "quiet",
                icon="again",
                disabled=busy,
            ),
        ),
        _how(answer) if answer else None,
    )


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


def _how(answer: dict) -> tuple:
    engine = "engine_" + answer["engine"]
    name = say(engine) if knows(engine) else answer["engine"]
    times = [
        h("li", {"key": t["stage"]}, h("span", {}, say("stage_" + t["stage"])), _time(t["ms"]))
        for t in answer["timings"]
    ]
    return h(
        "details",
        {"class": "how"},
        h("summary", {}, say("how"), icon("down")),
        h("p", {}, say("how_engine", engine=name) + " · " + say("how_passages", n=len(answer["hits"]))),
        h("ul", {"class": "times"}, times) if times else None,
        why_view(answer["hits"]),
    )
