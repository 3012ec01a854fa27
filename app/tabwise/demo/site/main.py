"""The page's script, on MicroPython."""

from tabwise.demo.ui.app import start

start()
