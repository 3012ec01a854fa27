"""Finding passages: through the mirror where it can answer, else in the index on this machine.

The mirror answers when the reader switched it on and it holds every page in scope as it is here; a search
that fails, or takes too long, is answered by the index, which always can. The result says who answered, and
why it was not the mirror.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.model import FusionMode, Hit
from tabwise.engine.library import Library
from tabwise.engine.mirror import Mirror
from tabwise.engine.scoping import Scope
from tabwise.errors import HostError, ProviderError, StoreError
from tabwise.ports import Clock

log = logging.getLogger(__name__)

LOCAL, MIRROR = "local", "qdrant"
BEHIND = "mirror_behind"
"""Some pages in scope are not in the mirror: not sent yet, or kept here by a rule."""


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """Hits best first, who found them, and why the mirror did not: "", an error code, or BEHIND."""

    hits: tuple[Hit, ...]
    store: str
    why_local: str


OpenMirror = Callable[[], Awaitable[Mirror | None]]
"""Gives the mirror in use, None for none; raises HostError, StoreError."""


async def no_mirror() -> Mirror | None:
    """The mirror of a library without one."""
    return None


class PassageFinder:
    """Searches one library."""

    def __init__(self, library: Library, *, clock: Clock, mirror: OpenMirror = no_mirror) -> None:
        self._library = library
        self._clock = clock
        self._mirror = mirror

    async def search(
        self,
        question: str,
        query_vector: npt.NDArray[np.float32] | None,
        *,
        scope: Scope,
        mode: FusionMode,
        k: int,
    ) -> FoundPassages:
        """Return at most `k` hits, none when nothing is near enough to the question."""
        index, now_ms = self._library.index, self._clock.now_ms()
        sources = scope.pages(index)
        why_local = ""
        try:
            mirror = await self._mirror()
            if mirror is not None:
                if mirror.covers(sources):
                    found = await mirror.search(
                        question, query_vector, scope=scope, mode=mode, k=k, now_ms=now_ms
                    )
                    return FoundPassages(tuple(found), MIRROR, "")
                why_local = BEHIND
        except (ProviderError, HostError, StoreError) as error:
            log.warning("the mirror did not answer: %s: %s", error.code, error.message)
            why_local = error.code
        hits = index.search(
            question,
            query_vector,
            sources=sources,
            mode=mode,
            k=k,
            recency=scope.recency(index, now_ms),
        )
        return FoundPassages(tuple(hits), LOCAL, why_local)
