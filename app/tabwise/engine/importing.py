"""What bringing a library file in would change, and bringing it in.

`compare` is the dry run. Merging adds what is not here and takes the newer of two snapshots of a page;
replacing takes everything from the file and then removes what the file does not have, so that nothing is lost
by stopping half way. Vectors are taken when they are of the model in use, else they are made anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from tabwise.core.model import PageHead
from tabwise.core.threads import ThreadHead
from tabwise.engine.copying import WRITTEN_AT, copy_summaries, read_page, read_turns, take_page
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.errors import InputError, StoreError
from tabwise.ports import Store

ImportMode = Literal["merge", "replace"]
_OF_A_FILE = {"store_newer": "import_newer", "store_corrupt": "import_damaged"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A file beside the library. Each page and thread of the file is in exactly one of its lists.

    `added`: not here. `newer`, `older`: here from another time. `same`: here as it is. `damaged`: titles of
    pages and threads that cannot be used. `only_here`: sources of pages, and ids of threads, that the file
    lacks. `written_at`: ms since the epoch, 0 when the file does not tell.
    """

    added: tuple[PageHead, ...]
    newer: tuple[PageHead, ...]
    older: tuple[PageHead, ...]
    same: tuple[PageHead, ...]
    threads_added: tuple[ThreadHead, ...]
    threads_newer: tuple[ThreadHead, ...]
    threads_older: tuple[ThreadHead, ...]
    threads_same: tuple[ThreadHead, ...]
    damaged: tuple[str, ...]
    pages_only_here: tuple[PageHead, ...]
    threads_only_here: tuple[ThreadHead, ...]
    written_at: float
    schema_version: int
    model_id: str
    has_vectors_of_ours: bool

    @property
    def page_counts(self) -> Mapping[str, int]:
        """How many pages are in each list."""
        return _counts(self.added, self.newer, self.older, self.same, self.pages_only_here)

    @property
    def thread_counts(self) -> Mapping[str, int]:
        """How many threads are in each list."""
        return _counts(
            self.threads_added,
            self.threads_newer,
            self.threads_older,
            self.threads_same,
            self.threads_only_here,
        )


@contextmanager
def about_a_file() -> Iterator[None]:
    """Errors of a store as those of a file that is brought in: the library itself is sound."""
    try:
        yield
    except StoreError as error:
        raise InputError(_OF_A_FILE.get(error.code, error.code), error.message) from error


async def compare(copy: Store, library: Library, model_id: str, job: Job) -> Comparison:
    """Read the whole file and say what there is; nothing changes. `model_id`: of the embedder in use.

    Raises InputError import_damaged when the file as a whole cannot be read.
    """
    faults = copy.check()
    if any(not fault.startswith("chunk ") for fault in faults):
        raise InputError("import_damaged", "; ".join(faults[:5]))
    heads, threads = copy.load_heads(), copy.threads.load_threads()
    total = len(heads) + len(threads)
    here = {head.source: head for head in library.heads()}
    damaged: list[str] = []
    pages: dict[str, list[PageHead]] = {name: [] for name in ("added", "newer", "older", "same")}
    for done, head in enumerate(heads):
        await job.checkpoint(Progress("compare", done, total, "pages"))
        if read_page(copy, head) is None:
            damaged.append(head.title or head.url)
            continue
        known = here.get(head.source)
        pages[_place(head, known)].append(head)
    ours = {thread.id: thread for thread in library.store.threads.load_threads()}
    told: dict[str, list[ThreadHead]] = {name: [] for name in ("added", "newer", "older", "same")}
    for done, thread in enumerate(threads, len(heads)):
        await job.checkpoint(Progress("compare", done, total, "pages"))
        if read_turns(copy, thread) is None:
            damaged.append(thread.title)
            continue
        told[_thread_place(thread, ours.get(thread.id))].append(thread)
    await job.checkpoint(Progress("compare", total, total, "pages"))
    sources, ids = {head.source for head in heads}, {thread.id for thread in threads}
    is_ours = copy.model_id() == model_id and library.store.model_id() in ("", model_id)
    return Comparison(
        added=tuple(pages["added"]),
        newer=tuple(pages["newer"]),
        older=tuple(pages["older"]),
        same=tuple(pages["same"]),
        threads_added=tuple(told["added"]),
        threads_newer=tuple(told["newer"]),
        threads_older=tuple(told["older"]),
        threads_same=tuple(told["same"]),
        damaged=tuple(damaged),
        pages_only_here=tuple(head for head in here.values() if head.source not in sources),
        threads_only_here=tuple(thread for thread in ours.values() if thread.id not in ids),
        written_at=_written_at(copy),
        schema_version=copy.schema_version,
        model_id=copy.model_id(),
        has_vectors_of_ours=bool(copy.model_id()) and is_ours,
    )


async def bring_in(copy: Store, library: Library, found: Comparison, mode: ImportMode, job: Job) -> int:
    """Do what `compare` found; return how many pages and threads were written.

    Stopped in between, every page is whole; what only the library has goes last.
    """
    pages: Sequence[PageHead] = (*found.added, *found.newer)
    threads: Sequence[ThreadHead] = (*found.threads_added, *found.threads_newer)
    if mode == "replace":
        pages, threads = (*pages, *found.older), (*threads, *found.threads_older)
    if found.has_vectors_of_ours and not library.store.model_id():
        library.store.set_model_id(found.model_id)
    total, written = len(pages) + len(threads), 0
    for done, head in enumerate(sorted(pages, key=lambda head: head.captured_at)):
        await job.checkpoint(Progress("copy", done, total, "pages"))
        written += await take_page(copy, library, head, job, with_vectors=found.has_vectors_of_ours)
    await copy_summaries(copy, library.store, job)
    for done, thread in enumerate(threads, len(pages)):
        await job.checkpoint(Progress("copy", done, total, "pages"))
        turns = read_turns(copy, thread)
        if turns is not None:
            library.store.threads.put_thread(thread, turns)
            written += 1
    if mode == "replace":
        for head in found.pages_only_here:
            await job.checkpoint()
            library.remove(head.source)
        library.store.threads.remove([thread.id for thread in found.threads_only_here])
    await job.checkpoint(Progress("copy", total, total, "pages"))
    return written


def _counts(*lists: Sequence[object]) -> Mapping[str, int]:
    names = ("added", "newer", "older", "same", "only_here")
    return {name: len(items) for name, items in zip(names, lists, strict=True)}


def _place(head: PageHead, known: PageHead | None) -> str:
    if known is None:
        return "added"
    if known.content_hash == head.content_hash:
        return "same"
    return "newer" if head.captured_at > known.captured_at else "older"


def _thread_place(thread: ThreadHead, known: ThreadHead | None) -> str:
    if known is None:
        return "added"
    if (known.updated_at, known.head, known.n_turns, known.title, known.is_pinned) == (
        thread.updated_at,
        thread.head,
        thread.n_turns,
        thread.title,
        thread.is_pinned,
    ):
        return "same"
    return "newer" if thread.updated_at > known.updated_at else "older"


def _written_at(copy: Store) -> float:
    try:
        return float(copy.note(WRITTEN_AT) or 0)
    except ValueError:
        return 0.0
