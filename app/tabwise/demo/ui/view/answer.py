"""Stage 6: the answer in sentences, quoted at once, or chosen by the bundled language model on request."""

import json

from tabwise.demo.ui.view.parts import amount, duration, stage, tile, tiles
from tabwise.demo.ui.view.sentences import cited_view, sentences_view
from tabwise.demo.ui.words import STAGE_NAMES
from tabwise.ui.nodes import h
from tabwise.ui.text import decimal, number
from tabwise.ui.view.answer import fallback_text
from tabwise.ui.view.parts import button, spinner
from tabwise.ui.words import say


def answer_view(state: dict) -> tuple:
    """Return the stage."""
    answer = state["answer"]
    timings = answer["timings"] if answer else []
    times = (
        tiles(*[_timing(timing) for timing in timings if timing["stage"] in STAGE_NAMES]) if answer else None
    )
    receipt = button(
        "How this came about",
        {"type": "receipt_own", "of": "answer"},
        "quiet small",
        test="own-receipt",
        disabled=not state["own_receipt"],
    )
    return stage("answer", state, [_writer(state), times, receipt], [_body(state)])


def _timing(timing: dict) -> tuple:
    return tile(duration(timing["ms"]), STAGE_NAMES[timing["stage"]], "ms-" + timing["stage"])


def _writer(state: dict) -> tuple:
    """The bundled language model: what it is, a button to use it, how fast it was."""
    writer = state["engine"]["writer"] if state["engine"] else None
    if state["engine"] and writer is None:
        said = "This copy of the page comes without a language model; everything else works without it."
        return h("p", {"class": "hint", "data-test": "no-writer"}, said)
    ready = writer is not None and state["cut"] is not None
    label = writer["label"] if writer else "the language model"
    if state["asking"] and state["writing"]:
        act = button("Stop", {"type": "stop"}, "secondary small", icon="stop", test="stop")
    else:
        act = button(
            "Ask " + label,
            {"type": "write"},
            "secondary small",
            icon="send",
            test="write",
            disabled=not ready,
        )
    size = (
        "At most %s, %s, loaded when it is first asked, for the graphics card or else the processor. "
        "Too small to write well, it chooses which sentences answer."
    )
    hint = size % (amount(writer["size_bytes"]), writer["licence"]) if writer else ""
    return h("div", {"class": "giving"}, act, h("p", {"class": "hint"}, hint), _speed(state))


def _speed(state: dict) -> tuple | None:
    """How fast the model was, over all its calls as the receipt keeps them."""
    if not state["own_receipt"] or not state["answer"] or state["answer"]["engine"] != "bundled":
        return None
    calls = json.loads(state["own_receipt"])["calls"]
    n_ms = sum([call["ms"] for call in calls])
    if not n_ms:
        return None
    n_read = sum([call["n_prompt_tokens"] or call["n_counted_tokens"] for call in calls])
    said = "%d calls, %s tokens, %s: %s tokens a second%s." % (
        len(calls),
        number(n_read),
        duration(n_ms),
        decimal(1000 * n_read / n_ms),
        " on the " + say("model_on_" + state["device"]) if state["device"] else "",
    )
    return h("p", {"class": "measured", "data-test": "speed"}, said)


def _body(state: dict) -> tuple:
    answer, asking = state["answer"], state["asking"]
    attrs = {
        "class": "answer-card",
        "aria-live": "polite",
        "aria-busy": "true" if asking else "false",
        "data-test": "answer",
    }
    if state["writing"] or (answer is None and state["live"]):
        pairs = [(one["sentence"], one["citations"]) for one in state["live"]]
        wait = h("p", {"class": "measured"}, spinner(), "Reading and checking…") if asking else None
        asked = h("h3", {"class": "asked", "dir": "auto"}, state["ask"]["query"])
        return h("div", attrs, asked, sentences_view(pairs) if pairs else None, wait)
    if answer is None:
        return h("div", attrs, h("p", {"class": "waiting"}, "The answer appears here."))
    return h("div", attrs, answer_card(answer))


def answer_card(answer: dict) -> list:
    """Return a whole answer: question, sentences, what is cited, what stood in the way."""
    parts = [h("h3", {"class": "asked", "dir": "auto"}, answer["question"]), _fallback(answer["fallback"])]
    if not answer["found"]:
        nothing = h("p", {"class": "nothing-text"}, "Nothing in these texts answers this.")
        return parts + [h("div", {"class": "nothing", "data-test": "nothing"}, nothing)]
    pairs = [(sentence, answer["citations"]) for sentence in answer["sentences"]]
    by = h("p", {"class": "hint", "data-test": "by"}, _by(answer))
    quoted = answer["engine"] == "extractive"
    return parts + [sentences_view(pairs), cited_view(answer["citations"]), None if quoted else by]


def _by(answer: dict) -> str:
    """The model of the page chooses among sentences of the texts; rules write as a model would."""
    done = "Sentences chosen by " if answer["engine"] == "bundled" else "Written by "
    return done + answer["engine_label"]


def _fallback(fallback: dict | None) -> tuple | None:
    if not fallback:
        return None
    return h("p", {"class": "hint", "data-test": "fallback"}, fallback_text(fallback))
