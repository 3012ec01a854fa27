"""An embedder that tells what each call of another one cost and gave."""

from collections.abc import Callable, Sequence

from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.ports import Clock, Embedder


class WatchedEmbedder:
    """Implements ports.Embedder over another embedder."""

    def __init__(
        self,
        embedder: Embedder,
        clock: Clock,
        on_embedded: Callable[[Sequence[str], FloatMatrix, float], None],
    ) -> None:
        """`on_embedded` takes the texts of a call, their rows and the milliseconds it took."""
        self._embedder = embedder
        self._clock = clock
        self._on_embedded = on_embedded

    @property
    def descriptor(self) -> EmbedderDescriptor:
        """The model's identity and limits."""
        return self._embedder.descriptor

    def count(self, text: str) -> int:
        """Number of tokens of `text` as the model sees it, special tokens included."""
        return self._embedder.count(text)

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return what the other embedder returns. Raises what it raises; then nothing is told."""
        started = self._clock.monotonic_ms()
        rows = await self._embedder.embed(texts)
        self._on_embedded(texts, rows, self._clock.monotonic_ms() - started)
        return rows
