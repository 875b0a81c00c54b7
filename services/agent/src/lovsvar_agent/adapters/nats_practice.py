"""Practice, found by asking the practice service over NATS."""

from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.practice import FindPractice, PracticeHits


class NatsPractice:
    """`PracticeSearch` by request/reply."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    async def find(self, request: FindPractice) -> PracticeHits:
        """Ask `practice.search`."""
        return await self._requester.ask(subjects.PRACTICE_SEARCH, request, PracticeHits)
