"""The Python behind each stage, read from the very modules that run, and cut into pieces to colour.

A piece is [kind, text]; the texts of a listing, joined, are its source. Kinds: "keyword", "name" (what a
def or class names), "string", "number", "comment", "" for the rest.
"""

import inspect
import io
import keyword
import textwrap
import tokenize
from importlib import import_module
from typing import Any

# stage: what does its work, as module:qualified name
FUNCTIONS = {
    "chunk": ("tabwise.core.page.chunking:iter_chunks", "tabwise.core.page.chunking:_Packer.pack"),
    "embed": (
        "tabwise.adapters.browser.embedder:BrowserEmbedder.embed",
        "tabwise.core.search.vectors:quantize",
        "tabwise.engine.indexing:Indexer.embed_missing",
    ),
    "store": ("tabwise.engine.library:Library.put", "tabwise.adapters.stores.sqlite:SqliteStore.put_page"),
    "retrieve": (
        "tabwise.core.search.bm25:BM25Index.scores",
        "tabwise.core.search.vectors:VectorIndex.scores",
        "tabwise.core.search.fusion:fuse",
        "tabwise.core.search.fusion:_convex",
    ),
    "budget": ("tabwise.core.answers.budget:fit", "tabwise.core.answers.budget:_n_first"),
    "answer": (
        "tabwise.engine.answering.pipeline:Answerer.ask",
        "tabwise.core.answers.extract:compose",
        "tabwise.core.verdicts.verify:judge",
    ),
    "tools": (
        "tabwise.engine.agent.running:AgentRun.run",
        "tabwise.core.agent.stated:stated_calculation",
        "tabwise.core.agent.decide:decide",
        "tabwise.engine.agent.toolbox:Toolbox.use",
        "tabwise.core.agent.calculator:calculate",
    ),
}
# Python 3.12 cuts f-strings into parts; older versions lack these names.
_F_STRING_PARTS = ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
_STRINGS = {tokenize.STRING, *(getattr(tokenize, name, tokenize.STRING) for name in _F_STRING_PARTS)}


def listings(stage: str) -> list[dict[str, object]]:
    """Return the LISTING records of a stage."""
    return [_listing(path) for path in FUNCTIONS[stage]]


def pieces(source: str) -> list[list[str]]:
    """Cut Python source into pieces; neighbours of one kind are joined."""
    lines = source.splitlines(keepends=True)
    found: list[list[str]] = []
    at = (1, 0)
    defines = False
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.start < at or token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        _add(found, "", _between(lines, at, token.start))
        kind = "name" if defines else _kind(token)
        defines = token.string in ("def", "class")
        _add(found, kind, _between(lines, token.start, token.end))
        at = token.end
    _add(found, "", _between(lines, at, (len(lines) + 1, 0)))
    return found


def _listing(path: str) -> dict[str, object]:
    module, _, name = path.partition(":")
    function: Any = import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
    lines, first_line = inspect.getsourcelines(function)
    source = textwrap.dedent("".join(lines)).rstrip()
    return {"name": name, "module": module, "first_line": first_line, "pieces": pieces(source)}


def _kind(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.COMMENT:
        return "comment"
    if token.type in _STRINGS:
        return "string"
    if token.type == tokenize.NUMBER:
        return "number"
    if token.type == tokenize.NAME and keyword.iskeyword(token.string):
        return "keyword"
    return ""


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text from one (line, column) to another, lines from 1."""
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]] if start[0] <= len(lines) else ""
    first = lines[start[0] - 1][start[1] :] if start[0] <= len(lines) else ""
    last = lines[end[0] - 1][: end[1]] if end[0] <= len(lines) else ""
    return first + "".join(lines[start[0] : end[0] - 1]) + last


def _add(found: list[list[str]], kind: str, text: str) -> None:
    if not text:
        return
    if found and (found[-1][0] == kind or not text.strip()):
        found[-1][1] += text
    else:
        found.append([kind, text])
