"""A case in memory, for tests of runs in one."""

from collections.abc import Mapping
from typing import Any

from lovsvar_agent.core.ports import CaseDesk
from lovsvar_contracts.questions import QuestionAsked

QUESTION = "Omtrent hvor stort beløp gjelder det?"
TIERS = ({"tier": 1, "name": "Enkel sak", "keywords": ["pant"]},)


class MemoryCase(CaseDesk):
    """One case. `done` are the calls that changed something, each once, by their ids; `ruled` is the rules' tier."""

    def __init__(
        self, phase: str = "active", tier: int | None = 1, *, ruled: int | None = 2, paid: bool = True
    ) -> None:
        self.phase = phase
        self.tier = tier
        self.obstacle: str | None = None
        self.done: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self._ruled = ruled
        self._paid = paid

    async def call(
        self, asked: QuestionAsked, name: str, arguments: Mapping[str, Any], call_id: str
    ) -> Mapping[str, Any]:
        first = bool(call_id) and call_id not in self.done
        if first:
            self.done[call_id] = (name, arguments)
        match name:
            case "read_case_work":
                return {"status": "success", **self._where, "description": "Om et pant.", "tiers": list(TIERS)}
            case "get_case_details":
                return {"status": "success", "case_details": {"summary": {"current": "Om et pant."}}}
            case "set_case_tier":
                return self._set_tier(arguments)
            case "note_case_work" if first and arguments.get("waiting_for") and self.phase == "active":
                self.phase = "waiting"
            case "create_support_ticket":
                self.phase = "paused_support"
                return {"status": "success", "ticket_id": "ticket1"}
        return {"status": "success", **self._where}

    def _set_tier(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        self.tier = given.get("tier", self._ruled)
        if self.tier is None:
            return {"status": "success", **self._where, "question": QUESTION}
        self.phase = "active" if self._paid else "payment"
        return {"status": "success", **self._where}

    def made(self, name: str) -> list[Mapping[str, Any]]:
        """Return the arguments of what was done by that name."""
        return [given for one, given in self.done.values() if one == name]

    @property
    def _where(self) -> Mapping[str, Any]:
        return {"phase": self.phase, "tier": self.tier, "tier_reason": "", "obstacle": self.obstacle}
