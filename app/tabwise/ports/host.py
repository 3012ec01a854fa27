"""Time, the settings as they are stored, and what this machine can do."""

from typing import Protocol

from tabwise.core.host_facts import HostFacts


class Clock(Protocol):
    """Wall time for records, monotonic time for durations."""

    def now_ms(self) -> float:
        """Milliseconds since the epoch."""
        ...

    def monotonic_ms(self) -> float:
        """Milliseconds from an arbitrary start, never going back."""
        ...


class SettingsSource(Protocol):
    """Where the reader's settings are kept."""

    async def settings(self) -> object:
        """Return what is stored, as JSON values, None before the first time; raises HostError."""
        ...


class HostFactsSource(Protocol):
    """What machine and browser tell about themselves."""

    async def facts(self) -> HostFacts:
        """What is known now; what cannot be told here is None. Never raises."""
        ...
