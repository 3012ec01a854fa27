"""What the panel knows: one plain dict, replaced and never changed in place.

engine    state of the engine as the notices tell it; `fault` is an error that concerns everything
tabs      Tab records of the window, most recent first        rows    last outcome by URL
library   saved pages (PageRow), newest first                 jobs    running index requests
sources   the source of each address, as the engine tells it
settings  the reader's settings                               access  what the browser lets us read
waking    tabs being woken, by URL                            asking  a choice of sites to give access to
files     given to the panel since it opened, newest first; `rows` tells of each by its blob URL
changed   sources known to have changed since they were added  showing citation of each passage being shown
saved     the saved text on show (events/saved.py)            quick    a question that waits (events/quick.py)
starters  questions to begin with, and the library they are of; settings_known: whether they were ever told
voice     the conversation by voice (ui/voice.py); dictating, reading: events/voice.py
pdf       the file of the PDF viewer (ui/pdf.py)
page      "panel", "popup", "settings", "saved", "voice", "pdf"      stats   counts of the library, or None
history   the saved conversations (events/history.py)    thread   id of the open one, "" before it begins
blocks    its questions, of every branch (ui/threads.py) head     the last one of the branch that is shown
n_shown   how many of the branch are drawn               editing  id of the question that is edited
opening   the request for a conversation, and the question sought in it
taken     what another panel took out of the open conversation last
then      what is done with the conversation once all its answers are here
pending   requests without a terminal
inside    what is known of an answer beside it, by the id of its block (events/answers.py)
about     the block and citation each request about an answer is for, by its id
manner    how a question is answered: the type of its request (MANNERS)
account   what left this computer, None before known; leaves_draft, leaves_error: a site to keep here
catalogue the language models, None before known; fetching_model, timed_engine, removing_model: at work on
service   the service whose fields are open (events/services.py)
doctor    lines about what works here; examining: the request that looks further
card      the excerpt that is shown                           toast   one passing line with an action
given     blob URLs of a model's files while it is looked at
found     pages that find as you type came up with: the text, its request, whether more may come
shelf_found  the same for the box of the Library view
narrowed  sites and dates a question is kept to               narrowing  whether their choice is open
embedder  the model in use, None before known                 offered  whether to make the vectors again
embedders embedding models to download, None where there are none; embedder_at_work: fetched or tried
data      export, import, backups (events/data.py)       shelf     filters and window of the Library view
refreshing  saved pages that are read again (events/shelf.py)
qdrant    the vector store (events/qdrant.py)                 keys     where each key is kept, by its name
tasks     long work by its request's type (events/models.py)  measured  the last self test
shortcuts keys of the browser by the name of their command    all_saved  whether the whole library is listed
summaries of the listed pages (events/summaries.py)       hints    on open tabs (events/hints.py)
interest_draft, interest_fault: the box for a new interest
language  what everything is said in                          browser_language  what the browser would have
"""

from tabwise.protocol.settings import default_settings

MAX_QUESTION_CHARS = 10000
SHOWN = 8  # questions drawn at first, and as many more each time the reader asks for earlier ones
NOTHING: dict = {"text": "", "request": "", "pages": [], "complete": True, "error": ""}
NO_FILTER: dict = {"sites": [], "days": 0, "from": "", "to": "", "recent": False}
VIEWS = ("chat", "pages", "shelf", "history")
MANNERS = ("ask", "ask_each", "research")
FILE_KINDS = (".pdf", ".html", ".htm", ".txt", ".md")


NO_DATA: dict = {
    "kept": None,
    "offset_min": 0,
    "report": None,
    "given": "",
    "mode": "merge",
    "settings": False,
    "wiping": False,
    "typed": "",
    "left": [],
}


NO_QDRANT: dict = {
    "address": None,
    "collection": None,
    "key": None,
    "found": None,
    "error": None,
    "trying": "",
    "state": None,
    "sending": False,
}


NOT_OPENING: dict = {"request": "", "turn": ""}
NOTHING_TAKEN: dict = {"thread": "", "blocks": []}
HISTORY: dict = {
    "known": False,  # whether the list was ever told
    "rows": [],  # ThreadRow, changed last first
    "dated": {"now": 0.0, "offset_min": 0},  # when the list was looked at: what day it is
    "text": "",  # what is looked for
    "request": "",
    "matches": None,  # ThreadMatch of the text before, None while nothing is looked for
    "renaming": "",  # id of the row whose title is being typed
    "name": "",
    "clearing": False,
}

SUMMARIES: dict = {
    "known": {},  # Summary by source
    "unfolded": [],  # sources whose sentences are shown
    "look": "",  # the last request for those that are there
    "asked": [],  # the sources it is about, and how many of them were told so far
    "n_told": 0,
    "n_looks_left": 0,
    "run": "",  # the request that makes those that are missing
    "queue": [],  # its sources
    "n_done": 0,
    "in_hand": "",  # the source that is being told in short
    "parts": {},  # what was written last of a page in hand, by source: text, number, n_parts
    "stopping": False,
    "declined": "",  # the writer that the reader does not want text of pages to be sent to
}

ABOUT_SUMMARIES = "summaries"  # in the place of a block's id: what is asked about all summaries


NO_HINTS: dict = {
    "by_url": {},  # flag, reasons, interest, days unused of a tab by its address
    "due": False,  # whether the engine will be asked in a moment
}


# the conversation by voice while nobody talks (ui/voice.py)
SILENT: dict = {"state": "idle", "heard": "", "waiting": [], "complete": True}


INSIDE: dict = {
    "n_said": 0,
    "said_at": 0.0,
    "sent": [],
    "steps": [],
    "each": [],
    "fresh": {},
    "quotes": False,
    "preview": None,
    "preview_text": False,
    "fetching": False,
    "receipt": None,
    "receipt_text": "",
    "receipt_error": "",
    "replaying": False,
    "replay": None,
    "reading": False,
}

# the saved pages while they come in parts: the request, what has come, the library when it was asked for,
# whether that holds the first of them alone
NO_LISTING: dict = {"request": "", "pages": [], "before": [], "is_begun": False}


def initial_state() -> dict:
    """Return the state before anything is known."""
    return {
        "page": "panel",
        "browser_language": "en",
        "language": "",
        "view": "chat",
        "now": 0.0,
        "engine": {"state": "starting", "epoch": "", "version": ""},
        "fault": None,
        "tabs": [],
        "rows": {},
        "files": [],
        "dragging": False,
        "sources": {},
        "ticked": [],
        "tick_anchor": "",
        "waking": {},
        "asking": None,
        "changed": [],
        "showing": {},
        "settings": default_settings(),
        "access": {"origins": [], "tabs": {}},
        "rule_draft": "",
        "rule_error": "",
        "clearing": "",
        "filter": "",
        "found": NOTHING,
        "shelf_found": NOTHING,
        "all_saved": False,
        "library": [],
        "listing": NO_LISTING,
        "known": False,
        "stats": None,
        "jobs": [],
        "history": HISTORY,
        "thread": "",
        "head": "",
        "blocks": [],
        "n_shown": SHOWN,
        "editing": "",
        "opening": NOT_OPENING,
        "taken": NOTHING_TAKEN,
        "then": "",
        "inside": {},
        "about": {},
        "manner": "ask",
        "account": None,
        "leaves_draft": "",
        "leaves_error": "",
        "catalogue": None,
        "fetching_model": "",
        "timed_engine": "",
        "removing_model": "",
        "service": None,
        "doctor": None,
        "examining": "",
        "draft": "",
        "draft_error": "",
        "scope": "all",
        "narrowed": NO_FILTER,
        "narrowing": False,
        "embedder": None,
        "embedders": None,
        "embedder_at_work": "",
        "offered": False,
        "tasks": {},
        "given": [],
        "qdrant": NO_QDRANT,
        "data": NO_DATA,
        "shelf": {"text": "", "site": "", "days": 0, "start": 0, "now": 0.0, "offset_min": 0},
        "refreshing": None,
        "keys": {},
        "measured": None,
        "shortcuts": {},
        "pending": {},
        "card": None,
        "toast": None,
        "ticking": False,
        "voice": SILENT,
        "voice_open": False,
        "dictating": False,
        "heard_after": "",
        "reading": "",
        "saved": None,
        "pdf": None,
        "quick": None,
        "summaries": SUMMARIES,
        "hints": NO_HINTS,
        "interest_draft": "",
        "interest_fault": "",
        "starters": {"of": None, "shown": []},
        "settings_known": False,
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
