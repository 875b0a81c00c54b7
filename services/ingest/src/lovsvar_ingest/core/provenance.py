"""The archive that a data set was last made equal to, and how long that holds."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Validators:
    """A server's validators of an archive (RFC 9110, section 8.8), word for word; empty if it sends none."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """An archive that was stored to its end.

    `checksum` is the SHA-256 of its bytes, `source` the address it came from. From the day `reread` on it reads
    otherwise, since a date in it has come; None if it holds no future date.
    """

    checksum: str
    parser_version: int
    source: str
    validators: Validators = Validators()
    reread: date | None = None

    def holds(self, parser_version: int, today: date) -> bool:
        """Return whether the same bytes would be read into the same documents `today`."""
        return self.parser_version == parser_version and (self.reread is None or today < self.reread)
