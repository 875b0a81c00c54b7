"""What the model has learnt of questions about law: a low-rank adapter (Hu and others, 2021) of its questions' side.

For each product of a layer there are two factors, whose product is added to its weights when the model is loaded: what
was learnt costs no time when questions are embedded. The passages' side has none, so that stored vectors stay good.
`benchmarks/train_adapter.py` makes the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from lovsvar_embedder.e5.packed_model import Floats, PackedModel

LAYER_WEIGHTS = ("q", "k", "v", "ao", "fi", "fo")
"""The products of a layer: queries, keys, values, what attention returns, and the two of the feed-forward part."""

FILE = "question_adapter.npz"

Factors = tuple[Floats, Floats]
"""(outputs, rank) and (rank, inputs)."""


@dataclass(frozen=True)
class AdaptedModel:
    """A model whose weights have an adapter's added; the rest is the model's own."""

    model: PackedModel
    adapter: Mapping[str, Factors]

    def weights(self, name: str) -> Floats:
        """Return a matrix of weights, (outputs, inputs)."""
        own = self.model.weights(name)
        factors = self.adapter.get(name.removesuffix("w"))
        if factors is None:
            return own
        up, down = factors
        merged: Floats = own + up.astype(np.float32) @ down.astype(np.float32)
        return merged


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
