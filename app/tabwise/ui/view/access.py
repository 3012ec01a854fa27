"""The choice of sites before several tabs are added: the browser asks once for what is chosen here."""

from tabwise.ui.nodes import h
from tabwise.ui.text import site_of
from tabwise.ui.view.parts import button
from tabwise.ui.words import say

_NAMED = 3


def sites_view(asking: dict | None) -> tuple | None:
    """Return the choice, None when there is none to make."""
    if asking is None:
        return None
    origins = asking["origins"]
    attrs = {
        "class": "ask-sites",
        "key": "ask-sites",
        "data-test": "ask-sites",
        "aria-labelledby": "ask-sites-title",
    }
    sites = [site_of(origin) for origin in origins[:_NAMED]]
    more = len(origins) - len(sites)
    named = ", ".join(sites) + (say("and_more", n=more) if more else "")
    these = {"type": "choose_sites", "everywhere": False}
    every = {"type": "choose_sites", "everywhere": True}
    return h(
        "section",
        attrs,
        h("h2", {"id": "ask-sites-title"}, say("sites_wanted", n=len(origins))),
        h("p", {"dir": "auto"}, named),
        h(
            "div",
            {"class": "choice-acts"},
            button(
                say("allow_sites", n=len(origins)), these, "primary", test="allow-sites", id="allow-sites"
            ),
            button(say("allow_everywhere"), every, "secondary", test="allow-everywhere"),
            button(say("not_now"), {"type": "no_sites"}, "quiet", test="no-sites"),
        ),
        h("p", {"class": "hint"}, say("sites_hint")),
    )
