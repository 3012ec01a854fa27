"""Sorting for lists that can be long: a merge sort that begins with the runs that are in order already.

MicroPython's own `sorted` takes the last item as its pivot and asks for the key at every comparison. A list
that is in order already, such as the tabs after most of their changes, then costs n² / 2 keys, a second for
300 tabs, and items of equal rank change places. Here such a list costs n keys and n comparisons, any other
n log2 n comparisons.
"""


def ordered(items: list, key) -> list:
    """Return `items` by rising `key(item)`; those of equal rank stay in the order they came."""
    runs: list = []
    for item in items:
        ranked = (key(item), item)
        if runs and not ranked[0] < runs[-1][-1][0]:
            runs[-1].append(ranked)
        else:
            runs.append([ranked])
    while len(runs) > 1:
        runs = [_merged(*runs[place : place + 2]) for place in range(0, len(runs), 2)]
    return [item for run in runs for _, item in run]


def _merged(left: list, right: list | tuple = ()) -> list:
    merged: list = []
    at = 0
    for ranked in right:
        while at < len(left) and not ranked[0] < left[at][0]:
            merged.append(left[at])
            at += 1
        merged.append(ranked)
    return merged + left[at:]
