"""How an answer came about, from its receipt: plan, rankings, budget, prompts, checks, each with its time.

Until the receipt is there, the passages and times that came with the answer are shown; the passages stay, as
what the rankings came to. A receipt that is opened without its answer also shows the steps and the sentences.
Nothing of it is drawn before it is opened: it is half of what there is to draw of an answer.
"""

from tabwise.protocol.schema import VERDICTS
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.receipts import replay_text
from tabwise.ui.text import seconds, shorten, site_of
from tabwise.ui.view.parts import button, error_box, spinner
from tabwise.ui.view.prompts import calls_view
from tabwise.ui.view.rankings import search_view
from tabwise.ui.view.sentences import VERDICT_ICONS, judged_view
from tabwise.ui.view.steps import steps_view
from tabwise.ui.view.why import why_view
from tabwise.ui.words import engine_name, say

_HASH_CHARS = 12


def how_view(block_id: str, answer: dict, inside: dict) -> tuple:
    """Return the folded part beneath an answer; opening it fetches the receipt."""
    opened = {"type": "receipt_open", "block": block_id}
    is_wanted = inside["fetching"] or inside["receipt"] is not None or inside["receipt_error"]
    return h(
        "details",
        {"class": "how", "key": "how", "data-test": "how"},
        h("summary", {"on-click": opened, "data-test": "how-open"}, say("how"), icon("down")),
        _opened(block_id, answer, inside) if is_wanted else None,
    )


def _opened(block_id: str, answer: dict, inside: dict) -> list:
    receipt = inside["receipt"]
    shown = [times_view([(timing["stage"], timing["ms"]) for timing in answer["timings"]])]
    if receipt is None:
        return shown + _waiting(block_id, answer, inside)
    return shown + [stations_view(receipt, answer["hits"], False), _acts(block_id, inside)]


def times_view(timings: list) -> tuple | None:
    """Return how long each stage took, (stage, ms), each with its share of the whole as a bar."""
    total = sum([ms for _, ms in timings])
    if not total:
        return None
    rows = [
        h(
            "li",
            {"key": stage},
            h("span", {"class": "time-name"}, say("stage_" + stage)),
            bar(ms / total, say("stage_" + stage)),
            h("span", {"class": "time"}, seconds(ms)),
        )
        for stage, ms in timings
    ]
    return h("ul", {"class": "times", "key": "times", "data-test": "times"}, rows)


def bar(share: float, label: str) -> tuple:
    """Return a bar that is filled to a share from 0 to 1."""
    value = "%.3f" % max(0.0, min(1.0, share))
    return h("meter", {"min": "0", "max": "1", "value": value, "aria-label": label})


def _waiting(block_id: str, answer: dict, inside: dict) -> list:
    again = {"retry": {"type": "again", "block": block_id}}
    code = inside["receipt_error"]
    return [
        h("p", {"class": "stage", "key": "wait"}, spinner(), say("receipt_fetching"))
        if inside["fetching"]
        else None,
        error_box(code, again) if code else None,
        why_view(answer["hits"]) if answer["hits"] else None,
    ]


def stations_view(receipt: dict, hits: list, alone: bool) -> tuple:
    """Return a receipt station by station.

    `hits` are the passages of its answer, [] where that is not at hand; `alone` says whether the answer
    itself is not shown beside it.
    """
    titles = {page["source"]: page["title"].strip() for page in receipt["pages"]}
    searches = [search_view(search, hits, titles) for search in receipt["searches"]]
    steps = steps_view(receipt["steps"], True) if alone else None
    sentences = receipt["sentences"]
    return h(
        "ol",
        {"class": "stations", "key": "receipt", "data-test": "receipt"},
        _station("plan", _plan(receipt["plan"])),
        _station("search", searches) if searches else None,
        h("li", {"key": "why", "class": "station"}, why_view(hits)) if hits else None,
        _station("budget", _budget(receipt, titles)) if receipt["given"] or receipt["dropped"] else None,
        h("li", {"key": "steps", "class": "station"}, steps) if steps else None,
        _station("calls", calls_view(receipt["calls"], _is_bound(receipt))) if receipt["calls"] else None,
        _station("verdicts", [_verdicts(sentences), _sentences(receipt, titles) if alone else None])
        if sentences
        else None,
        _station("versions", _versions(receipt)),
    )


def _station(name: str, shown) -> tuple:
    return h("li", {"key": name, "class": "station"}, h("h3", {}, say("receipt_" + name)), shown)


def _plan(plan: dict) -> tuple:
    facts = [(say("plan_kind"), say("plan_" + plan["kind"]))]
    facts.append((say("plan_by"), say("plan_by_model" if plan["by_model"] else "plan_by_rules")))
    if plan["is_follow_up"]:
        facts.append((say("plan_alone"), plan["question"]))
    if plan["topics"]:
        facts.append((say("plan_topics"), ", ".join(plan["topics"])))
    return h("div", {}, _facts(facts))


def _facts(facts: list) -> tuple:
    rows = [
        h("div", {"class": "fact", "key": name}, h("dt", {}, name), h("dd", {"dir": "auto"}, value))
        for name, value in facts
    ]
    return h("dl", {"class": "receipt-facts"}, rows)


def _is_bound(receipt: dict) -> bool:
    """Whether only the model itself can count its tokens, so that ours are upper bounds."""
    writer = receipt["versions"]["language_model"].partition(" ")[0]
    return writer == "prompt_api" or writer.startswith("provider:")


def _budget(receipt: dict, titles: dict) -> list:
    given, dropped = receipt["given"], receipt["dropped"]
    most = max([item["n_tokens"] for item in given + dropped] + [1])
    kept = [
        _share(str(item["number"]), _name(item["source"], titles), item["n_tokens"], most, "")
        for item in given
    ]
    left_out = [
        _share("%d" % place, item["name"], item["n_tokens"], most, say("dropped_" + item["reason"]))
        for place, item in enumerate(dropped)
    ]
    return [
        h("p", {"class": "lead-line", "key": "kept"}, say("budget_kept", n=len(given))),
        h("p", {"class": "hint", "key": "bound", "data-test": "bound"}, say("tokens_bound"))
        if _is_bound(receipt)
        else None,
        h("ul", {"class": "shares", "key": "given"}, kept),
        h("p", {"class": "lead-line", "key": "lost"}, say("budget_dropped", n=len(dropped)))
        if dropped
        else None,
        h("ul", {"class": "shares dropped", "key": "dropped", "data-test": "dropped"}, left_out)
        if dropped
        else None,
    ]


def _share(key: str, name: str, n_tokens: int, most: int, reason: str) -> tuple:
    return h(
        "li",
        {"key": key},
        h("bdi", {"class": "share-name", "dir": "auto"}, name),
        [
            bar(n_tokens / most, say("tokens", n=n_tokens)),
            h("span", {"class": "time"}, say("tokens", n=n_tokens)),
        ]
        if n_tokens
        else None,
        h("small", {}, reason) if reason else None,
    )


def _name(source: str, titles: dict) -> str:
    return titles.get(source) or site_of(source)


def _verdicts(sentences: list) -> tuple:
    rows = []
    for verdict in VERDICTS:
        n = len([one for one in sentences if one["judgement"]["verdict"] == verdict])
        if n:
            said = say("count_" + verdict, n=n)
            shown = [icon(VERDICT_ICONS[verdict]), h("span", {"class": "time-name"}, said)]
            rows.append(
                h("li", {"key": verdict, "data-verdict": verdict}, shown, bar(n / len(sentences), said))
            )
    return h("ul", {"class": "times verdicts"}, rows)


def _sentences(receipt: dict, titles: dict) -> tuple:
    """The sentences as they were judged; their chips only name what they cite."""
    sources = {citation["number"]: citation["source"] for citation in receipt["citations"]}
    rows = []
    for place, one in enumerate(receipt["sentences"]):
        sentence = {"text": one["text"]}
        sentence.update(one["judgement"])
        chips = [
            [" ", _chip(number, _name(sources[number], titles))]
            for number in one["citations"]
            if number in sources
        ]
        rows.append(judged_view(str(place), sentence, chips, True, None))
    return h("div", {"class": "answer", "key": "sentences"}, rows)


def _chip(number: int, name: str) -> tuple:
    label = say("source_chip", number=number, title=name)
    return h("span", {"class": "chip", "key": str(number), "data-test": "chip", "title": label}, str(number))


def _versions(receipt: dict) -> tuple:
    versions = receipt["versions"]
    return _facts(
        [
            (say("product"), versions["app"]),
            (say("receipt_engine"), engine_name(receipt["engine"], receipt["engine_label"])),
            (say("receipt_embedder"), versions["embedder"]),
            (say("receipt_index"), shorten(versions["index_fingerprint"], _HASH_CHARS)),
        ]
    )


def _acts(block_id: str, inside: dict) -> tuple:
    return h(
        "div",
        {"class": "receipt-acts", "key": "acts"},
        h(
            "div",
            {"class": "acts"},
            button(
                say("receipt_save"),
                {"type": "receipt_save", "block": block_id},
                "quiet",
                icon="save",
                test="receipt-save",
            ),
            button(
                say("replay"),
                {"type": "receipt_replay", "block": block_id},
                "quiet",
                icon="again",
                test="replay",
                disabled=inside["replaying"],
            ),
        ),
        h("p", {"class": "stage", "key": "wait"}, spinner(), say("replaying"))
        if inside["replaying"]
        else None,
        error_box(inside["receipt_error"], {}) if inside["receipt_error"] else None,
        _replayed(inside["replay"]) if inside["replay"] else None,
    )


def _replayed(replay: dict) -> tuple:
    differences = [
        h(
            "li",
            {"key": str(place)},
            say("replay_" + item["change"], subject=item["subject"]),
        )
        for place, item in enumerate(replay["differences"])
    ]
    return h(
        "div",
        {"class": "replayed", "key": "replayed", "data-test": "replayed", "data-same": str(replay["same"])},
        h("p", {}, icon("check" if replay["same"] else "alert"), h("span", {}, replay_text(replay))),
        h("ul", {}, differences) if differences else None,
    )
