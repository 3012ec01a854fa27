"""What the demo's stages work with: the engine's ports, and what only the page's worker can do."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tabwise.engine.library import Library
from tabwise.engine.llm.catalogue import ModelState
from tabwise.ports import Clock, Embedder, FileReader, LanguageModels, MainContent

Fields = dict[str, Any]
Handler = Callable[[Fields], Awaitable[None]]


class Tell(Protocol):
    """Sends an event of `messages.EVENTS` to the page."""

    def __call__(self, event: str, /, **fields: Any) -> None:
        """Send it; raises codec.Malformed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """tokens: the word pieces of a text as the embedder reads them. models: "bundled" and nothing else.

    writer: what is known of the bundled language model, None when its files are not in the site. lasting:
    whether the library outlives the page. save: puts the library file under an address and returns it.
    """

    library: Library
    embedder: Embedder
    clock: Clock
    files: FileReader
    content: MainContent
    models: LanguageModels
    tokens: Callable[[str], list[str]]
    writer: Callable[[], Awaitable[ModelState | None]]
    save: Callable[[], str]
    lasting: bool
