"""The machine's clocks."""

import time


class SystemClock:
    """`ports.Clock` from the standard library; it works under Pyodide as well."""

    def now_ms(self) -> float:
        """Milliseconds since the epoch."""
        return time.time() * 1000

    def monotonic_ms(self) -> float:
        """Milliseconds from an arbitrary start."""
        return time.perf_counter() * 1000
