"""The shared embedder, as search asks it: one question at a time, the last ones remembered."""

import unicodedata
from collections import OrderedDict
from collections.abc import Sequence

from lovsvar_embedder.embedder import Embedder
from lovsvar_embedder.errors import EmbedderUnavailable, TextRefused
from lovsvar_search.core.errors import MeaningUnavailable
from lovsvar_search.core.retrieval.vector_search import QuestionEmbedder

REMEMBERED = 512
"""Questions whose vectors are kept: the pages of one search ask the same."""

LONGEST = 1_000
"""Characters of a question that are embedded; models take about as much."""


class RememberingEmbedder(QuestionEmbedder):
    """Makes vectors of questions, and remembers those of the last."""

    def __init__(self, embedder: Embedder) -> None:
        self.model = embedder.model
        self._embedder = embedder
        self._vectors: OrderedDict[str, Sequence[float]] = OrderedDict()

    async def embed(self, question: str) -> Sequence[float]:
        # Normalised before it is cut, since that may make it much longer.
        text = unicodedata.normalize("NFKC", question.encode(errors="ignore").decode())
        text = " ".join(text.split())[:LONGEST]
        if (known := self._vectors.get(text)) is not None:
            self._vectors.move_to_end(text)
            return known
        try:
            [vector] = await self._embedder.embed_queries([text])
        except (EmbedderUnavailable, TextRefused) as exc:
            raise MeaningUnavailable(str(exc)) from exc
        self._vectors[text] = vector
        if len(self._vectors) > REMEMBERED:
            self._vectors.popitem(last=False)
        return vector
