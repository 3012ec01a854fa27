"""Banners that ask for consent, known by the names that sites and consent services give them.

They lie over a page and say nothing of it; a page about cookies names its text otherwise, and the page as a
whole is never a banner.
"""

import re

from tabwise.core.model import Node
from tabwise.core.page.capture import attribute

_TAGS = frozenset({"div", "section", "aside", "dialog", "form", "footer"})
_NAME = re.compile(
    r"(?:cookie|consent|gdpr|privacy)s?[-_]*(?:banner|bar|notice|wall|law|popup|modal|message|overlay|dialog|"
    r"prompt|manager|disclaimer)|onetrust|didomi|cybot|truste|cc-window|qc-cmp|usercentrics|sp_message",
    re.I,
)


def is_banner(node: Node) -> bool:
    """Whether an element is a banner that asks for consent."""
    return (
        node.tag in _TAGS and _NAME.search(f"{attribute(node, 'id')} {attribute(node, 'class')}") is not None
    )
