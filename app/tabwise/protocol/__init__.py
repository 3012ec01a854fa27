"""The messages between the panel, the engine and the browser: one schema, one codec.

Everything here also runs on MicroPython, so it uses plain dicts and tuples only.
"""
