"""A text cut at every border of its chunks, so that each piece knows which chunks it is in.

segments([(0, 10), (7, 20)], (0, 20)) → [(0, 7, [0]), (7, 10, [0, 1]), (10, 20, [1])]
"""


def segments(spans: list, within: tuple) -> list:
    """Return [(start, end, numbers of the spans that cover it)] over `within`, in order, without gaps."""
    start, end = within
    borders = {start, end}
    for span in spans:
        for border in span:
            if start < border < end:
                borders.add(border)
    ordered = sorted(borders)
    found = []
    for left, right in zip(ordered, ordered[1:]):
        covering = [i for i, span in enumerate(spans) if span[0] <= left and right <= span[1]]
        found.append((left, right, covering))
    return found
