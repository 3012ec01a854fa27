"""What this is, what leaves this computer, the licences of what is inside."""

from tabwise.ui.nodes import h
from tabwise.ui.words import say

NOTICE = "/NOTICE.txt"
PRIVACY = "/privacy.html"


def about_section(state: dict) -> list:
    """Return the version, what leaves this computer, the licences."""
    version = state["engine"]["version"]
    privacy = {"href": PRIVACY, "class": "plain", "target": "_blank"}
    licences = {"href": NOTICE, "class": "plain", "target": "_blank"}
    return [
        h("p", {"key": "version"}, say("about_version", version=version)) if version else None,
        h("h3", {"key": "leaves"}, say("about_leaves")),
        h("p", {"key": "leaves-more"}, say("about_leaves_more")),
        h("p", {"key": "privacy"}, h("a", privacy, say("about_privacy"))),
        h("p", {"key": "licences"}, h("a", licences, say("about_licences"))),
    ]
