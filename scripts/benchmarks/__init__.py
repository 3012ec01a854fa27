"""The benchmark suites: each a function that measures and returns its figures."""

from collections.abc import Callable

from benchmarks import boot, capture, demo, embedding, llm, load, panel, scale, search, thread
from benchmarks.report import Figure

SUITES: dict[str, Callable[[], list[Figure]]] = {
    "embedding": embedding.measure,
    "boot": boot.measure,
    "llm": llm.measure,
    "search": search.measure,
    "scale": scale.measure,
    "panel": panel.measure,
    "thread": thread.measure,
    "capture": capture.measure,
    "load": load.measure,
    "demo": demo.measure,
}
