"""What can be done with a question: edit it, go to another version of it."""

from tabwise.ui.nodes import h
from tabwise.ui.view.parts import icon_button
from tabwise.ui.words import say


def turn_tools(block: str, place: int, n_versions: int) -> tuple:
    """Return the tools beside a question, which is version `place` of `n_versions`."""
    edit = {"type": "edit", "block": block}
    return h(
        "div",
        {"class": "turn-tools"},
        icon_button("edit", say("edit_question"), edit, style="faint idle", test="edit"),
        _versions(block, place, n_versions) if n_versions > 1 else None,
    )


def _versions(block: str, place: int, total: int) -> tuple:
    said = say("version", n=place, total=total)
    count = "%d / %d" % (place, total)
    steps = []
    for sign, by in (("before", -1), ("after", 1)):
        attrs_off = not 1 <= place + by <= total
        event = {"type": "version", "block": block, "by": by}
        steps.append(
            icon_button(sign, say("version_" + sign), event, test="version-" + sign, disabled=attrs_off)
        )
    shown = h("span", {"class": "version", "data-test": "version"}, count)
    return h("div", {"class": "versions", "role": "group", "aria-label": said}, steps[0], shown, steps[1])
