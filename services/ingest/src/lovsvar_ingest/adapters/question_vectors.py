"""The vectors of everyday questions that the package brings: `everyday/vectors.npz`.

A NumPy archive without pickles: `model` is the name of what made them, `hashes` N×32 bytes, the SHA-256 of each
question, ascending, `vectors` N×dimensions whole numbers, and `scale` what they are multiplied by.
"""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lovsvar_embedder.eight_bits import MOST, SCALE
from lovsvar_ingest.core.errors import QuestionVectorsBroken

FILE = "vectors.npz"
RENEWING = "uv run python -m lovsvar_ingest.everyday_vectors"

_BROKEN = (OSError, TypeError, ValueError, LookupError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
_HASH_BYTES = 32


@dataclass(frozen=True, eq=False)
class QuestionVectors:
    """Vectors of one model; `hashes` and the rows of `values` pairwise."""

    model: str
    hashes: Sequence[str]
    values: NDArray[np.int8]
    scale: float = SCALE

    @property
    def dimensions(self) -> int:
        """Components of a vector."""
        return int(self.values.shape[1])

    def written(self, rows: Sequence[int]) -> list[str]:
        """Return these vectors as PostgreSQL reads them."""
        numbers = {value: f"{value * self.scale:.9g}" for value in range(-MOST - 1, MOST + 1)}
        return ["[" + ",".join(map(numbers.__getitem__, self.values[row].tolist())) + "]" for row in rows]


def read_shipped_vectors() -> QuestionVectors:
    """Return those of the package. Raises `QuestionVectorsBroken`."""
    with as_file(files("lovsvar_ingest").joinpath("everyday", FILE)) as path:
        return read_question_vectors(path)


def read_question_vectors(path: Path) -> QuestionVectors:
    """Return the vectors of a file. Raises `QuestionVectorsBroken`, also when there is none."""
    try:
        with np.load(path, allow_pickle=False) as data:
            model, hashes, values, scale = (data[name] for name in ("model", "hashes", "vectors", "scale"))
    except _BROKEN as exc:
        raise QuestionVectorsBroken(f"{path.name} kan ikke leses ({exc}). Lag den på nytt: {RENEWING}") from exc
    if (
        model.dtype.kind != "U"
        or model.shape
        or scale.dtype.kind != "f"
        or scale.shape
        or not 0 < scale < 1
        or hashes.dtype != np.uint8
        or values.dtype != np.int8
        or values.ndim != 2
        or hashes.shape != (len(values), _HASH_BYTES)
    ):
        raise QuestionVectorsBroken(f"{path.name} har ikke det innholdet den skal ha. Lag den på nytt: {RENEWING}")
    return QuestionVectors(str(model), [bytes(row).hex() for row in hashes], values, float(scale))


def write_question_vectors(path: Path, vectors: QuestionVectors) -> None:
    """Write a file, at once or not at all; equal vectors make equal bytes."""
    hashes = np.frombuffer(bytes.fromhex("".join(vectors.hashes)), dtype=np.uint8).reshape(-1, _HASH_BYTES)
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        # Not compressed: the bytes would hang on the version of zlib, and there is little to gain.
        np.savez(file, model=vectors.model, hashes=hashes, vectors=vectors.values, scale=np.float64(vectors.scale))
    partial.replace(path)
