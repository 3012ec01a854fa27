"""Embedding texts, writing and scoring text, and summaries."""

from collections.abc import Callable, Sequence
from typing import Protocol

from tabwise.core.chat import Completion, ModelDescriptor, Prompt
from tabwise.core.llm.sampling import FloatVector
from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.core.summaries.summary import SummarizerState


class TokenCounter(Protocol):
    """The embedder's own tokenizer, as far as chunking needs it."""

    def count(self, text: str) -> int:
        """Number of tokens of `text` as the model sees it, special tokens included."""
        ...


class Embedder(TokenCounter, Protocol):
    """An embedding model behind its descriptor."""

    @property
    def descriptor(self) -> EmbedderDescriptor:
        """The model's identity and limits."""
        ...

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return unit rows (n, dimensions), float32, in the order of `texts`.

        Texts over max_tokens are cut at the limit. Raises ModelError: model_unavailable.
        """
        ...


class LanguageModel(Protocol):
    """A language model behind its descriptor, on this machine or with a provider."""

    @property
    def descriptor(self) -> ModelDescriptor:
        """The model's identity and limits."""
        ...

    def count(self, text: str) -> int:
        """Number of tokens of `text`: exact where the descriptor says so, else never too few."""
        ...

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        """Complete a prompt; `on_text` is given each new piece of the text as it comes.

        Cancelling the task stops the model within one step, or closes the socket. Raises ModelError
        (model_unavailable, prompt_too_long), ProviderError.
        """
        ...


class ScoringModel(LanguageModel, Protocol):
    """A language model of this machine, which can also say how likely a text is."""

    async def log_likelihood(self, prompt: Prompt, text: str) -> FloatVector:
        """Return log P of each token of `text` behind the prompt, (n,) float32, nats.

        Raises ModelError (model_unavailable, prompt_too_long), ValueError for an empty text.
        """
        ...


class LanguageModels(Protocol):
    """The language models that the reader set up or that come with the product."""

    async def open(self, model_id: str) -> LanguageModel:
        """Return the model that the settings name; raises ModelError model_unavailable, ProviderError."""
        ...


class Summarizer(Protocol):
    """A summariser that the browser has."""

    async def state(self) -> SummarizerState:
        """Whether it can be used; never raises."""
        ...

    async def summarise(self, text: str, *, context: str, language: str) -> str:
        """Return a few plain sentences about a text; `context` says what it is from.

        Cancelling the task stops it. Raises ModelError: model_unavailable, prompt_too_long.
        """
        ...
