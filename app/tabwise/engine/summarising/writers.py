"""Who can write summaries: a language model, the summariser of the browser. The page's own words need nobody.

A writer is given text of a page, escaped and fenced by whoever builds its prompt, and writes plain sentences.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Protocol

from tabwise.core.answers.model_text import visible
from tabwise.core.chat import Finish, Prompt
from tabwise.core.model import Page
from tabwise.core.page.sections import estimate_tokens
from tabwise.core.summaries.summary import SummarizerState
from tabwise.core.summaries.summary_prompts import PART_TOKENS, merging_prompt, part_prompt
from tabwise.errors import ModelError
from tabwise.ports import LanguageModel, Summarizer

BROWSER = "summarizer"
"""The name of the browser's summariser among engines."""
MAX_PART_TOKENS = 1_500
LOCAL_PART_TOKENS = 500
"""On this machine a model reads some 180 tokens a second."""
BROWSER_PART_TOKENS = 1_000
KEY_BYTES = 8
_STOPS = ".!?…。！？"
PROMPT_TOKENS = 200
"""Of what stands around the text of a page."""


OnText = Callable[[str], None]
"""Told the whole text so far whenever there is more of it; a writer that gives all at once tells nothing."""


class Writer(Protocol):
    """Writes about parts of pages, and one text about several."""

    @property
    def engine(self) -> str:
        """Its name among engines."""
        ...

    @property
    def is_here(self) -> bool:
        """Whether it works on this machine, where questions may need it."""
        ...

    @property
    def max_part_tokens(self) -> int:
        """What it reads at once of a page."""
        ...

    @property
    def max_merge_tokens(self) -> int:
        """What it reads at once of what it wrote itself."""
        ...

    def count(self, text: str) -> int:
        """Tokens of a text."""
        ...

    async def write(self, page: Page, text: str, *, is_whole: bool, on_text: OnText) -> str:
        """Write about a part, or about a page that is one part; raises ModelError, ProviderError."""
        ...

    async def merge(self, page: Page, texts: Sequence[str], *, is_whole: bool, on_text: OnText) -> str:
        """Write one text about what was written of all parts, or of a run of them; raises as `write`."""
        ...


class ModelWriter:
    """A language model."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        described = model.descriptor
        self.engine = described.id
        self.is_here = not described.destination
        room = described.context_tokens - PART_TOKENS - PROMPT_TOKENS
        self.max_part_tokens = max(min(room, LOCAL_PART_TOKENS if self.is_here else MAX_PART_TOKENS), 1)
        self.max_merge_tokens = max(room, 1)

    def count(self, text: str) -> int:
        """Tokens of a text as the model counts them."""
        return self._model.count(text)

    async def write(self, page: Page, text: str, *, is_whole: bool, on_text: OnText) -> str:
        """Write about a part, or about a page that is one part; raises ModelError, ProviderError."""
        key = secrets.token_hex(KEY_BYTES)
        return await self._complete(part_prompt(page, text, key=key, is_whole=is_whole), on_text)

    async def merge(self, page: Page, texts: Sequence[str], *, is_whole: bool, on_text: OnText) -> str:
        """Write one text about what was written of all parts, or of a run of them; raises as `write`."""
        key = secrets.token_hex(KEY_BYTES)
        return await self._complete(merging_prompt(page, texts, key=key, is_whole=is_whole), on_text)

    async def _complete(self, prompt: Prompt, on_text: OnText) -> str:
        raw = ""

        def more(piece: str) -> None:
            nonlocal raw
            raw += piece
            on_text(visible(raw, is_whole=False))

        completion = await self._model.complete(prompt, on_text=more)
        text = visible(completion.text, is_whole=True)
        return ended(text) if completion.finish is Finish.LENGTH else text


class BrowserWriter:
    """The summariser that the browser has (Summarizer API)."""

    engine = BROWSER
    is_here = True
    max_part_tokens = BROWSER_PART_TOKENS
    max_merge_tokens = BROWSER_PART_TOKENS

    def __init__(self, summarizer: Summarizer) -> None:
        self._summarizer = summarizer

    def count(self, text: str) -> int:
        """Tokens of a text as they are guessed: the browser tells only of the whole."""
        return int(estimate_tokens(text)) + 1

    async def write(self, page: Page, text: str, *, is_whole: bool, on_text: OnText) -> str:
        """Write about a part; raises ModelError."""
        return await self._summarizer.summarise(text, context=page.title, language=page.language)

    async def merge(self, page: Page, texts: Sequence[str], *, is_whole: bool, on_text: OnText) -> str:
        """Write one text about what was written of parts; raises ModelError."""
        return await self._summarizer.summarise("\n".join(texts), context=page.title, language=page.language)


def ended(text: str) -> str:
    """A text that was cut short, up to its last whole sentence."""
    end = max((stop + 1 for stop in map(text.rfind, _STOPS) if stop >= 0), default=0)
    return text[:end]


class NoSummarizer:
    """`ports.Summarizer` where there is no browser."""

    async def state(self) -> SummarizerState:
        """It can never be used."""
        return SummarizerState.UNAVAILABLE

    async def summarise(self, text: str, *, context: str, language: str) -> str:
        """Raise ModelError: model_unavailable."""
        raise ModelError("model_unavailable", "the browser has no summariser")
