"""Questions and answers: what counts in a search, how many passages, how strict, how many are kept."""

from tabwise.protocol.schema import FUSION_MODES
from tabwise.protocol.tables.threads import FEWEST_THREADS, MOST_THREADS
from tabwise.ui.view.settings.parts import choice_list, part, select_line, switch_line
from tabwise.ui.words import say

THREADS = (FEWEST_THREADS, 30, 60, 120, 250, MOST_THREADS)
PASSAGES = (4, 6, 8, 12, 16, 24)


def search_section(state: dict) -> list:
    """Return the choices that every question and every search goes by."""
    preferences = state["settings"]["preferences"]
    modes = [(mode, "mode_" + mode) for mode in FUSION_MODES]
    # a number that was stored by hand stays in the list
    counts = sorted(set(PASSAGES + (preferences["k"],)))
    options = [(str(k), say("k_option", n=k)) for k in counts]
    kept = sorted(set(THREADS + (preferences["max_threads"],)))
    n_kept = [(str(n), say("k_option", n=n)) for n in kept]
    choose = {"type": "choose", "name": "max_threads"}
    return [
        part(
            "mode",
            choice_list("mode", preferences["mode"], modes, {"type": "choose", "name": "mode"}),
        ),
        select_line("k_pref", str(preferences["k"]), options, {"type": "choose", "name": "k"}, "line alone"),
        select_line("threads_pref", str(preferences["max_threads"]), n_kept, choose, "line alone"),
        switch_line("strict", preferences["strict"], {"type": "prefer", "name": "strict"}, "line alone"),
    ]
