"""What a careful eye would find wrong with the layout of a page, measured in the browser.

Pieces that stand outside the window, text cut off without a sign, squeezed buttons; and in forced colours
signs that keep a colour of the theme. Only a table or program text may scroll sideways in its own box.
"""

from __future__ import annotations

from playwright.sync_api import Page

WIDTHS_PX = (320, 360, 480, 1280)
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
    const small = Math.min(box.width, box.height) < target - 0.5;
    if (small && element.matches(".button, .icon-button")) faults.push(`squeezed: ${named(element)}`);
  }
  return faults;
})"""
# what hangs on an anchor has come to rest a frame later
_SETTLE = (
    "new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done), 20)))"
)
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
