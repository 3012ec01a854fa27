"""Whether an inline style hides its element: the tricks that need no style sheet and no layout to see.

`hides("font-size: 1px")` is True. Colours on their own ground, overlays and anything a style sheet does
stay unseen here; a browser's computed style is the only full answer.
"""

import re

MIN_FONT_PX = 4.0
_OFF_SCREEN_PX = -900.0
_MIN_BOX_PX = 2.0

_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|pt|em|rem|%)?\Z")
_PX_PER_UNIT = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0}
_HIDING_VALUES = {
    "display": ("none",),
    "visibility": ("hidden", "collapse"),
    "content-visibility": ("hidden",),
}
_CLIPPED = re.compile(r"(?:inset\((?:50|100)%|rect\([01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?|circle\(0)")
_SCALED_AWAY = re.compile(r"scale[xy]?\(0*\.?0*\)")
_MOVED_BY = ("left", "top", "right", "text-indent", "margin-left")


def hides(style: str) -> bool:
    """Return whether `style`, the text of a style attribute, makes its element invisible."""
    declared = _declarations(style)
    if any(declared.get(name) in values for name, values in _HIDING_VALUES.items()):
        return True
    if _number(declared.get("opacity", "")) == 0.0:
        return True
    font_px = _pixels(declared.get("font-size", ""))
    if font_px is not None and font_px < MIN_FONT_PX:
        return True
    if _CLIPPED.match(declared.get("clip-path", "")) or _CLIPPED.match(declared.get("clip", "")):
        return True
    if _SCALED_AWAY.search(declared.get("transform", "")):
        return True
    if any(_is_below(declared.get(name, ""), _OFF_SCREEN_PX) for name in _MOVED_BY):
        return True
    is_cut = declared.get("overflow", "") in ("hidden", "clip")
    return is_cut and any(_is_below(declared.get(name, ""), _MIN_BOX_PX) for name in ("width", "height"))


def _declarations(style: str) -> dict[str, str]:
    pairs = (declaration.partition(":") for declaration in style.lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _number(value: str) -> float | None:
    match = _LENGTH.match(value)
    return None if match is None else float(match[1])


def _pixels(value: str) -> float | None:
    match = _LENGTH.match(value)
    if match is None:
        return None
    number = float(match[1])
    if number == 0.0:
        return 0.0
    factor = _PX_PER_UNIT.get(match[2] or "")
    return None if factor is None else number * factor


def _is_below(value: str, limit_px: float) -> bool:
    pixels = _pixels(value)
    return pixels is not None and pixels < limit_px
