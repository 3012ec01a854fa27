"""What the panel knows: one plain dict, replaced and never changed in place.

engine    state of the engine as the notices tell it; `fault` is an error that concerns everything
tabs      Tab records of the window, most recent first        rows    last outcome by URL
library   saved pages (PageRow), newest first                 jobs    running index requests
blocks    the thread of this session, one dict per question   pending requests without a terminal
card      the excerpt that is shown                           toast   one passing line with an action
"""

MAX_QUESTION_CHARS = 10000


def initial_state() -> dict:
    """Return the state before anything is known."""
    return {
        "view": "chat",
        "now": 0.0,
        "engine": {"state": "starting", "epoch": "", "version": ""},
        "fault": None,
        "tabs": [],
        "rows": {},
        "ticked": [],
        "filter": "",
        "library": [],
        "known": False,
        "jobs": [],
        "blocks": [],
        "draft": "",
        "draft_error": "",
        "scope": "all",
        "pending": {},
        "card": None,
        "toast": None,
        "ticking": False,
    }


def put(record: dict, **changes: object) -> dict:
    """Return a copy of `record` with some fields replaced."""
    copy = dict(record)
    copy.update(changes)
    return copy


def put_at(record: dict, key: str, value: object) -> dict:
    """Return a copy of `record` with `value` under a key that need not be a name."""
    copy = dict(record)
    copy[key] = value
    return copy


def without(record: dict, key: str) -> dict:
    """Return a copy of `record` that lacks `key`."""
    copy = dict(record)
    copy.pop(key, None)
    return copy


def replace_in(items: list, key: str, value: object, changed: dict) -> list:
    """Return `items` with `changed` in place of the record whose `key` equals `value`."""
    return [changed if item[key] == value else item for item in items]


def find(items: list, key: str, value: object) -> dict | None:
    """Return the first record whose `key` equals `value`."""
    for item in items:
        if item[key] == value:
            return item
    return None
