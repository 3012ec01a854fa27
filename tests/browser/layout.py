"""What a careful eye would find wrong with the layout of a page, measured in the browser.

Pieces that stand outside the window, text cut off without a sign, squeezed buttons, links to nothing; and in
forced colours signs that keep a colour of the theme. Only a table or program text may scroll sideways in its
own box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import CDPSession, Page

WIDTHS_PX = (180, 320, 360, 480, 1280)  # 180: a panel of 360 px at 200 % (WCAG 2.2, 1.4.4)
HEIGHT_PX = 600
TARGET_PX = 24  # WCAG 2.2, 2.5.8

_MEASURE = """((target) => {
  const named = (element) => `${element.localName}.${element.getAttribute("class") ?? ""}`;
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const faults = [];
  const width = document.documentElement.clientWidth;
  for (const element of document.querySelectorAll("html, body, body *")) {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const unseen = box.width <= 1 || box.height <= 1 || style.visibility === "hidden";
    if (unseen || element.closest("svg svg, svg *, .hidden")) continue;
    const tooWide = element.scrollWidth > element.clientWidth + 1;
    if (scrolls(element) && tooWide && !element.querySelector(":scope > :is(table, pre, code)")) {
      if (!element.matches("pre, textarea")) faults.push(`scrolls sideways: ${named(element)}`);
    }
    let inside = element.parentElement;
    while (inside && !scrolls(inside)) inside = inside.parentElement;
    if (!inside && (box.right > width + 1 || box.left < -1)) faults.push(`outside: ${named(element)}`);
    const cuts = /hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis";
    if (cuts && tooWide && !element.matches("input, progress")) faults.push(`cut off: ${named(element)}`);
    if (element.matches("a:not([href])")) faults.push(`leads nowhere: ${named(element)}`);
    const small = Math.min(box.width, box.height) < target - 0.5;
    if (small && element.matches(".button, .icon-button")) faults.push(`squeezed: ${named(element)}`);
  }
  return faults;
})"""
# what hangs on an anchor has come to rest a frame later
_SETTLE = (
    "new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done), 20)))"
)
# parts of a meter stand in a tree of the browser's own, which scripts do not see
_VALUE_OF_METER = "-webkit-meter-optimum-value"
_UNFORCED = """[...document.querySelectorAll("svg.icon")]
  .filter((icon) => getComputedStyle(icon).color !== getComputedStyle(icon.parentElement).color)
  .map((icon) => icon.parentElement.className)"""


def layout_faults(page: Page) -> list[str]:
    """Return what is wrong with the layout at each width, the width before it; [] if nothing is."""
    faults = []
    for width_px in WIDTHS_PX:
        page.set_viewport_size({"width": width_px, "height": HEIGHT_PX})
        page.evaluate(_SETTLE)
        faults += [f"{width_px} px {fault}" for fault in page.evaluate(_MEASURE, TARGET_PX)]
    return faults


def strayed_bars(page: Page) -> list[tuple[float, float]]:
    """Return (top of its track, its own top) in px of each bar of a meter that is not in its track."""
    session = page.context.new_cdp_session(page)
    try:
        document = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        tops = [
            (_top_of(session, meter), _top_of(session, bar))
            for meter in _nodes(document, lambda node: node["localName"] == "meter")
            for bar in _nodes(meter, lambda node: _VALUE_OF_METER in node.get("attributes", []))
        ]
    finally:
        session.detach()
    return [(track, bar) for track, bar in tops if abs(track - bar) > 0.5]


def _nodes(node: dict[str, Any], is_wanted: Callable[[dict[str, Any]], bool]) -> Iterator[dict[str, Any]]:
    if is_wanted(node):
        yield node
    for below in (*node.get("children", []), *node.get("shadowRoots", [])):
        yield from _nodes(below, is_wanted)


def _top_of(session: CDPSession, node: dict[str, Any]) -> float:
    model = session.send("DOM.getBoxModel", {"backendNodeId": node["backendNodeId"]})["model"]
    return float(model["border"][1])


def unforced_signs(page: Page) -> list[str]:
    """Return the surroundings of signs that keep a colour of their own in forced colours."""
    page.emulate_media(forced_colors="active")
    # colours that change slowly are at rest at once
    page.add_style_tag(
        content="*, ::before, ::after { transition: none !important; animation: none !important; }"
    )
    page.evaluate(_SETTLE)
    unforced: list[str] = page.evaluate(_UNFORCED)
    page.emulate_media(forced_colors="none")
    return unforced
