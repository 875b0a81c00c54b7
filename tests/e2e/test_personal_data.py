"""Personal data gets to nobody but the person: cases walked through the whole system, every channel looked through.

`benchmarks/personal_data.py` does the same with three hundred cases.
"""

from pathlib import Path

import pytest

from lovsvar_testkit.deposit_law import deposit_law
from lovsvar_testkit.personal_data.trial import CHANNELS, LEAST_MASKED, Trial

SECRETS = 30
"""Secrets of one case at least."""


@pytest.mark.parametrize("cases", [2, pytest.param(12, marks=pytest.mark.slow)])
def test_no_channel_holds_an_identifier_or_a_registered_name_and_letters_hold_them_all(
    tmp_path: Path, cases: int
) -> None:
    outcome = Trial(tmp_path, deposit_law(""), cases, scanned_every=min(4, cases)).run()
    assert outcome.failures == []
    assert outcome.leaks == {}
    assert outcome.masked >= LEAST_MASKED, outcome.others_seen
    assert outcome.missing == []
    # It says something: every channel was heard, and every text was shown to a model.
    assert {channel for channel in CHANNELS if not outcome.entries[channel]} == set()
    assert outcome.unread == []
    assert outcome.secrets > cases * SECRETS
    assert outcome.wanted > cases * SECRETS
    assert outcome.holds
