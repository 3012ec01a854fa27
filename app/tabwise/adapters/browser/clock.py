"""Time from Python's own clock, which Pyodide takes from the browser."""

import time


class SystemClock:
    """Implements ports.Clock."""

    def now_ms(self) -> float:
        """Milliseconds since the epoch."""
        return time.time() * 1000

    def monotonic_ms(self) -> float:
        """Milliseconds from an arbitrary start, never going back."""
        return time.monotonic() * 1000
