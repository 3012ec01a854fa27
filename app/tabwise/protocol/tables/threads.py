"""Saved conversations. A question that names a thread is kept there, with its answer as it comes."""

TURN_STATES = ("running", "done", "stopped", "interrupted", "failed")
N_WHOLE = 8  # turns at the end of a thread that come with their answers when it is opened
FEWEST_THREADS, MOST_THREADS = 10, 500

# what a question carries to be kept: the thread, which begins with its first question, and the turn before
# it, "" for the first; without a thread nothing is kept. The turn has the id of the request.
KEPT: dict = {"thread": "str", "parent": "str"}
NOT_KEPT: dict = {"thread": "", "parent": ""}

RECORDS: dict = {
    # times in ms since the epoch
    "ThreadRow": {
        "id": "str",
        "title": "str",
        "created_at": "float",
        "updated_at": "float",
        "pinned": "bool",
        "n_turns": "int",
        "head": "str",  # the last turn that is shown
    },
    "ThreadTurn": {
        "id": "str",
        "parent": "str",  # "" for the first
        "question": "str",
        "state": ("enum",) + TURN_STATES,
        "asked_at": "float",
        "request": "json",  # the request it was asked with
        "answer": "json",  # what `done` carried; null without one, or when it is not what it would carry now
        "sentences": ("list", "Sentence"),  # of a turn that was cut short
        "citations": ("list", "Citation"),
        "error": "str",  # code of a turn that failed, else ""
        "has_receipt": "bool",
        "whole": "bool",  # false: answer and sentences were left out, `thread_turns` gives them
    },
    # every branch, in the order of asking; whole are the last turns of the path that is shown
    "Thread": {"row": "ThreadRow", "turns": ("list", "ThreadTurn")},
    # the first place of a text in a thread: the words around it, with the span of the text in them
    "ThreadMatch": {
        "thread": "str",
        "turn": "str",  # "" for the title
        "excerpt": "str",
        "start": "int",
        "end": "int",
    },
}

REQUESTS: dict = {
    "threads": {},
    "thread": {"thread": "str"},
    "thread_turns": {"turns": ("list", "str")},  # whole; those that are gone are left out
    "find_threads": {"text": "str", "k": "int"},
    "rename_thread": {"thread": "str", "title": "str"},
    "pin_thread": {"thread": "str", "pinned": "bool"},
    "choose_turn": {"thread": "str", "turn": "str"},  # show its branch, to the end that was asked last
    "remove_threads": {"threads": ("list", "str")},
    # a turn with what follows it; the newest one beside it or before it is shown then
    "remove_turn": {"thread": "str", "turn": "str"},
    # undoes the last `remove_threads` or `remove_turn`, until another or the next start; the thread of that
    # turn is named for other panels that show it
    "restore_threads": {"thread": "str"},
}

DEFAULTS: dict = {"restore_threads": {"thread": ""}}

RESULTS: dict = {
    "threads": ("list", "ThreadRow"),
    "thread": "Thread",
    "thread_turns": ("list", "ThreadTurn"),
    "find_threads": ("list", "ThreadMatch"),
    "rename_thread": "ThreadRow",
    "pin_thread": "ThreadRow",
    "choose_turn": "ThreadRow",
    "remove_threads": ("list", "ThreadRow"),  # those that are left
    "remove_turn": ("list", "ThreadRow"),  # without the thread when no turn of it is left
    "restore_threads": ("list", "ThreadRow"),
}

EVENTS: dict = {
    # a new thread was one too many: these were removed, and can be restored
    "threads_dropped": {"titles": ("list", "str")},
}
