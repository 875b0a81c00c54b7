"""The progress of the components of a process, so that one that has stopped is noticed."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from lovsvar_contracts.health import ComponentHealth

Note = Callable[[], None]
"""Called by a component whenever it got on, also when there was nothing to do."""


def unnoted() -> None:
    """Take no note, where nobody asks."""


@dataclass
class _Component:
    allowed: float
    noted: float


class Progress:
    """The components of one process, each with the silence it is allowed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._components: dict[str, _Component] = {}

    def component(self, name: str, allowed: float) -> Note:
        """Return what component `name` calls at least every `allowed` seconds, from its first call on."""

        def note() -> None:
            self._components[name] = _Component(allowed, self._clock())

        return note

    def forget(self, name: str) -> None:
        """Expect nothing more of a component that has stopped."""
        self._components.pop(name, None)

    def components(self) -> tuple[ComponentHealth, ...]:
        """Return every component that has begun."""
        now = self._clock()
        return tuple(
            ComponentHealth(name=name, silent_seconds=round(now - one.noted, 1), allowed_seconds=one.allowed)
            for name, one in self._components.items()
        )

    def silent(self) -> str:
        """Return which components have been silent for too long, in Norwegian; "" when none has."""
        late = [one for one in self.components() if one.silent_seconds > one.allowed_seconds]
        return "; ".join(f"«{one.name}» har stått stille i {one.silent_seconds:.0f} sekunder" for one in late)
