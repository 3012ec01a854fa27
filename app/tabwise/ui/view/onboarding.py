"""The first steps as a list that ticks itself off, and the next one alone under a conversation."""

from tabwise.ui.guide import guide_steps, step_below
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button, icon_button
from tabwise.ui.words import say

# what a step's button does; a step without one says where to press, or its button stands above the list
_ACTS = {
    "ask": {"type": "guide_question"},
    "sites": {"type": "guide_sites"},
    "engine": {"type": "open_settings"},
}


def guide_view(state: dict) -> tuple | None:
    """Return the list of first steps, None when all are taken or the reader closed it."""
    steps = guide_steps(state)
    left = [step for step, done in steps if not done]
    if not left:
        return None
    n_done = len(steps) - len(left)
    return h(
        "section",
        {"class": "guide", "key": "guide", "aria-labelledby": "guide-title", "data-test": "guide"},
        h(
            "header",
            {"class": "guide-head"},
            h("h3", {"id": "guide-title"}, say("guide")),
            h(
                "span",
                {"class": "count", "data-test": "guide-count"},
                say("guide_count", n=n_done, of=len(steps)),
            ),
            icon_button(
                "cross", say("guide_close"), {"type": "guide_close"}, style="faint", test="guide-close"
            ),
        ),
        h("ol", {}, [_step(step, done, step == left[0]) for step, done in steps]),
    )


def next_step(state: dict) -> tuple | None:
    """Return the next step alone, for under a conversation; None when there is none."""
    step = step_below(state)
    if not step:
        return None
    return h(
        "section",
        {"class": "guide small", "key": "guide", "aria-label": say("guide"), "data-test": "guide-next"},
        h("ol", {}, _step(step, False, True)),
        icon_button("cross", say("guide_close"), {"type": "guide_close"}, style="faint", test="guide-close"),
    )


def _step(step: str, done: bool, is_next: bool) -> tuple:
    state = "done" if done else "next" if is_next else "later"
    act = _ACTS.get(step)
    acts = [
        button(say("guide_" + step + "_act"), act, "secondary small", test="guide-act") if act else None,
        button(
            say("guide_skip"),
            {"type": "guide_skip", "step": step},
            "quiet small",
            test="guide-skip",
            id="skip-" + step,
            aria=say("guide_skip_label", step=say("guide_" + step)),
        ),
    ]
    return h(
        "li",
        {"class": "step", "key": step, "data-test": "step", "data-step": step, "data-state": state},
        h("span", {"class": "tick", "aria-hidden": "true"}, icon("check") if done else None),
        h(
            "div",
            {"class": "step-text"},
            h("b", {}, say("guide_" + step)),
            h("span", {"class": "hidden"}, say("guide_is_done")) if done else None,
            h("p", {}, say("guide_" + step + "_more")) if is_next else None,
            h("div", {"class": "step-acts"}, acts) if is_next else None,
        ),
    )
