"""Tabwise: ask your open tabs; every sentence is checked against the page it cites."""

__version__ = "0.1.0"
