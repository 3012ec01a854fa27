"""Files as captures: what a person would see of a saved page, as far as the file alone tells.

A browser knows the computed style of every element; here only attributes and inline styles say what is
hidden. Style sheets are not applied. Elements with aria-hidden are kept: they are hidden from screen
readers, not from eyes; so is what a closed `details` folds. Form controls, media and scripts are left out.
"""

import re
from pathlib import Path, PurePath
from typing import cast

from lxml import etree

from tabwise.adapters.files.charset import decode_text
from tabwise.adapters.files.inline_style import hides
from tabwise.adapters.files.plain_text import parse_plain_text
from tabwise.core.model import Capture, Node
from tabwise.core.page.capture import ATTRIBUTES, TreeBuilder, walk
from tabwise.core.text.characters import collapse
from tabwise.errors import InputError

MAX_CHARS = 2_000_000
MAX_FILE_BYTES = 200_000_000

_HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.I | re.S
)
_UNSEEN_TAG_NAMES = """
script style template noscript title meta link base object embed applet iframe frame frameset noframes
audio video track source canvas map area svg select option optgroup input textarea datalist output
progress meter annotation annotation-xml rt rp
"""
_UNSEEN_TAGS = frozenset(_UNSEEN_TAG_NAMES.split())
# Where a page does not say where its body begins, the parser leaves main, section and others of its newer
# elements in the head, whose own elements are all unseen.
_FRAME_TAGS = frozenset({"html", "head", "body"})
# Formulas are read as the text they hold, in one line.
_MATH_TAG_NAMES = """
math semantics mrow mi mn mo ms mtext mspace msqrt mroot mfrac msub msup msubsup munder mover munderover
mstyle mpadded mphantom mfenced menclose mmultiscripts mtable mtr mtd
"""
_MATH_TAGS = frozenset(_MATH_TAG_NAMES.split())
_WHITE_SPACE = re.compile(r"[ \t\n\r\f]+")
_HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary"})
_VERBATIM_TAGS = frozenset({"pre", "listing", "xmp", "plaintext"})


def read_file(path: Path, *, max_chars: int = MAX_CHARS) -> Capture:
    """Read an HTML, Markdown or text file, at most `max_chars` visible characters of it.

    Raises InputError: file_missing, page_empty (0 bytes), page_unreadable (no text, no file, over
    `MAX_FILE_BYTES`); the subject is the path.
    """
    return parse_file(_read_bytes(path), str(path), url=path.absolute().as_uri(), max_chars=max_chars)


def parse_file(data: bytes, name: str, *, url: str, max_chars: int = MAX_CHARS) -> Capture:
    """Return the capture of what a file called `name` (or its path) holds; its ending tells what a text is.

    Raises InputError: page_empty (0 bytes), page_unreadable (no text); the subject is the name.
    """
    if not data:
        raise InputError("page_empty", "0 bytes", subject=name)
    text = None if data.startswith(b"%PDF-") else decode_text(data)
    if text is None:
        raise InputError("page_unreadable", "not a text file", subject=name)
    path = PurePath(name)
    if path.suffix.lower() in _HTML_SUFFIXES or _HTML_START.match(text):
        return parse_html(text, url=url, max_chars=max_chars)
    root = parse_plain_text(text, is_markdown=path.suffix.lower() in _MARKDOWN_SUFFIXES)
    return _capped(root, url=url, title=_first_heading(root) or path.name, language="", max_chars=max_chars)


def parse_html(html: str, *, url: str, max_chars: int = MAX_CHARS) -> Capture:
    """Return the capture of an HTML document; every string parses to something, as in a browser."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    document = etree.fromstring(html.encode("utf-8", "replace"), parser)
    if document is None:  # nothing but white space or comments
        document = etree.Element("html")
    return _capped(
        _visible_tree(document),
        url=url,
        canonical_url=_first(document, "//link[contains(concat(' ', @rel, ' '), ' canonical ')]/@href"),
        title=_first(document, "//title[not(ancestor::svg)]/text()"),
        language=_first(document, "/html/@lang | //meta[@http-equiv='content-language']/@content"),
        max_chars=max_chars,
    )


def _read_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InputError("page_unreadable", f"over {MAX_FILE_BYTES} bytes", subject=str(path))
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError("file_missing", str(error), subject=str(path)) from error
    except OSError as error:
        raise InputError("page_unreadable", str(error), subject=str(path)) from error


def _visible_tree(document: etree._Element) -> Node:
    builder = TreeBuilder()
    builder.open("body")
    n_verbatim = 0
    skipped: etree._Element | None = None
    walker = etree.iterwalk(document, events=("start", "end"))
    for event, element in walker:
        is_dissolved = element.tag in _FRAME_TAGS or element.tag in _MATH_TAGS
        if event == "start":
            if _is_unseen(element):
                walker.skip_subtree()
                skipped = element
                continue
            if not is_dissolved:
                builder.open(_tag(element), _attributes(element))
            n_verbatim += element.tag in _VERBATIM_TAGS
            _add_text(builder, element.text, n_verbatim > 0)
        else:
            if element is not skipped:
                n_verbatim -= element.tag in _VERBATIM_TAGS
                if not is_dissolved:
                    builder.close()
            _add_text(builder, element.tail, n_verbatim > 0)
    builder.close()
    return builder.finish()


def _add_text(builder: TreeBuilder, text: str | None, is_verbatim: bool) -> None:
    if text:
        builder.text(text if is_verbatim else _WHITE_SPACE.sub(" ", text))


def _is_unseen(element: etree._Element) -> bool:
    tag = element.tag
    if tag == "button":  # a control, but also what folds a section by its heading
        return not any(ancestor.tag in _HEADING_TAGS for ancestor in element.iterancestors())
    if tag in _UNSEEN_TAGS or (tag == "dialog" and element.get("open") is None):
        return True
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return True
    if "katex-html" in element.get("class", "").split():  # drawn from the MathML beside it
        return True
    style = element.get("style")
    return style is not None and hides(style)


def _tag(element: etree._Element) -> str:
    return "pre" if element.tag in _VERBATIM_TAGS else str(element.tag)


def _attributes(element: etree._Element) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in element.attrib.items() if name in ATTRIBUTES)


def _first(document: etree._Element, xpath: str) -> str:
    found = cast("list[object]", document.xpath(xpath))
    return collapse(str(found[0])) if isinstance(found, list) and found else ""


def _first_heading(root: Node) -> str:
    in_heading = False
    for event, item in walk(root):
        if isinstance(item, str):
            if in_heading:
                return collapse(item)
        else:
            in_heading = event == "open" and item.tag in _HEADING_TAGS
    return ""


def _capped(
    root: Node, *, url: str, title: str, language: str, max_chars: int, canonical_url: str = ""
) -> Capture:
    """The capture of `root`, cut after `max_chars` characters of text."""
    n_total = sum(len(item) for _, item in walk(root) if isinstance(item, str))
    return Capture(
        url=url,
        canonical_url=canonical_url,
        title=title,
        language=language,
        root=root if n_total <= max_chars else _cut(root, max_chars),
        n_total_chars=n_total,
        n_read_chars=min(n_total, max_chars),
    )


def _cut(root: Node, max_chars: int) -> Node:
    builder = TreeBuilder()
    room = max_chars
    for event, item in walk(root):
        if isinstance(item, str):
            kept = item[:room]
            room -= len(kept)
            builder.text(kept)
        elif event == "close":
            builder.close()
        else:
            builder.open(item.tag, item.attributes)
    return builder.finish()
