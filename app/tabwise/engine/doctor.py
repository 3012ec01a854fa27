"""What works here and why not: facts of the machine, of the library and of services become lines.

A line is a topic and what was found there; what state that is and what can be done about it stands in
protocol/tables/doctor.py, what it says in the interface's words. Nothing is sent unless the reader asked
for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tabwise.core.host_facts import HostFacts
from tabwise.errors import AppError, ModelError, StoreError
from tabwise.ports import Embedder
from tabwise.protocol.tables.doctor import DOCTOR

LARGE_HEAP_BYTES = 1 << 30
"""Memory of WebAssembly never shrinks; above this the engine is exchanged when it has nothing to do."""
FEW_THREADS = 2
"""With no core to spare, a second thread of a model only waits for the first."""
NEARLY_FULL = 0.9
"""Share of the storage that may be used."""
_MEGABYTE = 1_000_000

_STORE_REASONS = {"store_newer": "newer", "store_locked": "locked"}


@dataclass(frozen=True, slots=True)
class Line:
    """One finding; `values` fill the {names} of its sentence."""

    topic: str
    reason: str
    values: tuple[tuple[str, str], ...] = ()
    subject: str = ""
    code: str = ""
    message: str = ""

    @property
    def state(self) -> str:
        """good, limited, off or broken."""
        state: str = DOCTOR[self.topic][self.reason][0]
        return state

    @property
    def action(self) -> str:
        """What the reader can do about it, "" for nothing."""
        action: str = DOCTOR[self.topic][self.reason][1]
        return action


def machine_lines(facts: HostFacts) -> list[Line]:
    """The lines about machine and browser; of what nobody can tell there is none."""
    found = [
        _storage(facts),
        _memory(facts),
        _isolation(facts),
        Line("threads", "few" if facts.n_threads <= FEW_THREADS else "many", (("n", str(facts.n_threads)),)),
        _gpu(facts),
        Line("prompt_api", facts.prompt_api) if facts.prompt_api else None,
        Line("summarizer", facts.summarizer) if facts.summarizer else None,
        _files(facts),
        _sites(facts),
    ]
    return [line for line in found if line is not None]


def library_line(*, n_pages: int, size_bytes: int, faults: Sequence[str] = ()) -> Line:
    """The line about an open library and what was found wrong with it."""
    values = (("pages", str(n_pages)), ("mb", _megabytes(size_bytes)))
    if faults:
        return Line("library", "faulty", values, message="; ".join(faults[:5]))
    return Line("library", "sound" if n_pages else "empty", values)


def closed_library_line(error: StoreError) -> Line:
    """The line about a library that could not be opened."""
    reason = _STORE_REASONS.get(error.code, "unusable")
    return Line("library", reason, code=error.code, message=error.message)


async def embedder_line(embedder: Embedder, *, must_reembed: bool) -> Line:
    """The line about the embedding model, which is tried on a word."""
    values = (("model", embedder.descriptor.id),)
    try:
        await embedder.embed(["tabwise"])
    except ModelError as error:
        return Line("embedder", "absent", values, message=error.message)
    return Line("embedder", "changed" if must_reembed else "ready", values)


def service_line(topic: str, name: str, subject: str, outcome: AppError | str | None) -> Line:
    """The line about a service: the model in use, an error, or None when it was not asked."""
    if outcome is None:
        return Line(topic, "untested", (("name", name),), subject)
    if isinstance(outcome, AppError):
        return Line(topic, "failed", (("name", name),), subject, outcome.code, outcome.message)
    return Line(topic, "ready", (("name", name), ("model", outcome)), subject)


def in_order(lines: Sequence[Line]) -> list[Line]:
    """Lines by topic in the order of the page; those of one topic stay as they are."""
    topics = list(DOCTOR)
    return sorted(lines, key=lambda line: topics.index(line.topic))


def _storage(facts: HostFacts) -> Line | None:
    used, quota = facts.storage_used_bytes, facts.storage_quota_bytes
    if used is None or not quota:
        return None
    values = (("mb", _megabytes(used)), ("free_mb", _megabytes(max(quota - used, 0))))
    if used > NEARLY_FULL * quota:
        return Line("storage", "nearly_full", values)
    return Line("storage", "clearable" if facts.storage_is_kept is False else "kept", values)


def _memory(facts: HostFacts) -> Line | None:
    if facts.heap_bytes is None:
        return None
    values = (("mb", _megabytes(facts.heap_bytes)),)
    return Line("memory", "large" if facts.heap_bytes > LARGE_HEAP_BYTES else "fine", values)


def _isolation(facts: HostFacts) -> Line | None:
    return None if facts.is_isolated is None else Line("isolation", "on" if facts.is_isolated else "off")


def _gpu(facts: HostFacts) -> Line | None:
    gpu = facts.gpu
    if gpu is None:
        return None
    if not gpu.name:
        return Line("gpu", "absent")
    reason = "software" if gpu.is_software else "ready" if gpu.has_f16 else "no_f16"
    return Line("gpu", reason, (("name", gpu.name),))


def _files(facts: HostFacts) -> Line | None:
    is_on = facts.reads_local_files
    return None if is_on is None else Line("files", "on" if is_on else "off")


def _sites(facts: HostFacts) -> Line | None:
    if facts.n_sites is None:
        return None
    reason = "all" if facts.reads_all_sites else "some" if facts.n_sites else "none"
    return Line("sites", reason, (("n", str(facts.n_sites)),))


def _megabytes(size_bytes: int) -> str:
    return (
        f"{size_bytes / _MEGABYTE:.0f}" if size_bytes >= 10 * _MEGABYTE else f"{size_bytes / _MEGABYTE:.1f}"
    )
