"""A low-rank adapter (Hu and others, 2021) that was trained on questions about law, for the embedding of questions.

For each matrix of a layer it has two factors, whose product is added to the weights when the model is loaded, so that
embedding takes no longer. Passages are embedded without it, so that stored vectors stay valid.
`benchmarks/train_adapter.py` makes the file.
"""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from lovsvar_embedder.e5.packed_model import Floats, PackedModel

FILE = "question_adapter.npz"

Factors = tuple[Floats, Floats]
"""(outputs, rank) and (rank, inputs)."""


def adapted_weights(model: PackedModel, adapter: Mapping[str, Factors], name: str) -> Floats:
    """Return a matrix of weights, (outputs, inputs), with an adapter added."""
    weights = model.weights(name)
    if factors := adapter.get(name.removesuffix("w")):
        up, down = factors
        weights = weights + up.astype(np.float32) @ down.astype(np.float32)
    return weights


def read_adapter(path: Path | None = None) -> Mapping[str, Factors]:
    """Return the adapter in a file, by default the one that is shipped."""
    with np.load(path or Path(str(files("lovsvar_embedder.e5") / FILE))) as stored:
        names = {key.removesuffix("up") for key in stored.files if key.endswith("up")}
        return {name: (stored[name + "up"], stored[name + "down"]) for name in sorted(names)}


def write_adapter(path: Path, adapter: Mapping[str, Factors]) -> None:
    """Write an adapter, two bytes a number."""
    arrays: dict[str, Any] = {}
    for name, (up, down) in adapter.items():
        arrays[name + "up"], arrays[name + "down"] = up.astype(np.float16), down.astype(np.float16)
    np.savez_compressed(path, **arrays)
