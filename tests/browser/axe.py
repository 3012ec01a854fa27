"""What axe finds wrong with a page, for people who read it by ear, by keyboard or with weak eyes."""

from typing import Any

from playwright.sync_api import Page

from buildlib.paths import DIST, NODE_MODULES

AXE = NODE_MODULES / "axe-core" / "axe.min.js"
PICTURES = DIST / "pictures"
_AT_REST = "() => document.getAnimations().every(({ playState }) => playState !== 'running')"


def violations(page: Page, *rules: str) -> list[tuple[str, str]]:
    """What axe finds by these rules, all without any: (rule, first element)."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options = {"runOnly": list(rules)} if rules else {}
    found: list[dict[str, Any]] = page.evaluate("(options) => axe.run(options)", options)["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found]


def assert_accessible(page: Page, picture: str) -> None:
    """No violation, light and dark; leaves a picture of each in dist/pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(_AT_REST)
        assert violations(page) == []
        page.screenshot(path=PICTURES / f"{picture}-{scheme}.png")
