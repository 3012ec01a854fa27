"""What a language model was given and what it wrote, word for word, with its sizes and its speed."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import decimal, number, seconds
from tabwise.ui.words import knows, say


def calls_view(calls: list, is_bound: bool) -> tuple:
    """Return the calls of a receipt in their order; `is_bound`: what we count is no less, but may be more."""
    rows = [_call(place, call, is_bound) for place, call in enumerate(calls)]
    return h("ol", {"class": "calls"}, rows)


def speed_of(call: dict) -> float:
    """Return the tokens a second that a call wrote, reading included; 0 where it does not say how many."""
    n_tokens = call["n_output_tokens"]
    return 1000.0 * n_tokens / call["ms"] if n_tokens and call["ms"] > 0 else 0.0


def _call(place: int, call: dict, is_bound: bool) -> tuple:
    n_own, n_counted = call["n_prompt_tokens"], call["n_counted_tokens"]
    words = "call_read_most" if is_bound and not n_own else "call_read"
    facts = [say(words, n=n_own or n_counted)]
    if call["n_output_tokens"]:
        facts.append(say("call_wrote", n=call["n_output_tokens"]))
    if speed_of(call):
        facts.append(say("call_speed", rate=decimal(speed_of(call))))
    purpose = "call_" + call["purpose"]
    return h(
        "li",
        {"key": str(place), "class": "call", "data-test": "call"},
        h(
            "p",
            {"class": "call-head"},
            h("b", {}, say(purpose) if knows(purpose) else call["purpose"]),
            h("span", {"class": "time"}, seconds(call["ms"])),
        ),
        h("p", {}, " · ".join(facts)),
        h(
            "details",
            {"class": "raw-part", "key": "prompt", "data-test": "prompt"},
            h("summary", {}, say("prompt_exact", n=len(call["messages"])), icon("down")),
            [_message(at, message) for at, message in enumerate(call["messages"])],
        ),
        h(
            "details",
            {"class": "raw-part", "key": "reply"},
            h("summary", {}, say("reply_exact", chars=number(len(call["reply"]))), icon("down")),
            _raw(say("reply_exact", chars=number(len(call["reply"]))), call["reply"]),
        ),
    )


def _message(place: int, message: dict) -> tuple:
    role = say("role_" + message["role"])
    return h("div", {"key": str(place)}, h("h4", {}, role), _raw(role, message["text"]))


def _raw(label: str, text: str) -> tuple:
    attrs = {"class": "raw", "tabindex": "0", "role": "region", "aria-label": label, "dir": "auto"}
    return h("pre", attrs, text)
