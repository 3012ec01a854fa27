"""Sound inputs to begin from, and changes to them: of their bytes, or of the values that JSON holds.

Bytes are flipped, cut, doubled and put in. Of JSON that ends at its parser nearly always, so most of its
changes are of values: taken out, put twice, exchanged, replaced by one of another kind, or put deep.
"""

import json
import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.protocol import codec

TESTS = Path(__file__).parent.parent
KEPT = Path(__file__).parent / "inputs"
MAX_MUTATIONS = 12
P_CUT = 0.1
P_BYTES_OF_JSON = 0.2
DEEP = 100
TOKENS = (
    b"<", b">", b"</", b"<!--", b"<table>", b"<tr><td colspan=-1>", b"<svg><title>", b"<pre>", b"&#xD83D;",
    b"\x00", b"\xff\xfe", "\ud83d".encode("utf-8", "surrogatepass"), "\u202e\u200b".encode(), b"\r\n\r",
    b"data: ", b"data: [DONE]", b"event: error", b"{", b"}", b"[", b"]", b'"', b"null", b"NaN", b"1e999",
    b"-1", b"9" * 40, b"[" * 5_000, b"true", b'{"error": {"message": "sk-planted-key"}}',
)  # fmt: skip
VALUES = (
    None, True, False, 0, -1, 1, 3, 2**31, 2**64, -(2**64), 0.5, -0.0, 1e308, float("nan"), float("inf"),
    "", " ", "\n", "\x00", "\ud83d", "\u202e\u200b", "é" * 300, "word " * 2_000, "潮汐", "7",
    "body", "table", "td", "br", "pre", [], {}, [[]], {"": ""},
)  # fmt: skip


def seeds_of(target: str) -> list[bytes]:
    """The sound inputs of a target, then those that were kept because they once were of interest."""
    kept = sorted((KEPT / target).glob("*")) if (KEPT / target).is_dir() else []
    return [*_SOUND[target](), *(file.read_bytes() for file in kept)]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """An input changed in one to MAX_MUTATIONS places."""
    try:
        value = json.loads(data)
    except ValueError:
        return _bytes_mutated(data, chance)
    if chance.random() < P_BYTES_OF_JSON:
        return _bytes_mutated(data, chance)
    for _ in range(chance.randint(1, MAX_MUTATIONS)):
        value = _value_mutated(value, chance)
    return json.dumps(value).encode()


def _bytes_mutated(data: bytes, chance: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(chance.randint(1, MAX_MUTATIONS)):
        at = chance.randint(0, len(found))
        kind = chance.randrange(4)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            found[at:at] = chance.choice(TOKENS)
        elif kind == 2:
            del found[at : at + chance.randint(1, 40)]
        else:
            found[at:at] = found[at : at + chance.randint(1, 200)]
    if found and chance.random() < P_CUT:
        del found[chance.randint(1, len(found)) :]
    return bytes(found)


def _value_mutated(value: Any, chance: random.Random) -> Any:
    """The value, changed in place at one place, or another where it is itself what changes."""
    places = list(_places(value))
    if not places:
        return chance.choice(VALUES)
    holder, key = chance.choice(places)
    kind = chance.randrange(6)
    if kind == 0:
        holder[key] = _copied(chance.choice(VALUES))
    elif kind == 1:
        del holder[key]
    elif kind == 2 and isinstance(holder, list):
        holder.insert(key, _copied(holder[key]))
    elif kind == 3:
        other, place = chance.choice(places)
        holder[key] = _copied(other[place])
    elif kind == 4 and chance.random() < P_CUT:
        for _ in range(chance.randint(1, DEEP)):
            holder[key] = [holder[key]] if isinstance(holder, list) else {"": holder[key]}
    elif isinstance(holder[key], str):
        text = _bytes_mutated(holder[key].encode("utf-8", "surrogatepass") or b" ", chance)
        holder[key] = text.decode("utf-8", "replace")
    return value


def _copied(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list or object inside a value, with each of its keys."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if not isinstance(holder, list | dict):
            continue
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            waiting.append(holder[key])


def _pages() -> list[bytes]:
    return [file.read_bytes() for file in sorted((TESTS / "golden" / "pages").glob("*.html"))]


def _texts() -> list[bytes]:
    return [
        b"# Tides\n\nThe range is 12 m.\n\n- spring\n  - neap\n\n```\nx = 1\n```\n",
        b"| a | b |\n|---|---|\n| 1 | 2 |\n",
        "潮汐是海水的周期性涨落。\n\nالمد والجزر\n\n**สมุทร** 🌊\n".encode(),
    ]


def _captures() -> list[bytes]:
    tree = ["body", {}, ["h1", {}, "Tides"], ["p", {"id": "a"}, "The range ", ["b", {}, "is 12 m."]]]
    rows = [
        "table",
        {},
        ["tr", {}, ["td", {"colspan": "2"}, "x"]],
        ["tr", {}, ["td", {}, "y"], ["td", {}, "z"]],
    ]
    flags = dict.fromkeys(("has_password", "has_payment", "has_video", "is_selection"), False)
    head = {"v": 1, "url": "https://e.example/a", "canonical_url": "", "title": "T", "language": "en"}
    counts = {"n_total_chars": 30, "n_read_chars": 30}
    return [
        json.dumps(head | counts | flags | {"root": root}).encode() for root in (tree, ["body", {}, rows])
    ]


def _pdfs() -> list[bytes]:
    items = [["The moon pulls the sea", 60, 100 + 13 * row, 120, 10, 0, "body"] for row in range(6)]
    return [json.dumps([{"number": 1, "width": 600, "height": 800, "items": items}]).encode()]


def _messages() -> list[bytes]:
    texts = [
        codec.encode_request("1", "hello"),
        codec.encode_request("2", "cancel", target="1"),
        codec.encode_event("1", "accepted"),
    ]
    return [text.encode() for text in texts]


def _streams() -> list[bytes]:
    says = [
        {"choices": [{"index": 0, "delta": {"content": text}}]} for text in ("16.3 ", "metres 🌊", " END")
    ]
    google = {"candidates": [{"content": {"parts": [{"text": "16.3 metres"}]}, "finishReason": "STOP"}]}
    ollama = [{"message": {"content": "16.3"}, "done": False}, {"done": True, "done_reason": "stop"}]
    return [
        "".join(f"data: {json.dumps(value)}\n\n" for value in says).encode() + b"data: [DONE]\n\n",
        f"data: {json.dumps(google)}\r\n\r\n".encode(),
        "".join(json.dumps(value) + "\n" for value in ollama).encode(),
        b': wait\n\nevent: error\ndata: {"error": {"code": 429}}\n\n',
    ]


def _libraries() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "library.db"
        SqliteStore(file).close()
        with sqlite3.connect(file) as db:
            db.execute("VACUUM")
        db.close()
        return [file.read_bytes()]


_SOUND: Mapping[str, Callable[[], list[bytes]]] = {
    "html": _pages,
    "text": _texts,
    "capture": _captures,
    "pdf": _pdfs,
    "messages": _messages,
    "events": _streams,
    "service": _streams,
    "library": _libraries,
}
