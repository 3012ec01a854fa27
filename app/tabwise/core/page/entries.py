"""Entries: the repeated pieces that news lists, forums, search results and comment threads are made of.

An entry is read as one item, whole. Entries are neighbours that share a tag and a class (or have no class),
`MIN_ENTRIES` of them or more, most of which look like entries:

    a link at the beginning that leads to another page, with text of its own behind it: a snippet, or only a
    sign of a post (an age, a date, points, a number of comments)
    or a class that says comment, reply, result, … and such a sign or a link

and which are short and plain: an article with headings, code or tables inside is left to itself, and so is
a table with headers, whose rows are records already. In rows and terms (`tr`, `dt`) an entry goes up to the
next one, so that the row with points and author stays with the row of the title.

Replies lie inside the entry they answer; of them, one is enough. Lines of a transcript
(`core.transcripts`) are entries with a time.

An entry leads to where its own link does: the first link with a name that goes to another page and not to a
person. In a reply without a heading that would be a link of its text; its own is the one that bears the sign.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tabwise.core.model import Node
from tabwise.core.page import transcripts
from tabwise.core.page.capture import BLOCK_TAGS, attribute, walk
from tabwise.core.page.tables import has_headers

MIN_ENTRIES = 3
MIN_ENTRY_SHARE = 0.6
MIN_ENTRY_CHARS = 30
MAX_ENTRY_CHARS = 4000
MAX_TEASER_CHARS = 1200
MAX_SHARE_OF_ONE = 0.6
MIN_OWN_CHARS = 30
"""Text beside the links that an entry without the signs of a post must have: the snippet of a result."""
MIN_SIGNED_OWN_CHARS = 8
MAX_LINK_OFFSET = 60
MIN_LINK_CHARS = 8

_MAX_KEYS = 8
_MAX_ROWS_PER_ENTRY = 3
_MAX_LEAD_CHARS = 16
_EVENTS_PER_STEP = 2000
_ENTRY_TAGS = frozenset({"article", "dd", "details", "div", "dt", "li", "section", "tr"})
_LEADING_TAGS = frozenset({"tr", "dt"})  # the following siblings may belong to the same entry
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_POST = re.compile(r"comment|reply|post|message|answer|review|result|story|issue|topic", re.I)
_REPLY = re.compile(r"comment|reply|post|message|answer", re.I)
_SIGN = re.compile(
    r"\b\d+\s*(?:s|m|h|d|w|mo|y|secs?|mins?|hrs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\s+ago\b"
    r"|\b\d[\d,.]*k?\s+(?:points?|votes?|upvotes?|comments?|repl(?:y|ies)|answers?|views?|likes?|stars?)\b"
    r"|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b\d{1,2}:\d\d\b"
    r"|\b(?:19|20)\d\d\b|\byesterday\b|#\d+\b|\bvor \d+ |\bil y a \d|\bhace \d|\d+ назад"
    r"|\d\s*(?:秒|分|分钟|分鐘|時間|小时|小時|日|天|か月|个月|年)前|\d\s*(?:분|시간|일) 전",
    re.I,
)

_PERSON = re.compile(
    r"/(?:u|users?|authors?|profiles?|members?)(?:\.\w+)?(?:/[^/]+)?/?$|/[@~][^/]+/?$", re.I
)  # the path of a profile

_Key = tuple[str, str]  # tag and class; "" for any class


@dataclass(frozen=True, slots=True)
class Entries:
    """Where entries begin and end, by `id` of their first and last element.

    `posts`: the starts of those that a class calls comment, reply, …; `seconds`: the times of lines of a
    transcript, `links`: where entries lead, as the page writes it, both by their start.
    """

    starts: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    posts: frozenset[int] = frozenset()
    seconds: dict[int, int] = field(default_factory=dict)
    links: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Facts:
    """What is known of an element once it is closed; the text of entries inside it is not its own."""

    node: Node
    is_linked: bool = False
    in_headed_table: bool = False
    parts: "list[str | _Facts]" = field(default_factory=list)
    is_marked: bool = False
    n_chars: int = 0
    n_link_chars: int = 0
    link_at: int = -1  # characters before the first link to another page
    link: str = ""  # the first link to another page that is not a person's
    signed_link: str = ""  # the first one whose text bears a sign
    n_headings: int = 0
    is_rich: bool = False
    is_signed: bool = False
    lead: str = ""

    @property
    def children(self) -> "list[_Facts]":
        return [part for part in self.parts if isinstance(part, _Facts)]

    def sum_up(self, address: str) -> None:
        """Collect the facts of the parts; `address` is the page's own, without fragment."""
        tag = self.node.tag
        self.is_rich = tag in ("pre", "th", "caption", "thead")
        self.is_signed = tag == "time"
        for part in self.parts:
            if isinstance(part, str):
                self._add_text(part)
            elif not part.is_marked:
                self._add_child(part)
        self.parts.clear()
        self.n_headings += tag in _HEADINGS
        if tag == "a" and self.n_chars >= MIN_LINK_CHARS:
            self._take_link(attribute(self.node, "href"), address)

    def _take_link(self, href: str, address: str) -> None:
        if self.is_signed:
            self.signed_link = href
        target = href.partition("#")[0]
        if target in ("", address):
            return
        self.link_at = 0
        if not _PERSON.search(target.partition("?")[0]):
            self.link = href

    def _add_text(self, text: str) -> None:
        n_chars = len(text.strip())
        self.n_chars += n_chars
        self.n_link_chars += n_chars * self.is_linked
        self.is_signed = self.is_signed or _SIGN.search(text) is not None
        if len(self.lead) < _MAX_LEAD_CHARS:
            self.lead += text[:_MAX_LEAD_CHARS]

    def _add_child(self, child: "_Facts") -> None:
        if self.link_at < 0 <= child.link_at:
            self.link_at = self.n_chars + child.link_at
        self.link = self.link or child.link
        self.signed_link = self.signed_link or child.signed_link
        self.n_chars += child.n_chars
        self.n_link_chars += child.n_link_chars
        self.n_headings += child.n_headings
        self.is_rich = self.is_rich or child.is_rich
        self.is_signed = self.is_signed or child.is_signed
        if len(self.lead) < _MAX_LEAD_CHARS:
            self.lead += child.lead + (" " if child.node.tag in BLOCK_TAGS else "")


def find_entries_steps(root: Node, url: str) -> Generator[None, None, Entries]:
    """Find the entries of the page at `url`, in steps of a few milliseconds; one pass, in any depth."""
    finder = _Finder(root, url.partition("#")[0])
    for n_events, (event, item) in enumerate(walk(root)):
        if isinstance(item, str):
            finder.text(item)
        elif event == "open":
            finder.open(item)
        else:
            finder.close()
        if n_events % _EVENTS_PER_STEP == _EVENTS_PER_STEP - 1:
            yield
    return Entries(
        frozenset(finder.starts),
        frozenset(finder.ends),
        frozenset(finder.posts),
        finder.seconds,
        finder.links,
    )


class _Finder:
    """Collects facts bottom up and marks the entries among the children of every closed element."""

    def __init__(self, root: Node, address: str) -> None:
        self.starts: set[int] = set()
        self.ends: set[int] = set()
        self.posts: set[int] = set()
        self.seconds: dict[int, int] = {}
        self.links: dict[int, str] = {}
        self._address = address
        self._open: list[_Facts] = [_Facts(root)]
        self._reply_keys: Counter[_Key] = Counter()

    def open(self, node: Node) -> None:
        outer = self._open[-1]
        facts = _Facts(
            node,
            is_linked=outer.is_linked or node.tag == "a",
            in_headed_table=has_headers(node) if node.tag == "table" else outer.in_headed_table,
        )
        outer.parts.append(facts)
        self._open.append(facts)
        self._reply_keys.update(_reply_keys(node))

    def text(self, text: str) -> None:
        self._open[-1].parts.append(text)

    def close(self) -> None:
        facts = self._open.pop()
        self._mark_entries(facts)
        facts.sum_up(self._address)
        keys = _reply_keys(facts.node)
        self._reply_keys.subtract(keys)
        if any(self._reply_keys[key] > 0 for key in keys) and _is_entry([facts], is_post=True):
            self._mark([facts], is_post=True)

    def _mark_entries(self, parent: _Facts) -> None:
        children = parent.children
        if len(children) < MIN_ENTRIES or self._mark_transcript(children) or parent.in_headed_table:
            return
        for key in _keys(child.node for child in children if child.node.tag in _ENTRY_TAGS):
            records = list(_records(children, key))
            is_post = key[0] == "article" or _POST.search(key[1]) is not None
            entries = [record for record in records if _is_entry(record, is_post=is_post)]
            is_enough = len(entries) >= max(MIN_ENTRIES, MIN_ENTRY_SHARE * len(records))
            if is_enough and _are_equals(entries):
                for entry in entries:
                    self._mark(entry, is_post=is_post)
                return

    def _mark_transcript(self, children: Sequence[_Facts]) -> bool:
        for key in _keys(child.node for child in children if child.node.tag in BLOCK_TAGS):
            lines = [child for child in children if _has_key(child.node, key)]
            times = [transcripts.seconds_of(line.lead) for line in lines]
            if transcripts.are_lines(times):
                for line, time in zip(lines, times, strict=True):
                    if time is not None:
                        self.seconds[id(line.node)] = time
                        self._mark([line], is_post=True)
                return True
        return False

    def _mark(self, record: Sequence[_Facts], *, is_post: bool) -> None:
        if record[0].is_marked:
            return
        if is_post:
            self.posts.add(id(record[0].node))
        link = _own_link(record)
        if link:
            self.links[id(record[0].node)] = link
        self.starts.add(id(record[0].node))
        self.ends.add(id(record[-1].node))
        for facts in record:
            facts.is_marked = True


def _keys(nodes: Iterable[Node]) -> list[_Key]:
    """Tag and class of the most frequent elements, classes before bare tags."""
    counts: Counter[_Key] = Counter()
    for node in nodes:
        counts.update({(node.tag, name): 1 for name in ("", *attribute(node, "class").split())})
    frequent = [key for key, n in counts.most_common(_MAX_KEYS) if n >= MIN_ENTRIES]
    return sorted(frequent, key=lambda key: not key[1])


def _has_key(node: Node, key: _Key) -> bool:
    tag, name = key
    return node.tag == tag and (not name or name in attribute(node, "class").split())


def _records(children: Sequence[_Facts], key: _Key) -> Iterator[list[_Facts]]:
    """The elements with this key, each with those that belong to it."""
    record: list[_Facts] = []
    for child in children:
        if _has_key(child.node, key):
            if record:
                yield record
            record = [child]
        elif record and key[0] in _LEADING_TAGS and len(record) < _MAX_ROWS_PER_ENTRY:
            record.append(child)
        elif record:
            yield record
            record = []
    if record:
        yield record


def _are_equals(entries: Sequence[Sequence[_Facts]]) -> bool:
    """Whether none of them is most of all: then it is the page, and the others stand around it."""
    sizes = [sum(facts.n_chars for facts in entry) for entry in entries]
    return max(sizes) <= MAX_SHARE_OF_ONE * sum(sizes)


def _is_entry(record: Sequence[_Facts], *, is_post: bool) -> bool:
    n_chars = sum(facts.n_chars for facts in record)
    n_own_chars = n_chars - sum(facts.n_link_chars for facts in record)
    if not MIN_ENTRY_CHARS <= n_chars <= MAX_ENTRY_CHARS:
        return False
    if any(facts.is_rich for facts in record) or sum(facts.n_headings for facts in record) > 1:
        return False
    is_signed = any(facts.is_signed for facts in record)
    if is_post and (is_signed or n_own_chars < n_chars):
        return n_own_chars >= MIN_SIGNED_OWN_CHARS
    min_own_chars = MIN_SIGNED_OWN_CHARS if is_signed else MIN_OWN_CHARS
    if n_chars > MAX_TEASER_CHARS:
        return False
    return 0 <= record[0].link_at <= MAX_LINK_OFFSET and n_own_chars >= min_own_chars


def _own_link(record: Sequence[_Facts]) -> str:
    """Where an entry leads, "" when none of its links tells."""
    named = [facts.link for facts in record if facts.link]
    signed = [facts.signed_link for facts in record if facts.signed_link]
    is_reply = _REPLY.search(attribute(record[0].node, "class")) and not any(f.n_headings for f in record)
    return next(iter(signed if is_reply else named + signed), "")


def _reply_keys(node: Node) -> list[_Key]:
    if node.tag not in _ENTRY_TAGS:
        return []
    return [(node.tag, name) for name in attribute(node, "class").split() if _REPLY.search(name)]
