"""How far a reader of a case's stream of events is: the id of each event, by which the stream resumes."""

import re
from dataclasses import dataclass, field, replace

PLACE = r"^[0-9]{1,9}(\.[A-Za-z0-9_-]{1,64}:[0-9]{1,9}(,[A-Za-z0-9_-]{1,64}:[0-9]{1,9}){0,15})?$"
"""The version of the case, and of each run that was going on the last event: `12.6f0…:31`."""

_RUN = re.compile(r"([A-Za-z0-9_-]+):([0-9]+)")


@dataclass(frozen=True)
class CasePlace:
    """The version up to which changes were seen, and the id of the last event of each run that is not closed."""

    version: int = 0
    runs: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, written: str) -> "CasePlace":
        """Return a place as it was written (`PLACE`)."""
        version, _, runs = written.partition(".")
        return cls(int(version), {run_id: int(seen) for run_id, seen in _RUN.findall(runs)})

    def __str__(self) -> str:
        runs = ",".join(f"{run_id}:{seen}" for run_id, seen in self.runs.items())
        return f"{self.version}.{runs}" if runs else str(self.version)

    def changed(self, version: int) -> "CasePlace":
        """Return the place after a change."""
        return replace(self, version=version)

    def begun(self, run_id: str) -> "CasePlace":
        """Return the place when a run is followed from its beginning."""
        return replace(self, runs={run_id: 0, **self.runs})

    def heard(self, run_id: str, seen: int) -> "CasePlace":
        """Return the place after an event of a run."""
        return replace(self, runs={**self.runs, run_id: seen})

    def ended(self, run_id: str) -> "CasePlace":
        """Return the place after the last event of a run."""
        return replace(self, runs={one: seen for one, seen in self.runs.items() if one != run_id})
