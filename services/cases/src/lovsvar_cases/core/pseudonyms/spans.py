"""What was found in a text."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Personal data from `start` to `end`: of a party's field (`placeholder`), or of a `kind` that is numbered."""

    start: int
    end: int
    placeholder: str = ""
    kind: str = ""


def without_overlaps(spans: Iterable[Span]) -> list[Span]:
    """Return spans in the order of the text. Of two that overlap the first given is whole, the other its rest."""
    kept: list[Span] = []
    for span in spans:
        for start, end in _free(span.start, span.end, kept):
            kept.append(Span(start, end, span.placeholder, span.kind))
    return sorted(kept, key=lambda span: span.start)


def _free(start: int, end: int, taken: list[Span]) -> list[tuple[int, int]]:
    """Return the parts from `start` to `end` that are not taken."""
    parts = [(start, end)]
    for span in taken:
        parts = [
            piece
            for first, last in parts
            for piece in ((first, min(last, span.start)), (max(first, span.end), last))
            if piece[0] < piece[1]
        ]
    return parts
