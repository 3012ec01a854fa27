"""Facts of machine and browser, from the three places that know: worker, service worker, document."""

from typing import Any, cast

from tabwise.adapters.browser import bridge
from tabwise.core.host_facts import BuiltIn, Gpu, HostFacts
from tabwise.errors import HostError


class BrowserFacts:
    """Implements ports.HostFactsSource."""

    async def facts(self) -> HostFacts:
        """What is known now; what cannot be asked is None."""
        seen = await bridge.surroundings()
        granted = await _granted()
        return HostFacts(
            n_threads=int(seen["n_threads"]),
            heap_bytes=seen["heap_bytes"],
            storage_used_bytes=seen["storage_used_bytes"],
            storage_quota_bytes=seen["storage_quota_bytes"],
            storage_is_kept=granted.get("storage_is_kept"),
            is_isolated=seen["is_isolated"],
            gpu=Gpu(**seen["gpu"]),
            prompt_api=await _state("prompt_state"),
            summarizer=await _state("summarizer_state"),
            reads_local_files=granted.get("reads_local_files"),
            reads_all_sites=granted.get("reads_all_sites"),
            n_sites=granted.get("n_sites"),
        )


async def _granted() -> dict[str, Any]:
    try:
        return cast(dict[str, Any], await bridge.host_call("host_facts", {}))
    except HostError:
        return {}


async def _state(verb: str) -> BuiltIn:
    try:
        return cast(dict[str, BuiltIn], await bridge.host_call(verb, {}))["state"]
    except HostError:
        return "unavailable"
