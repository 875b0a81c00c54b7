"""The `Retry-After` header (RFC 9110, 10.2.3)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_to_wait(header: str | None, now: datetime) -> float | None:
    """Return the seconds from `now` that the header asks for; None when it cannot be read.

    The header holds whole seconds or an HTTP date; a date in the past gives 0.
    """
    value = (header or "").strip()
    if value.isascii() and value.isdigit():
        # More digits than any wait needs: int() refuses thousands of them.
        return float(value[:9])
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())
