"""Take a picture of every state of the panel.

PYTHONPATH=tests:scripts python -m browser.panel_shots FOLDER [WIDTH [SCHEME [LANGUAGE [SCENE...]]]]

SCHEME is light, dark or forced (colours of the system).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser import answer_scenes, data_scenes, panel_scenes, summary_scenes, thread_scenes
from browser.panel_page import MICROPYTHON, STUB, served
from browser.scene import Scene
from buildlib.chromium import find_chromium

HEIGHT_PX = 720
SCENES = (
    panel_scenes.SCENES
    | answer_scenes.SCENES
    | thread_scenes.SCENES
    | data_scenes.SCENES
    | summary_scenes.SCENES
)


def main(folder: Path, width_px: int, scheme: str, language: str, names: list[str]) -> None:
    """Write FOLDER/<scene>-<width>-<scheme>-<language>.png for each scene."""
    folder.mkdir(parents=True, exist_ok=True)
    with served(MICROPYTHON) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        for name in names or SCENES:
            page = browser.new_page(
                viewport={"width": width_px, "height": HEIGHT_PX},
                color_scheme="dark" if scheme == "dark" else "light",
                forced_colors="active" if scheme == "forced" else "none",
                reduced_motion="reduce",
            )
            page.add_init_script(path=STUB)
            page.add_init_script(f"stub.language = {json.dumps(language)}")
            page.goto(url)
            SCENES[name](Scene(page))
            if name.startswith("settings"):
                height = page.evaluate("document.querySelector('.settings').scrollHeight")
                page.set_viewport_size({"width": width_px, "height": height})
            page.screenshot(path=folder / f"{name}-{width_px}-{scheme}-{language}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    main(
        Path(arguments[0]),
        int(arguments[1]) if len(arguments) > 1 else 360,
        arguments[2] if len(arguments) > 2 else "light",
        arguments[3] if len(arguments) > 3 else "en",
        arguments[4:],
    )
