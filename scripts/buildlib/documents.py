"""A page of the extension from a document of docs/: the small part of Markdown they are written in.

Headings, paragraphs, lists, tables, **bold** and `code`. Anything else (links, images, HTML) is refused, so
that what is written is what is shown.
"""

from __future__ import annotations

import re
from html import escape

from buildlib.console import BuildError

_PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title}</title>
    <link rel="icon" href="icons/32.png" />
    <link rel="stylesheet" href="css/tokens.css" />
    <link rel="stylesheet" href="css/base.css" />
    <link rel="stylesheet" href="css/document.css" />
  </head>
  <body>
    <main class="document">
{body}
    </main>
  </body>
</html>
"""
_REFUSED = re.compile(r"\[[^]]*\]\(|<|^\s+\S|^(?:>|\d+\. )|^```")
_INLINE = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
)


def rendered(markdown: str) -> str:
    """The page of a document; raises BuildError for what is not understood."""
    blocks = [block.split("\n") for block in re.split(r"\n\n+", markdown.strip())]
    title = blocks[0][0].removeprefix("# ")
    body = "\n".join(_block(lines) for lines in blocks)
    return _PAGE.format(title=escape(title), body=body)


def _block(lines: list[str]) -> str:
    first = lines[0]
    if first.startswith("#"):
        level = len(first) - len(first.lstrip("#"))
        return f"<h{level}>{_text(first[level:].strip())}</h{level}>"
    if first.startswith("|"):
        return _table(lines)
    if first.startswith("- "):
        items = re.split(r"\n?- ", "\n".join(re.sub(r"^  ", "", line) for line in lines))[1:]
        return "<ul>" + "".join(f"<li>{_text(' '.join(item.split()))}</li>" for item in items) + "</ul>"
    return f"<p>{_text(' '.join(lines))}</p>"


def _table(lines: list[str]) -> str:
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    heads = "".join(f'<th scope="col">{_text(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    name = escape(head[0], quote=True)
    return f'<div class="wide" tabindex="0" role="region" aria-label="{name}">{table}</div>'


def _text(text: str) -> str:
    if _REFUSED.search(text):
        raise BuildError(f"A document of the extension holds more than its page can show: {text[:80]}")
    shown = escape(text, quote=False)
    for pattern, replacement in _INLINE:
        shown = pattern.sub(replacement, shown)
    return shown
