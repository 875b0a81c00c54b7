"""Which archive a data set was last made equal to, and how long that holds."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server names this state of an archive by, word for word; empty where it does not say."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """An archive that was stored to its end.

    `checksum` is the SHA-256 of its bytes, `reading` the way it was read, `source` the address it came
    from. From the day `reread` on it reads otherwise, since a date in it has come; None when none is to come.
    """

    checksum: str
    reading: int
    source: str
    validators: Validators = Validators()
    reread: date | None = None

    def holds(self, reading: int, today: date) -> bool:
        """Return whether the same bytes would be read into the same documents `today`."""
        return self.reading == reading and (self.reread is None or today < self.reread)
