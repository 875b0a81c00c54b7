"""Practice in memory: the fake of the practice service."""

from collections.abc import Iterable

from lovsvar_agent.core.words import stem, words
from lovsvar_contracts.practice import FindPractice, PracticeHit, PracticeHits


class MemoryPractice:
    """A few decisions, found by shared stems."""

    def __init__(self, decisions: Iterable[PracticeHit] = ()) -> None:
        self._decisions = tuple(decisions)

    async def find(self, request: FindPractice) -> PracticeHits:
        """Return the decisions that share a longer word with the query, in their order."""
        wanted = {stem(w) for w in words(request.query) if len(w) > 3}
        found = (d for d in self._decisions if wanted & {stem(w) for w in words(f"{d.title} {d.snippet}")})
        return PracticeHits(correlation_id=request.correlation_id, hits=tuple(found)[: request.num], took_ms=0.0)
