"""The agent's tools: what each is called, what it takes, what it is for. All of them only read.

`SOURCE` names a page by its handle: `S1`, `S2` and so on, in the order of `list_sources`.
"""

from typing import Any

from tabwise.core.chat import ToolSpec

MAX_QUERY_CHARS = 300
MAX_PASSAGES = 10

_SOURCE = {
    "type": "string",
    "description": "a source as list_sources names it, such as S1",
    "maxLength": 2000,
}


def _query(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description, "minLength": 1, "maxLength": MAX_QUERY_CHARS}


def _tool(name: str, description: str, *required: str, **properties: Any) -> ToolSpec:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolSpec(name, description, parameters)


SEARCH_PAGES = _tool(
    "search_pages",
    "Find passages of the saved pages. Each comes with the number to cite it by.",
    "query",
    query=_query("what to look for: a few words or a question"),
    k={
        "type": "integer",
        "description": "how many passages",
        "minimum": 1,
        "maximum": MAX_PASSAGES,
        "default": 5,
    },
    source=_SOURCE | {"description": "search this source alone, such as S1"},
)
READ_PAGE = _tool(
    "read_page",
    "Read a page from a section or passage on, in order. Says where to go on.",
    "source",
    source=_SOURCE,
    section={"type": "string", "description": "words of the heading to begin at", "maxLength": 200},
    position={
        "type": "integer",
        "description": "the passage to begin at, from 1",
        "minimum": 1,
        "maximum": 1_000_000,
    },
)
LIST_SOURCES = _tool("list_sources", "List the pages that can be searched and read.")
CALCULATOR = _tool(
    "calculator",
    "Calculate an arithmetic expression exactly.",
    "expression",
    expression=_query("such as (16.3 - 9.1) / 9.1 * 100"),
)
TODO = _tool(
    "todo",
    "Keep a list of what is still to be found out.",
    "operation",
    operation={"type": "string", "description": "what to do with the list", "enum": ["add", "done", "list"]},
    items={
        "type": "array",
        "description": "for add: what to put on the list",
        "items": {"type": "string", "description": "one thing to find out", "maxLength": 200},
        "maxItems": 10,
    },
    number={"type": "integer", "description": "for done: the item's number", "minimum": 1, "maximum": 100},
)
RESEARCHER = _tool(
    "researcher",
    "Let a helper find out one thing from the pages. It returns a short text with passages cited.",
    "question",
    question=_query("a question that can be understood without this conversation"),
)

TOOLS = (SEARCH_PAGES, READ_PAGE, LIST_SOURCES, CALCULATOR, TODO, RESEARCHER)
"""What the agent has."""
HELPER_TOOLS = (SEARCH_PAGES, READ_PAGE, LIST_SOURCES, CALCULATOR)
"""What a researcher has: it cannot send for others."""
SMALL_TOOLS = (SEARCH_PAGES, CALCULATOR)
"""What a small model on this machine can choose among."""
