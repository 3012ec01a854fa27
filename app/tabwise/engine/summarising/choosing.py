"""Who writes summaries now, by the reader's settings and by what is there."""

from collections.abc import Mapping
from typing import Any

from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.summaries.summary import SummarizerState
from tabwise.engine.answering.prompting import BUNDLED
from tabwise.engine.summarising.queue import Choice
from tabwise.engine.summarising.writers import BROWSER, BrowserWriter, ModelWriter
from tabwise.errors import HostError, ModelError, ProviderError
from tabwise.ports import LanguageModels, Summarizer
from tabwise.protocol.rules import stays_here


async def choose(settings: Mapping[str, Any], *, models: LanguageModels, summarizer: Summarizer) -> Choice:
    """Return who writes; an engine that is not there now leaves the pages' own words.

    So does the bundled model: it took half a minute a page, and what it wrote of three sample pages ("The
    sea is the world") said less than their own sentences. `settings` is a sound Settings record.
    """
    preferences = settings["preferences"]
    wanted, automatic = preferences["summary_engine"], preferences["auto_summaries"]
    own_words = Choice(EXTRACTIVE, None, lambda url: True, automatic)
    if wanted in (EXTRACTIVE, BUNDLED):
        return own_words
    if wanted == BROWSER:
        is_there = await summarizer.state() is SummarizerState.AVAILABLE
        return (
            Choice(BROWSER, BrowserWriter(summarizer), lambda url: True, automatic) if is_there else own_words
        )
    try:
        model = await models.open(wanted)
    except (ModelError, ProviderError, HostError):
        return own_words
    leaves = bool(model.descriptor.destination)
    return Choice(
        wanted, ModelWriter(model), lambda url: not (leaves and stays_here(url, dict(settings))), automatic
    )
