"""The everyday questions that the package ships, `everyday/*.tsv`, and their vectors, `everyday/vectors.npz`.

The vectors are a NumPy archive without pickles: `model` is the model's name, `hashes` N×32 bytes, the SHA-256 of each
question, ascending, `vectors` N×dimensions integers, and `scale` their factor.
"""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from lovsvar_embedder.eight_bits import SCALE
from lovsvar_ingest.core.errors import QuestionVectorsBroken
from lovsvar_ingest.core.everyday import EverydayQuestion, parse_everyday

FOLDER = "everyday"
FILE = "vectors.npz"
RENEWING = "uv run python -m lovsvar_ingest.everyday_vectors"

_BROKEN = (OSError, TypeError, ValueError, LookupError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
_HASH_BYTES = 32


def read_everyday(folder: Traversable | None = None, names: str = "*.tsv") -> list[EverydayQuestion]:
    """Return the questions of the files of `folder` (the package's if None) that match `names`, by file name.

    Raises `EverydayDataBroken`.
    """
    folder = folder or files("lovsvar_ingest").joinpath(FOLDER)
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return parse_everyday({file.name: file.read_text(encoding="utf-8") for file in found if fnmatch(file.name, names)})


@dataclass(frozen=True, eq=False)
class QuestionVectors:
    """Vectors of one model; `hashes` names the rows of `values`."""

    model: str
    hashes: Sequence[str]
    values: NDArray[np.int8]
    scale: float = SCALE

    @property
    def dimensions(self) -> int:
        """Components of a vector."""
        return int(self.values.shape[1])

    def halves(self, rows: Sequence[int]) -> list[HalfVector]:
        """Return these vectors as pgvector's codec sends them."""
        return [HalfVector(row) for row in self.values[list(rows)] * np.float32(self.scale)]


def read_shipped_vectors() -> QuestionVectors:
    """Return the vectors of the package. Raises `QuestionVectorsBroken`."""
    return read_question_vectors(Path(str(files("lovsvar_ingest"))) / FOLDER / FILE)


def read_question_vectors(path: Path) -> QuestionVectors:
    """Return the vectors of a file. Raises `QuestionVectorsBroken`, also when there is none."""
    try:
        with np.load(path, allow_pickle=False) as data:
            model, hashes, values, scale = (data[name] for name in ("model", "hashes", "vectors", "scale"))
    except _BROKEN as exc:
        raise QuestionVectorsBroken(f"{path.name} kan ikke leses ({exc}). Lag den på nytt: {RENEWING}") from exc
    kinds = (model.dtype.kind, scale.dtype.kind, hashes.dtype, values.dtype) == ("U", "f", np.uint8, np.int8)
    shapes = (model.shape, scale.shape, values.ndim) == ((), (), 2) and hashes.shape == (len(values), _HASH_BYTES)
    if not (kinds and shapes and 0 < scale < 1):
        raise QuestionVectorsBroken(f"{path.name} har ikke det innholdet den skal ha. Lag den på nytt: {RENEWING}")
    return QuestionVectors(str(model), [bytes(row).hex() for row in hashes], values, float(scale))


def write_question_vectors(path: Path, vectors: QuestionVectors) -> None:
    """Write a file, whole or not at all; equal vectors give equal bytes."""
    hashes = np.frombuffer(bytes.fromhex("".join(vectors.hashes)), dtype=np.uint8).reshape(-1, _HASH_BYTES)
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        # Not compressed: the bytes would depend on the version of zlib, and the gain is small.
        np.savez(file, model=vectors.model, hashes=hashes, vectors=vectors.values, scale=np.float64(vectors.scale))
    partial.replace(path)
