"""Learnt trees on ONNX Runtime, which search has for its embedding model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lovsvar_embedder.onnx_runtime import onnxruntime
from lovsvar_search.core.law.relevance import BadRanker, Trees
from lovsvar_search.core.retrieval.candidates import Values


class OnnxTrees(Trees):
    """Boosted trees in a file; each score is computed on the thread that asks."""

    def __init__(self, path: Path, values: Sequence[str]) -> None:
        """`values` are the names of what the trees look at. Raises `BadRanker` for a file of others."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as exc:
            # Its errors have no base of their own.
            raise BadRanker(f"{path.name} cannot be loaded: {exc}") from exc
        names = self._session.get_modelmeta().custom_metadata_map.get("values", "")
        if names.split() != list(values):
            raise BadRanker(f"{path.name} was learnt from other values: {names}")

    def score(self, values: Values) -> Sequence[float]:
        [scores] = self._session.run(None, {"values": values.astype(np.float32)})
        found: list[float] = scores[:, 0].tolist()
        return found
