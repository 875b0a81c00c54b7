"""Until when what is in force stays so by the calendar."""

from datetime import date

import pytest

from lovsvar_ingest.core.in_force import next_turn

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("dates", "day"),
    [
        ("", None),
        ("Kongen bestemmer", None),
        ("2020-01-01, 2026-11-20", None),
        ("2027-01-01, 2026-12-01, 2020-01-01", date(2026, 12, 1)),
        ("2020-01-01 – 2026-11-21", date(2026, 11, 22)),
        ("2026-11-22", date(2026, 11, 22)),
        ("2026-13-45", None),
    ],
)
def test_what_is_in_force_may_turn_on_the_first_date_to_come_or_after_the_last_day(
    dates: str, day: date | None
) -> None:
    assert next_turn(dates, TODAY) == day
