"""Which pages a question is asked of besides the scope: sites, dates, whether newer ones come first."""

from tabwise.ui.dates import OWN_SPAN
from tabwise.ui.state import NO_FILTER, put


def toggle(state: dict, event: dict) -> tuple:
    """Open or close the choice of sites and dates."""
    shown = not state["narrowing"]
    return put(state, narrowing=shown), [("focus", "span-0" if shown else "narrow")]


def site(state: dict, event: dict) -> tuple:
    """Take a site in, or out again."""
    sites = [host for host in state["narrowed"]["sites"] if host != event["host"]]
    if len(sites) == len(state["narrowed"]["sites"]):
        sites = sites + [event["host"]]
    return _narrow(state, sites=sites)


def span(state: dict, event: dict) -> tuple:
    """Choose how far back."""
    return _narrow(state, days=int(event["value"]))


def date(state: dict, event: dict) -> tuple:
    """Set one end of a span of one's own; `end` is "from" or "to"."""
    narrowed = put(state["narrowed"], days=OWN_SPAN)
    narrowed[event["end"]] = event["value"]
    return put(state, narrowed=narrowed), []


def recent(state: dict, event: dict) -> tuple:
    """Let newer pages come first, or not."""
    return _narrow(state, recent=event["checked"])


def drop(state: dict, event: dict) -> tuple:
    """Take one chip away: a site, the dates, or what comes first."""
    what = event["what"]
    effects = [("focus", "question")]
    if what == "dates":
        kept = put(NO_FILTER, sites=state["narrowed"]["sites"], recent=state["narrowed"]["recent"])
        return put(state, narrowed=kept), effects
    if what == "recent":
        return put(state, narrowed=put(state["narrowed"], recent=False)), effects
    sites = [host for host in state["narrowed"]["sites"] if host != event["host"]]
    return put(state, narrowed=put(state["narrowed"], sites=sites)), effects


def _narrow(state: dict, **changes: object) -> tuple:
    return put(state, narrowed=put(state["narrowed"], **changes)), []


TABLE = {
    "narrow": toggle,
    "narrow_site": site,
    "narrow_span": span,
    "narrow_date": date,
    "narrow_recent": recent,
    "narrow_drop": drop,
}
