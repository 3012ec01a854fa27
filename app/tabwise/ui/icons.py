"""The icons: strokes on a 16 × 16 grid in the colour of the text, so that forced colours work."""

from tabwise.ui.nodes import h

PATHS = {
    "check": "m3.5 8.5 3 3 6-7",
    "partly": "M3.5 8h6M3.5 11.5h3M3.5 4.5h9",
    "cross": "m4.5 4.5 7 7m0-7-7 7",
    "alert": "M8 2.2 14.3 13H1.7L8 2.2Zm0 4.3v3.2m0 1.6v.1",
    "unknown": "M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.8.5-1.1.9-1.1 1.7m0 2v.1",
    "dash": "M4 8h8",
    "plus": "M8 3.5v9M3.5 8h9",
    "stop": "M5 5h6v6H5Z",
    "send": "M8 13V3.5M4 7.3l4-4 4 4",
    "copy": "M6 6h7v7H6ZM3.5 10V3.5H10",
    "again": "M12.8 8a4.8 4.8 0 1 1-1.5-3.5M12.8 2.6v2.6h-2.6",
    "trash": "M3 4.5h10M6.5 4.5V3h3v1.5m-5 0 .6 8.5h5.8l.6-8.5",
    "down": "m4.5 6.5 3.5 3.5 3.5-3.5",
    "up": "m4.5 9.5 3.5-3.5 3.5 3.5",
    "width": "M2.5 4v8m11-8v8M5 8h6M6.8 6.2 5 8l1.8 1.8m2.4-3.6L11 8 9.2 9.8",
    "lines": "M3 4.5h10M3 8h10M3 11.5h6",
    "search": "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2",
    "books": "M3 3h2.5v10H3Zm2.5 0H8v10H5.5Zm3.4.6 2.4-.6 2.2 9.4-2.4.6Z",
    "lock": "M4 7.5h8v5.5H4Zm1.7 0V5.3a2.3 2.3 0 0 1 4.6 0v2.2",
    "page": "M4 2.5h5l3 3v8H4Zm5 0v3h3",
    "chat": "M2.8 3.5h10.4v7.2H7.5L4.7 13v-2.3H2.8Z",
    "tabs": "M2.5 12.5v-7H4V3.5h4.5v2h5v7Z",
    "sliders": "M2.5 5H8m3.2 0h2.3M9.6 3.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2Z"
    "M2.5 11h2.3M8 11h5.5M6.4 9.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2Z",
    "funnel": "M2.5 4h11M4.5 8h7M6.5 12h3",
    "near": "M3 6.3c1.7-2 3.3-2 5 0s3.3 2 5 0M3 10.7c1.7-2 3.3-2 5 0s3.3 2 5 0",
    "out": "M6.5 3.5h-3v9h3M7 8h6.5M10.8 5.2 13.5 8l-2.7 2.8",
    "quote": "M3 11.5c1.8 0 2.6-1 2.6-3H3.2v-4h3.6v4c0 2.6-1.2 4-3.6 4"
    "m6.4-1c1.8 0 2.6-1 2.6-3H9.6v-4h3.6v4c0 2.6-1.2 4-3.6 4",
    "save": "M8 2.5v7.3M5 7l3 3 3-3M3 13h10",
    "moved": "M3 8h9.5M9.5 5l3 3-3 3",
    "reworded": "M3 8c1.3-2.7 2.7-2.7 4 0s2.7 2.7 4 0M3 12.5h10",
    "clock": "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 5v3.2l2.2 1.6",
    "edit": "M3 13l.6-2.8 6.9-6.9 2.2 2.2-6.9 6.9L3 13Zm6-8.2 2.2 2.2",
    "pin": "M5.8 2.8h4.4l-.6 4 2 2.2H4.4l2-2.2-.6-4ZM8 9v4.5",
    "print": "M5 6V2.8h6V6M5 11.5H3V6h10v5.5h-2M5 9.5h6v3.7H5Z",
    "before": "M9.5 4.5 6 8l3.5 3.5",
    "after": "M6.5 4.5 10 8l-3.5 3.5",
    "microphone": "M8 2.5a1.8 1.8 0 0 1 1.8 1.8v3.4a1.8 1.8 0 0 1-3.6 0V4.3A1.8 1.8 0 0 1 8 2.5Z"
    "M4 7.5a4 4 0 0 0 8 0M8 11.5v2",
    "speaker": "M3 6.3h2.2L8.5 3.5v9L5.2 9.7H3ZM10.8 6a3 3 0 0 1 0 4m1.6-5.8a5.4 5.4 0 0 1 0 7.6",
    "sidebar": "M2.5 3.5h11v9h-11Zm7 0v9",
    "arrow": "M6 4.5h5.5V10M11 5l-6.5 6.5",
}
_MARK_TAB = (
    "M8 108V52a16 16 0 0 1 16-16h8V28a16 16 0 0 1 16-16h32a16 16 0 0 1 16 16v8h8a16 16 0 0 1 16 16v56"
    "a8 8 0 0 1-8 8H16a8 8 0 0 1-8-8Z"
)
_MARK_CHECK = "m36 78 19 19 38-42"
SVG_TAGS = ("svg", "path")


def icon(name: str) -> tuple:
    """Return an icon that says nothing to a screen reader; what it stands beside does."""
    attrs = {"class": "icon", "viewBox": "0 0 16 16", "aria-hidden": "true", "focusable": "false"}
    return h("svg", attrs, h("path", {"d": PATHS[name]}))


def mark() -> tuple:
    """Return the product's own mark: a browser tab whose line of text carries a check."""
    attrs = {"class": "mark", "viewBox": "0 0 128 128", "aria-hidden": "true", "focusable": "false"}
    tab = h("path", {"class": "mark-tab", "d": _MARK_TAB})
    return h("svg", attrs, tab, h("path", {"class": "mark-check", "d": _MARK_CHECK}))
