"""Pages, threads and summaries from one library file into another: the stuff of export, backup and import.

Every page and every thread goes as a whole in one transaction, with a checkpoint between two of them. A copy
that is stopped holds whole pages only, and what was deleted from the library is not in the copy, unlike in a
copy of the file, whose free pages still hold it.
"""

from collections.abc import Sequence
from itertools import islice

from tabwise.core.model import Chunk, Page, PageHead, SourceId
from tabwise.core.page.page_faults import fault_of
from tabwise.core.text.bounded_json import read_json
from tabwise.core.threads import ThreadHead, ThreadTurn, TurnState
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.errors import StoreError
from tabwise.ports import Store
from tabwise.protocol import codec
from tabwise.protocol.schema import RESULTS

SETTINGS, WRITTEN_AT, PROGRAM = "settings", "written_at", "program"
"""Notes of a copy: the settings as JSON without any key, ms since the epoch, the version that wrote it."""
SUMMARIES_AT_ONCE = 200
_BROKEN = (StoreError, ValueError, TypeError, KeyError, AttributeError)
"""What reading a damaged row ends with."""
_PARTIAL = {"sentences": ("list", "Sentence"), "citations": ("list", "Citation")}


async def copy_library(source: Store, target: Store, job: Job) -> None:
    """Put everything of `source` into `target`, which is empty: pages by age, summaries, threads."""
    heads, threads = source.load_heads(), source.threads.load_threads()
    total = len(heads) + len(threads)
    if source.model_id():
        target.set_model_id(source.model_id())
    for done, head in enumerate(heads):
        await job.checkpoint(Progress("copy", done, total, "pages"))
        page, chunks = source.load_page(head.source), source.load_chunks(head.source)
        if page is None:
            continue  # it was taken out meanwhile
        target.put_page(page, chunks)
        _copy_vectors(source, target, page.source)
    await copy_summaries(source, target, job)
    for done, thread in enumerate(threads, len(heads)):
        await job.checkpoint(Progress("copy", done, total, "pages"))
        target.threads.put_thread(thread, source.threads.load_turns(thread.id))
    await job.checkpoint(Progress("copy", total, total, "pages"))


def _copy_vectors(source: Store, target: Store, page: SourceId) -> None:
    hashes = source.content_hashes(page)
    known, vectors = source.load_vectors(hashes)
    if known.all():
        target.pack_vectors(page, vectors)
    elif known.any():
        target.put_vectors([one for one, is_known in zip(hashes, known, strict=True) if is_known], vectors)


async def copy_summaries(source: Store, target: Store, job: Job) -> None:
    """Put the summaries of pages that `target` has beside those it has; no other text reaches the file."""
    wanted = {head.content_hash for head in target.load_heads()}
    rest = (summary for summary in source.summaries.load_all() if summary.content_hash in wanted)
    while some := list(islice(rest, SUMMARIES_AT_ONCE)):
        await job.checkpoint()
        target.summaries.put_many(some)


async def take_page(copy: Store, library: Library, head: PageHead, job: Job, *, with_vectors: bool) -> bool:
    """Put one page of a copy into the open library; False when it turns out to be damaged."""
    found = read_page(copy, head)
    if found is None:
        return False
    page, chunks = found
    await library.put(page, chunks, job)
    if with_vectors:
        known, vectors = copy.load_vectors([chunk.content_hash for chunk in chunks])
        told = [chunk for chunk, is_known in zip(chunks, known, strict=True) if is_known]
        if told:
            library.put_vectors(told, vectors)
            library.attach_vectors(page.source)
    return True


def read_page(copy: Store, head: PageHead) -> tuple[Page, Sequence[Chunk]] | None:
    """A page of a copy with its chunks, None when it cannot be used."""
    try:
        page, chunks = copy.load_page(head.source), copy.load_chunks(head.source)
        return None if page is None or fault_of(page, chunks) else (page, chunks)
    except _BROKEN:
        return None


def read_turns(copy: Store, thread: ThreadHead) -> Sequence[ThreadTurn] | None:
    """The turns of a thread of a copy, None when one of them cannot be used."""
    try:
        turns = copy.threads.load_turns(thread.id)
        known = {turn.id for turn in turns}
        if thread.head not in known or any(turn.parent and turn.parent not in known for turn in turns):
            return None
        for turn in turns:
            _check_turn(turn)
        return turns
    except (*_BROKEN, codec.Malformed):
        return None


def _check_turn(turn: ThreadTurn) -> None:
    """Raise one of _BROKEN or Malformed unless the panel can draw it."""
    request = read_json(turn.request)
    if turn.answer:
        done = turn.state is TurnState.DONE
        codec.check(read_json(turn.answer), RESULTS[request["type"]] if done else _PARTIAL)
