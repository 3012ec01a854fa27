"""Which tabs can be read at all, decided from what the browser says about them.

Shared by the panel (grey rows with the reason) and the engine (per-row failures).
"""

_READABLE_SCHEMES = ("http", "https", "file")
# pages that no extension may script, whatever its permissions
_CLOSED_HOSTS = (
    "chromewebstore.google.com",
    "chrome.google.com/webstore",
    "microsoftedge.microsoft.com/addons",
)


def why_unreadable(tab: dict) -> str:
    """Return the error code that keeps `tab` (a Tab record) from being read, or "" when it can be tried."""
    if tab["private"]:
        return "tab_is_private"
    scheme, _, rest = tab["url"].partition(":")
    if scheme not in _READABLE_SCHEMES:
        return "page_system"
    place = rest.lstrip("/")
    for closed in _CLOSED_HOSTS:
        if place == closed or place.startswith(closed + "/"):
            return "page_system"
    if tab["asleep"]:
        return "tab_asleep"
    return ""
