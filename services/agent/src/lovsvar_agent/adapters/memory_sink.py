"""A run's events, kept in memory: the fake of `RunWriter`."""

from lovsvar_agent.core.errors import RunStopped
from lovsvar_agent.core.ports import EventSink
from lovsvar_contracts.run_events import CLOSING, RunEvent


class MemorySink(EventSink):
    """Numbers events from 1 and refuses any after a closing one."""

    def __init__(self) -> None:
        self.events: list[RunEvent] = []

    async def emit(self, event: RunEvent) -> None:
        if self.events and self.events[-1].type in CLOSING:
            raise RunStopped(event.run_id)
        self.events.append(event.model_copy(update={"id": len(self.events) + 1}))

    async def settle(self) -> None:
        """Return at once."""

    async def confirm(self) -> None:
        """Return at once."""
