"""The interface's sentences on CPython: the tables of the installed package, or of a checkout."""

from importlib import resources
from pathlib import Path

_CHECKOUT = Path(__file__).parents[4] / "extension" / "_locales"


def messages(language: str = "en") -> str:
    """Return the table of a language as JSON text, for `tabwise.ui.words.load`."""
    installed = Path(str(resources.files("tabwise"))) / "_locales"
    folder = installed if installed.is_dir() else _CHECKOUT
    return (folder / language / "messages.json").read_text("utf-8")
