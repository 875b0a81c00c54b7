"""Vectors in 8 bits a component, as packages ship them: a quarter of the size, nearly the same direction."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

SCALE = 2.0**-9
"""The step of rounding: exact in PostgreSQL's half precision, and wide enough for components up to 0.248."""

MOST = 127


def round_vectors(vectors: NDArray[np.floating[Any]]) -> NDArray[np.int8]:
    """Return `vectors`, of length 1, as multiples of `SCALE`."""
    rounded: NDArray[np.int8] = np.clip(np.rint(vectors / SCALE), -MOST, MOST).astype(np.int8)
    return rounded
