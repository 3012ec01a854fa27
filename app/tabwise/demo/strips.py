"""A vector as a strip of colour: one digit per cell, from 0 (far below zero) to 8 (far above), 4 around zero.

A strip of fewer cells than dimensions averages neighbours; each strip is scaled to its own largest cell, so
that the pattern shows, not the length. [-2, -2, 0, 0, 1, 1] in 3 cells: means -2, 0, 1 → "046".
"""

import numpy as np
import numpy.typing as npt

N_LEVELS = 9


def strip(vector: npt.ArrayLike, n_cells: int) -> str:
    """Return the strip of a vector (d,); n_cells divides d. A zero vector is all "4"."""
    cells = np.asarray(vector, np.float64).reshape(n_cells, -1).mean(axis=1)
    largest = float(np.max(np.abs(cells)))
    if largest == 0.0:
        return str(N_LEVELS // 2) * n_cells
    half = N_LEVELS // 2
    levels = np.rint(cells / largest * half).astype(np.int64) + half
    return "".join(map(str, levels.tolist()))
