"""Driving the built extension in a real Chromium: used by `build.py run --headless` and by tests/browser.

`browser` starts Chromium and reaches what Playwright does not show (the side panel, the offscreen document);
`panel` knows the side panel's controls.
"""
