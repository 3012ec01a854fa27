"""The panel: state, events, views and the patcher, in Python that runs on MicroPython and CPython.

    event → update(state, event) → (state, effects)      view(state) → nodes → patch → DOM

State, events, effects and nodes are plain dicts, lists and tuples. Only `app` touches JavaScript.
MicroPython keeps no order in dicts: whatever has an order is a list here.
"""
