"""How far a stage of work is, and how long it goes on at the pace it had so far.

    left = time spent on the stage · what is left / what was done in that time

Nothing is told before MIN_SPENT_MS and MIN_SHARE of what is to do: an early guess is off by far.
"""

MIN_SPENT_MS = 3000
MIN_SHARE = 0.05


def stage_of(last: dict | None, message: dict, now: float) -> dict:
    """Return the stage that a progress event tells of, begun when `last` began if that is the same one."""
    stage = {name: message[name] for name in ("stage", "done", "total", "unit")}
    is_same = last is not None and last["stage"] == stage["stage"] and last["total"] == stage["total"]
    begun = last if last is not None and is_same else {"since": now, "first": stage["done"]}
    stage.update({"since": begun["since"], "first": begun["first"], "at": now})
    return stage


def stage_left_ms(stage: dict, now: float) -> float:
    """Return for how long a stage of `stage_of` goes on, ms, 0 while that cannot be told."""
    first, total = stage["first"], stage["total"]
    left = left_ms(stage["done"] - first, total - first, stage["at"] - stage["since"])
    return max(0, left - (now - stage["at"]))


def left_ms(done: int, total: int, spent_ms: float) -> float:
    """Return how long what is left of `total` takes, ms, 0 while that cannot be told."""
    if done <= 0 or done >= total or spent_ms < MIN_SPENT_MS or done < MIN_SHARE * total:
        return 0
    return spent_ms * (total - done) / done
