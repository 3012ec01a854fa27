"""A queue of summaries over the library of a desk, and what it tells."""

from desk import Desk
from fakes import FakeClock, ScriptedModel
from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.model import SourceId
from tabwise.core.summaries.summary import Summary
from tabwise.engine.jobs import silent_job
from tabwise.engine.quiet import Quiet
from tabwise.engine.summarising.making import Maker
from tabwise.engine.summarising.queue import Choice, SummaryQueue, Told
from tabwise.engine.summarising.writers import ModelWriter

TIDES_SOURCE = SourceId("https://sea.example/tides")
BREAD_SOURCE = SourceId("https://kitchen.example/bread")
GOOD = (
    "The largest tidal range on Earth is found in the Bay of Fundy. Spring tides occur around the new moon."
)


class Queue:
    """A queue over the library of a desk, with a choice that tests change, and what it tells."""

    def __init__(self, desk: Desk, model: ScriptedModel | None = None) -> None:
        assert desk.library
        self.quiet = Quiet()
        self.told: list[Told] = []
        self.choice = Choice(EXTRACTIVE, None, lambda url: True, True)
        if model is not None:
            self.choice = Choice(model.descriptor.id, ModelWriter(model), lambda url: True, True)
        self.clock = FakeClock()
        self.maker = Maker(desk.library, quiet=self.quiet, clock=self.clock)
        self.queue = SummaryQueue(desk.library, self.maker, quiet=self.quiet, choose=self._choose)

    async def _choose(self) -> Choice:
        return self.choice

    async def run(self, *sources: SourceId) -> list[Summary]:
        """Run, and return the summaries that were told."""
        before = len(self.told)
        await self.queue.run(sources, silent_job(), self.told.append)
        return [told.summary for told in self.told[before:] if told.summary is not None]
