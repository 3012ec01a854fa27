"""Which sites the browser lets us read already, and which have to be asked for.

`access` is what the browser tells: {"origins": granted match patterns, "tabs": {tab id as text: origin}}. The
second holds tabs over which the toolbar button or a menu item of ours was pressed: until such a tab goes to
another site it may be read without a grant (activeTab).
"""

from tabwise.protocol.addresses import host_of
from tabwise.ui.text import origin_of, origin_pattern

EVERYWHERE = "<all_urls>"
_WEB = ("http", "https")


def missing_origins(urls: list, tabs: list, access: dict) -> list:
    """Return the patterns that must be asked for before all of `urls` can be read, each once, in order."""
    missing: list = []
    for url in urls:
        pattern = origin_pattern(url)
        if pattern and pattern not in missing and not may_read(url, tabs, access):
            missing.append(pattern)
    return missing


def may_read(url: str, tabs: list, access: dict) -> bool:
    """Whether the browser lets the tab at `url` be read now."""
    for pattern in access["origins"]:
        if covers(pattern, url):
            return True
    for tab in tabs if access["tabs"] else ():
        if tab["url"] == url and access["tabs"].get(str(tab["tab_id"]), "") == origin_of(url):
            return True
    return False


def covers(pattern: str, url: str) -> bool:
    """Whether a match pattern of a grant covers an address; the path of such a pattern is always /*."""
    scheme = url.partition(":")[0]
    if pattern == EVERYWHERE:
        return scheme in _WEB or scheme == "file"
    wanted_scheme, _, rest = pattern.partition("://")
    if wanted_scheme != scheme and not (wanted_scheme == "*" and scheme in _WEB):
        return False
    if scheme not in _WEB:
        return True
    host, wanted = host_of(url), host_of("http://" + rest)
    if wanted.startswith("*."):
        return host == wanted[2:] or host.endswith(wanted[1:])
    return wanted in ("*", host)


def is_everywhere(access: dict) -> bool:
    """Whether every web page may be read."""
    for pattern in access["origins"]:
        if pattern == EVERYWHERE or pattern in ("*://*/*", "https://*/*"):
            return True
    return False
