"""Plain text and Markdown as the tree a page would be captured as.

Only the structure that carries over into blocks is read: headings, fenced code, list items, quotes, tables
and paragraphs. Marks inside a line stay as they are written, so that a citation is found in the file.
Lines of a paragraph are joined, as both Markdown and wrapped text mean them.
"""

import re
from dataclasses import dataclass, field

from tabwise.core.model import Node
from tabwise.core.page.capture import TreeBuilder

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*\Z")
_ITEM = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)")
_QUOTE = re.compile(r" {0,3}>\s?(.*)")
_TABLE_ROW = re.compile(r"\s*\|.+\|\s*\Z")
_TABLE_RULE = re.compile(r"[\s|:-]+\Z")
_RULE = re.compile(r" {0,3}([-*_=])(?:\s*\1){2,}\s*\Z")


def parse_plain_text(text: str, *, is_markdown: bool) -> Node:
    """Return the tree of a text file. Headings and fences count in Markdown only."""
    parser = _LineParser(is_markdown)
    for line in text.splitlines():
        parser.feed(line)
    return parser.finish()


@dataclass(slots=True)
class _LineParser:
    """Collects lines into the element they belong to."""

    is_markdown: bool
    builder: TreeBuilder = field(default_factory=TreeBuilder)
    tag: str = ""
    lines: list[str] = field(default_factory=list)
    depth: int = 0
    fence: str = ""

    def __post_init__(self) -> None:
        self.builder.open("body")

    def feed(self, line: str) -> None:
        """Take the next line."""
        if self.fence:
            if line.strip().startswith(self.fence):
                self._end()
            else:
                self.lines.append(line)
        elif not line.strip() or _RULE.match(line):
            self._end()
        elif self.is_markdown and (heading := _HEADING.match(line)):
            self._begin(f"h{len(heading[1])}", heading[2])
            self._end()
        elif self.is_markdown and (fence := _FENCE.match(line)):
            self._begin("pre")
            self.fence = fence[1]
        elif item := _ITEM.match(line):
            self._begin("li", item[2])
            self.depth = len(item[1].expandtabs(4)) // 2
        elif self.is_markdown and _TABLE_ROW.match(line):
            self._continue("table", line)
        elif quote := _QUOTE.match(line):
            self._continue("blockquote", quote[1])
        else:
            self._continue("p", line)

    def finish(self) -> Node:
        """End the text and return its tree."""
        self._end()
        self.builder.close()
        return self.builder.finish()

    def _begin(self, tag: str, line: str | None = None) -> None:
        self._end()
        self.tag = tag
        self.lines = [] if line is None else [line]

    def _continue(self, tag: str, line: str) -> None:
        if self.tag != tag and not (self.tag == "li" and tag == "p"):
            self._begin(tag)
        self.lines.append(line)

    def _end(self) -> None:
        """Write the element at hand."""
        tag, lines = self.tag, self.lines
        self.tag, self.lines, self.fence = "", [], ""
        if tag == "table":
            self._write_table(lines)
        elif tag == "li":
            for _ in range(self.depth + 1):
                self.builder.open("ul")
            self._write("li", " ".join(lines))
            for _ in range(self.depth + 1):
                self.builder.close()
        elif tag:
            self._write(tag, ("\n" if tag == "pre" else " ").join(lines))

    def _write_table(self, lines: list[str]) -> None:
        has_header = len(lines) > 1 and _TABLE_RULE.match(lines[1]) is not None
        self.builder.open("table")
        for number, line in enumerate(lines):
            if _TABLE_RULE.match(line):
                continue
            self.builder.open("tr")
            for cell in line.strip()[1:-1].split("|"):
                self._write("th" if has_header and number == 0 else "td", cell.strip())
            self.builder.close()
        self.builder.close()

    def _write(self, tag: str, text: str) -> None:
        self.builder.open(tag)
        self.builder.text(text)
        self.builder.close()
