"""How long a server asks to be left alone."""

from datetime import UTC, datetime

import pytest

from lovsvar_practice.adapters.serper import seconds_to_wait

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0),
        (" 7 ", 7),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ("Sun, 01 Mar 2026 13:00:30 +0100", 30),
        ("Sun, 01 Mar 2026 12:00:30", 30),
        ("9" * 10_000, 999_999_999),
        (None, None),
        ("", None),
        ("-5", None),
        ("1.5", None),
        ("snart", None),
        ("²", None),
        ("Sun, 99 Mar 2026 99:99:99 GMT", None),
    ],
)
def test_seconds_and_dates_are_read_and_anything_else_says_nothing(header: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(header, NOW) == seconds
