"""The messages between the page and the engine's worker, in the schema language of `tabwise.protocol`.

A message is JSON text of {"type": name, ...fields}. Requests need no ids: a newer request of a lane replaces
the one in hand, and every answer says what it is about. Runs on CPython, Pyodide and MicroPython.

Offsets are code points of the page text, times milliseconds, a strip is one digit per cell (see `strips`).
"""

import json

from tabwise.protocol import codec
from tabwise.protocol.schema import FUSION_MODES

STAGES = ("chunk", "embed", "store", "retrieve", "budget", "answer", "tools")
MODE = ("enum",) + FUSION_MODES
# who writes an answer, and who plans the calls of tools: sentences as they stand, rules, the bundled model
WRITERS = ("extractive", "bundled")
PLANNERS = ("rules", "bundled")
# a file is read page by page, laid out, then cut into chunks; of one without pages only the last is told
READING_STAGES = ("pages", "layout", "chunks")
ROW_STATES = ("added", "unchanged", "failed", "left")
DEVICE = ("enum", "", "webgpu", "wasm")
TURN = {"question": "str", "answer": "str"}
SIZES = {"target_words": "int", "overlap_words": "int"}

# type: fields; the page asks
REQUESTS = {
    "open": SIZES,
    "cut": SIZES,
    "read": {"source": "str"},
    "inspect": {"chunk_id": "str"},
    "add": {"files": ("list", {"name": "str", "url": "str"})},  # blob URLs, valid while the page is open
    "leave": {},  # the files that are being read; those read stay
    "remove": {"source": "str"},
    "restore": {"source": "str"},  # undo the last `remove`
    "reset": {},  # the page's own texts, as they were
    "save": {},  # the library file
    "ask": {"query": "str", "mode": MODE, "k": "int", "engine": ("enum",) + WRITERS},
    "stop": {},  # the answer in hand
    # what fits beside the passages found last
    "weigh": {
        "question": "str",
        "turns": ("list", TURN),  # oldest first
        "budget_tokens": "int",
        "reserve_tokens": "int",
        "window_turns": "int",
    },
    "act": {"question": "str", "engine": ("enum",) + PLANNERS},
    "halt": {},  # the run of tools in hand
    "receipt": {"text": "str"},
    "code": {"stage": ("enum",) + STAGES},
}

DOCUMENT = {"source": "str", "title": "str", "n_words": "int", "is_own": "bool"}
CHUNK = {
    "id": "str",
    "source": "str",
    "number": "int",  # from 1 within its text
    "start": "int",
    "end": "int",
    "n_words": "int",
    "n_tokens": "int",
    "strip": "str",  # "" without a vector
}
HIT = {
    "chunk_id": "str",
    "source": "str",
    "title": "str",
    "number": "int",
    "snippet": "str",
    "marks": ("list", ("list", "int")),  # [start, end] of matched words in the snippet
    "score": "float",
    "dense": ("optional", "float"),
    "lexical": "float",
    "rank_dense": ("optional", "int"),
    "rank_lexical": ("optional", "int"),
    "share_dense": "float",  # what meaning and words give to the score
    "share_lexical": "float",
}
ITEM = {
    "kind": ("enum", "system", "question", "turn", "source"),
    "name": "str",
    "text": "str",  # its beginning
    "n_tokens": "int",
    "reason": "str",  # why it was left out, a reason of core.budget; "" for what is kept
}
LISTING = {
    "name": "str",
    "module": "str",
    "first_line": "int",
    "pieces": ("list", ("list", "str")),  # [kind, text], see `listings`
}

# type: fields; the engine tells
EVENTS = {
    "opened": {
        "version": "str",
        "python": "str",
        "model": "str",
        "dimensions": "int",
        "vector_bytes": "int",  # of one stored vector
        "max_tokens": "int",
        "licence": "str",
        "lasting": "bool",  # whether the library outlives the page
        "writer": ("optional", {"label": "str", "licence": "str", "size_bytes": "int"}),  # bundled model
        "tools": ("list", {"name": "str", "description": "str", "parameters": "str"}),  # JSON Schema
    },
    "chunks": {
        "target_words": "int",
        "overlap_words": "int",
        "ms": "float",
        "documents": ("list", DOCUMENT),
        "chunks": ("list", CHUNK),
    },
    "page": {
        "source": "str",
        "title": "str",
        "text": "str",
        "headings": ("list", ("list", "int")),  # [start, end]
    },
    # one call of the model; `n_waiting` chunks are still to come
    "embedded": {
        "strips": ("list", {"id": "str", "strip": "str"}),
        "n_tokens": "int",
        "ms": "float",
        "n_waiting": "int",
    },
    "model": {"state": ("enum", "loading", "ready", "complete", "failed"), "ms": "float"},
    "stored": {
        "n_pages": "int",
        "n_chunks": "int",
        "n_vectors": "int",
        "size_bytes": "int",
    },
    "chunk": {
        "id": "str",
        "source": "str",
        "title": "str",
        "number": "int",
        "tokens": ("list", "str"),
        "strip": "str",
    },
    "results": {
        "query": "str",
        "mode": MODE,
        "k": "int",
        "semantic": "bool",
        "ms": "float",
        "lexical": ("list", HIT),
        "dense": ("list", HIT),
        "fused": ("list", HIT),
    },
    # device: where a model of this machine worked, "" without one
    "answer": {"answer": "Answer", "receipt": "str", "device": DEVICE},
    # a sentence of the answer in hand, as soon as it is checked, and again when its verdict is better
    "sentence": {"index": "int", "sentence": "Sentence", "citations": ("list", "Citation")},
    # of a file; totals are expected ones, 0 while nothing is known
    "reading": {"name": "str", "stage": ("enum",) + READING_STAGES, "done": "int", "total": "int"},
    "row": {"name": "str", "source": "str", "state": ("enum",) + ROW_STATES, "code": "str"},
    "file": {"name": "str", "url": "str"},  # to be saved
    "budget": {"room_tokens": "int", "n_tokens": "int", "items": ("list", ITEM)},
    "step": {"step": "AgentStep"},
    "acted": {"answer": "Answer", "receipt": "str", "steps": ("list", "AgentStep"), "device": DEVICE},
    "stopped": {"request": "str"},
    "receipt": {"text": "str"},  # a sound one
    "code": {"stage": ("enum",) + STAGES, "listings": ("list", LISTING)},
    "failed": {"request": "str", "code": "str"},
}


def encode(tables: dict, kind: str, fields: dict) -> str:
    """Return the text of a message of REQUESTS or EVENTS; raises codec.Malformed."""
    codec.check(fields, tables[kind], kind)
    message = {"type": kind}
    message.update(fields)
    return json.dumps(message)


def decode(tables: dict, text: str) -> tuple:
    """Return (type, fields) of a message; raises codec.Malformed."""
    fields = json.loads(text)
    kind = fields.pop("type", "")
    if kind not in tables:
        raise codec.Malformed("message.type: unknown")
    codec.check(fields, tables[kind], kind)
    return kind, fields
