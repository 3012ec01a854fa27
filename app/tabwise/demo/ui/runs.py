"""Many small things drawn in runs, so that one that changes does not draw all of them anew.

A text of 200 pages has more than a thousand chunks. Each run is drawn by itself when what it shows has
changed, a few runs a frame; those that are still to come are left out until then.
"""

RUN = 20


def runs(memo, slot: str, items: list, build, cut: dict, state_of) -> list:
    """Return build(run) for each run of `items`, without those that no frame had room for yet.

    `state_of(run)` is a string or number that differs when a run is to be drawn anew, `cut` an object that
    does for all of them. Runs are keyed by their place, so `build` takes (run, key).
    """
    drawn = []
    for start in range(0, len(items), RUN):
        run = items[start : start + RUN]
        key = "%s-%d" % (slot, start)
        node = memo.weighed(len(run), key, lambda *_: build(run, key), cut, state_of(run))
        if node is not None:
            drawn.append(node)
    return drawn


def n_ready(run: list, strips: dict) -> int:
    """Return how many chunks of a run have their vector."""
    return len([1 for chunk in run if chunk["id"] in strips])


def chosen(run: list, chunk_id: str) -> str:
    """Return the id when it is one of a run's chunks, else ""."""
    return chunk_id if any([chunk["id"] == chunk_id for chunk in run]) else ""
