"""The page's script, on MicroPython."""

from tabwise.demo.ui.app import start

with open("tabwise/messages.json") as words:  # noqa: PTH123, MicroPython has no pathlib
    start(words.read())
