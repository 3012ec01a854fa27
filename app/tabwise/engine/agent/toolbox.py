"""What each tool does. All of them read: the library, an expression, a list that ends with the run.

What a tool returns is bounded in tokens; text of pages in it is escaped, and every passage has its number.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tabwise.core.agent.calculator import NotCalculable, calculate
from tabwise.core.agent.passages import Passages
from tabwise.core.agent.state import ToolResult, ToolUse
from tabwise.core.agent.todo import TodoError, TodoList
from tabwise.core.agent.tools import CALCULATOR, LIST_SOURCES, READ_PAGE, RESEARCHER, SEARCH_PAGES, TODO
from tabwise.core.answers.prompts import Source, escape, source_text
from tabwise.core.model import Chunk, Hit, SourceId
from tabwise.core.text.characters import collapse
from tabwise.core.text.urls import display_site
from tabwise.engine.jobs import Job
from tabwise.engine.library import Library
from tabwise.engine.scoping import Scope

MAX_SECTIONS = 20
MAX_TITLE_CHARS = 120
FRAME_TOKENS = 30
"""Of what stands around a passage, or behind a title: numbers, headings, address."""
NOTHING_FOUND = "Nothing in the pages is near enough. Try other words, or say that the pages do not tell."

Search = Callable[[str, Scope, int], Awaitable[Sequence[Hit]]]
"""Hits for a query, best first, at most so many."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a tool returned to the model, and in short for people; `is_failed`: nothing was done."""

    result: ToolResult
    summary: str = ""
    n_passages: int = 0
    is_failed: bool = False


class ToolError(Exception):
    """A call that cannot be done; the message is for the model."""


class Toolbox:
    """The tools of one run and its helpers."""

    def __init__(
        self,
        library: Library,
        scope: Scope,
        search: Search,
        passages: Passages,
        *,
        key: str,
        count: Callable[[str], int],
        max_result_tokens: int,
        stays_here: Callable[[str], bool] = lambda url: False,
    ) -> None:
        """`stays_here`: whether the model must not see the page at an address."""
        self._library = library
        self._scope = scope
        self._search = search
        self._passages = passages
        self._key = key
        self._count = count
        self._max_result_tokens = max_result_tokens
        self._todo = TodoList()
        self._given: set[SourceId] = set()
        self._calculations: list[str] = []
        self._heads = {head.source: head for head in scope.heads(library) if not stays_here(head.url)}
        self._sources = list(self._heads)
        # Pages that come while the agent works have no handle.
        self._scope = replace(scope, sources=frozenset(self._sources))

    @property
    def given(self) -> frozenset[SourceId]:
        """The pages of which the model was given text, be it a title."""
        return frozenset(self._given)

    @property
    def calculations(self) -> tuple[str, ...]:
        """What was calculated, as `expression = value`."""
        return tuple(self._calculations)

    async def use(self, use: ToolUse, research: Callable[[str], Awaitable[Done]], job: Job) -> Done:
        """Do a call; `research` sends for a helper."""
        given = use.arguments
        try:
            if use.name == SEARCH_PAGES.name:
                done = await self._search_pages(given["query"], given["k"], given.get("source", ""))
            elif use.name == READ_PAGE.name:
                done = self._read_page(given["source"], given.get("section", ""), given.get("position", 0))
            elif use.name == LIST_SOURCES.name:
                done = self._list_sources()
            elif use.name == CALCULATOR.name:
                done = self._calculate(given["expression"])
            elif use.name == TODO.name:
                done = self._change_todo(given["operation"], given.get("items", []), given.get("number", 0))
            elif use.name == RESEARCHER.name:
                done = await research(given["question"])
            else:
                raise KeyError(use.name)
        except ToolError as error:
            done = Done(ToolResult("", str(error), is_data=False), is_failed=True)
        await job.checkpoint()
        return replace(done, result=replace(done.result, call_id=use.call_id))

    async def _search_pages(self, query: str, k: int, source: str) -> Done:
        scope = self._scope
        if source:
            scope = replace(scope, sources=frozenset([self._source_of(source)]))
        hits = await self._search(query, scope, k) if self._sources else ()
        if not hits:
            return Done(ToolResult("", NOTHING_FOUND, is_data=False))
        text, n_given = self._passages_within(hit.chunk for hit in hits)
        titles = dict.fromkeys(self._title(hit.chunk.source) for hit in hits[:n_given])
        return Done(ToolResult("", text), "; ".join(titles), n_given)

    def _read_page(self, source: str, section: str, position: int) -> Done:
        known = self._source_of(source)
        chunks = self._library.index.chunks(known)
        first = _first_of_section(chunks, section) if section else max(position, 1) - 1
        if not 0 <= first < len(chunks):
            raise ToolError(f"The page has positions 1 to {len(chunks)}; there is nothing at {first + 1}.")
        text, n_given = self._passages_within(chunks[first:])
        last = first + n_given
        notes = [f"Passages {first + 1} to {last} of {len(chunks)}."]
        if last < len(chunks):
            notes.append(f"Go on with position {last + 1}.")
        sections = list(_headings(chunks))[:MAX_SECTIONS] if n_given < len(chunks) else []
        if sections:
            notes.append("Sections: " + "; ".join(escape(heading, self._key) for heading in sections))
        return Done(ToolResult("", f"{text}\n\n{' '.join(notes)}"), self._title(known), n_given)

    def _list_sources(self) -> Done:
        lines: list[str] = []
        left = self._max_result_tokens
        for number, head in enumerate(self._heads.values(), start=1):
            left -= self._count(head.title) + FRAME_TOKENS
            if lines and left < 0:
                lines.append(f"and {len(self._heads) - len(lines)} more: search_pages finds them all")
                break
            about = escape(f"{self._title(head.source)} ({display_site(head.url)})", self._key)
            lines.append(f"S{number} {about}, {head.n_words} words")
        return Done(ToolResult("", "\n".join(lines) or "There are no pages."))

    def _calculate(self, expression: str) -> Done:
        try:
            found = calculate(expression)
        except NotCalculable as error:
            raise ToolError(f"Not calculated: {error}.") from error
        text = f"{found.read_as} = {found.value}"
        self._calculations.append(text)
        return Done(ToolResult("", text, is_data=False), text)

    def _change_todo(self, operation: str, items: Sequence[str], number: int) -> Done:
        try:
            if operation == "add":
                self._todo = self._todo.add(items)
            elif operation == "done":
                self._todo = self._todo.check_off(number)
        except TodoError as error:
            raise ToolError(f"{error}.") from error
        return Done(ToolResult("", str(self._todo), is_data=False), str(self._todo))

    def _passage(self, chunk: Chunk) -> str:
        number = self._passages.number(chunk.source, chunk.id, chunk.start, chunk.end)
        handle = f"S{self._sources.index(chunk.source) + 1}"
        title = f"{handle} {self._title(chunk.source)}"
        return source_text(Source(number, title, chunk.heading_path, chunk.text), self._key)

    def _title(self, source: SourceId) -> str:
        head = self._heads[source]
        self._given.add(source)
        return collapse(head.title)[:MAX_TITLE_CHARS] or display_site(head.url)

    def _source_of(self, name: str) -> SourceId:
        """The source of a handle, else of an address or title; raises ToolError."""
        bare = name.strip().strip("[]").casefold()
        digits = bare.removeprefix("s")
        if digits.isdecimal() and 1 <= int(digits[:9]) <= len(self._sources):
            return self._sources[int(digits) - 1]
        for head in self._heads.values():
            if bare in (head.source.casefold(), head.url.casefold(), collapse(head.title).casefold()):
                return head.source
        raise ToolError(f"There is no source {name[:60]}. list_sources names them.")

    def _passages_within(self, chunks: Iterable[Chunk]) -> tuple[str, int]:
        """As many passages as fit into a result, at least one, and how many these are."""
        kept: list[str] = []
        left = self._max_result_tokens
        for chunk in chunks:
            left -= self._count(chunk.text) + FRAME_TOKENS
            if kept and left < 0:
                break
            kept.append(self._passage(chunk))
        return "\n\n".join(kept), len(kept)


def _first_of_section(chunks: Sequence[Chunk], words: str) -> int:
    """Position of the first chunk under a heading with these words; raises ToolError."""
    wanted = collapse(words).casefold()
    for i, chunk in enumerate(chunks):
        if any(wanted in collapse(heading).casefold() for heading in chunk.heading_path):
            return i
    raise ToolError(f"No heading has the words “{words[:60]}”.")


def _headings(chunks: Sequence[Chunk]) -> Iterator[str]:
    """Every heading above a chunk, once, in order."""
    seen: set[str] = set()
    for chunk in chunks:
        for heading in chunk.heading_path[-1:]:
            if heading not in seen:
                seen.add(heading)
                yield collapse(heading)
