"""What stands in for an embedder where no model is installed: words still work."""

from collections.abc import Sequence

from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.errors import ModelError

_CHARS_PER_TOKEN = 3
"""Below the English average of about 4.5, so that chunks stay under a later model's limit."""


class NoEmbedder:
    """`ports.Embedder` that counts tokens roughly and refuses to embed."""

    descriptor = EmbedderDescriptor("none", 384, 256, "", "")

    def count(self, text: str) -> int:
        """A careful estimate of a WordPiece token count."""
        return 2 + len(text) // _CHARS_PER_TOKEN

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Raise ModelError model_unavailable."""
        raise ModelError("model_unavailable", "no embedding model is installed")
