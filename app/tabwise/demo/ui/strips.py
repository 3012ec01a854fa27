"""A strip of digits as a CSS gradient with hard edges; the colours are the custom properties --v0 to --v8."""


def gradient(strip: str) -> str:
    """Return the `style` that shows `strip` from left to right; equal neighbours are one stop."""
    stops = []
    n_cells = len(strip)
    start = 0
    for i in range(1, n_cells + 1):
        if i == n_cells or strip[i] != strip[start]:
            stops.append("var(--v%s) 0 %s%%" % (strip[start], _percent(i, n_cells)))
            start = i
    return "background-image:linear-gradient(90deg,%s)" % ",".join(stops)


def _percent(i: int, n_cells: int) -> str:
    hundredths = (10000 * i + n_cells // 2) // n_cells
    return "%d.%02d" % (hundredths // 100, hundredths % 100)
