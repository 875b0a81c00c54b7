"""The encoder as an ONNX graph: twelve layers of attention over the vectors of a text's pieces.

Weights have 8 bits with a scale for each output, and the inputs of matrix products are quantized to 8 bits as well, for
the processor's integer instructions. Only the input of the last product of a layer needs a scale for each token: with
one for all, its few large values cost the others their precision.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from lovsvar_embedder.e5.packed_model import Floats, PackedModel
from lovsvar_embedder.onnx_runtime import onnxruntime

OPSET = 21
IR_VERSION = 10
_MICROSOFT = "com.microsoft"
_STEPS = 127.0
"""The largest value in 8 bits."""

_WEIGHT_STEPS = 90.0
"""The largest weight in 8 bits. A processor without VNNI adds two products in 16 bits, which larger weights overflow:
its vectors would differ from those of other machines by 0.005 in cosine."""

_MIDDLE = 128
"""Zero in unsigned 8 bits."""

_DEPTH_OF_GELU = 0.17
"""Gelu has no value below minus this."""

SPIN_MICROSECONDS = 50
"""How long a thread spins while it waits for the others of its text: longer than they take, too short to starve other
processes."""


class Encoder:
    """Runs the graph on `threads` threads, the caller's among them; several may call at once."""

    def __init__(self, model: PackedModel, threads: int, weights: Callable[[str], Floats]) -> None:
        """`weights` returns the matrix of a name."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.spin_duration_us", str(SPIN_MICROSECONDS))
        # Further optimisation fuses sum and normalisation, which is slower.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # Memory that a long text took is given back.
        options.enable_cpu_mem_arena = False
        with tempfile.TemporaryDirectory(prefix="lovsvar-e5-") as folder:
            # From a file: the session would keep bytes in memory.
            path = Path(folder) / "encoder.onnx"
            onnx.save(_Graph(model, weights).build(), path)
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def mean(self, embedded: Floats) -> Floats:
        """Return the mean of the tokens' last vectors, (width,), for the first ones, (tokens, width)."""
        [[mean]] = self._session.run(None, {"embedded": embedded[None]})
        result: Floats = mean
        return result


class _Graph:
    """Builds the graph: nodes in order, and the tensors that they use."""

    def __init__(self, model: PackedModel, weights: Callable[[str], Floats]) -> None:
        self._model = model
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: list[onnx.TensorProto] = []

    def build(self) -> onnx.ModelProto:
        """Return the graph: its input is `embedded` (1, tokens, width), its output `mean` (1, width)."""
        shape: list[int | str | None] = [1, "tokens", self._model.width]
        self._add("Shape", ["embedded"], "tokens", start=1, end=2)
        self._add("Expand", [self._tensor("middle", np.array([_MIDDLE], np.uint8)), "tokens"], "middles")
        hidden = self._normalise("embedded", "emb.ln")
        for layer in range(self._model.layers):
            hidden = self._layer(f"l{layer}.", hidden)
        self._add("ReduceMean", [hidden, self._tensor("over tokens", np.array([1]))], "mean", keepdims=0)
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info("mean", TensorProto.FLOAT, [1, self._model.width])],
            self._tensors,
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(_MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def _layer(self, name: str, hidden: str) -> str:
        joined = self._product(hidden, name + "qkv", [name + "q.", name + "k.", name + "v."])
        parts = [name + "query", name + "key", name + "value"]
        self._nodes.append(helper.make_node("Split", [joined], parts, axis=2, num_outputs=3))
        self._add("MultiHeadAttention", parts, name + "context", domain=_MICROSOFT, num_heads=self._model.heads)
        attended = self._product(name + "context", name + "attended", [name + "ao."])
        hidden = self._normalise(self._add("Add", [hidden, attended], name + "with attended"), name + "aln")
        wide = self._add("Gelu", [self._product(hidden, name + "wide", [name + "fi."])], name + "active")
        narrow = self._product_by_token(wide, name + "narrow", name + "fo.")
        return self._normalise(self._add("Add", [hidden, narrow], name + "with narrow"), name + "oln")

    def _product(self, into: str, out: str, names: list[str]) -> str:
        """Multiply by the weights of these names, put side by side; one scale for all that goes in."""
        weights, scales = _in_8_bits(np.concatenate([self._weights(name + "w") for name in names]))
        bias = np.concatenate([self._model.floats(name + "b") for name in names])
        tensors = [
            self._tensor(out + ".weights", weights),
            self._tensor(out + ".scales", scales),
            self._tensor(out + ".zeros", np.zeros(len(scales), np.int8)),
            self._tensor(out + ".bias", bias),
        ]
        return self._add("DynamicQuantizeMatMul", [into, *tensors], out, domain=_MICROSOFT)

    def _product_by_token(self, into: str, out: str, name: str) -> str:
        """Multiply what Gelu returned by the weights of this name; a scale for each token that goes in."""
        weights, scales = _in_8_bits(self._weights(name + "w"))
        middle = self._tensor(out + ".middle", np.array(_MIDDLE, np.uint8))
        one = self._tensor(out + ".one", np.array(1.0, np.float32))
        axes = self._tensor(out + ".axes", np.array([0, 2]))
        least = self._tensor(out + ".least", np.array(_DEPTH_OF_GELU, np.float32))
        steps = self._tensor(out + ".steps", np.array(_STEPS, np.float32))
        largest = self._add("ReduceMax", [into, axes], out + ".largest", keepdims=0)
        step = self._add("Div", [self._add("Max", [largest, least], out + ".most"), steps], out + ".step")
        quantized = self._add("QuantizeLinear", [into, step, "middles"], out + ".quantized", axis=1)
        tensors = [self._tensor(out + ".weights", weights), one, self._tensor(out + ".scales", scales), middle]
        product = self._add("MatMulIntegerToFloat", [quantized, *tensors], out + ".product", domain=_MICROSOFT)
        tall = self._add("Unsqueeze", [step, self._tensor(out + ".last", np.array([1]))], out + ".steps by token")
        by_token = self._add("Mul", [product, tall], out + ".by token")
        return self._add("Add", [by_token, self._tensor(out + ".bias", self._model.floats(name + "b"))], out)

    def _normalise(self, into: str, name: str) -> str:
        tensors = [self._tensor(f"{name}.{part}", self._model.floats(f"{name}.{part}")) for part in ("w", "b")]
        return self._add("LayerNormalization", [into, *tensors], name, epsilon=self._model.epsilon)

    def _add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self._nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def _tensor(self, name: str, values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> str:
        self._tensors.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name


def _in_8_bits(weights: Floats) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int8]], Floats]:
    """Return weights (outputs, inputs) as integers (inputs, outputs), and the scale of each output."""
    scales = (np.abs(weights).max(axis=1) / _WEIGHT_STEPS).astype(np.float32)
    return np.rint(weights / scales[:, None]).astype(np.int8).T, scales
