"""Keys of cases: what is sealed is opened by its key, at its place, and nowhere else."""

import pytest

from lovsvar_cases.adapters.grants import LIFE, SealedGrants
from lovsvar_cases.adapters.keys import MasterKey
from lovsvar_cases.core.case_tools import Granted
from lovsvar_cases.core.errors import NotConfigured, Unreadable
from lovsvar_contracts.cases import Actor
from lovsvar_contracts.message import utc_now

MASTER = MasterKey(b"1" * 32)


def test_what_was_sealed_is_opened_at_its_place_alone() -> None:
    key, wrapped = MASTER.new("a")
    box = key.seal("party0/lastName", b"Nordmann")
    assert MASTER.unwrapped("a", wrapped).open("party0/lastName", box) == b"Nordmann"
    assert b"Nordmann" not in box
    for place in ("party1/lastName", "party0/firstName", ""):
        with pytest.raises(Unreadable):
            key.open(place, box)


def test_no_case_opens_what_is_of_another_and_no_other_master_key_any() -> None:
    key, wrapped = MASTER.new("a")
    other, _ = MASTER.new("b")
    with pytest.raises(Unreadable):
        other.open("x", key.seal("x", b"y"))
    with pytest.raises(Unreadable):
        MASTER.unwrapped("b", wrapped)
    with pytest.raises(Unreadable):
        MasterKey(b"2" * 32).unwrapped("a", wrapped)


@pytest.mark.parametrize("at", [0, 11, 12, -1])
def test_what_was_changed_is_not_opened(at: int) -> None:
    key, _ = MASTER.new("a")
    box = bytearray(key.seal("x", b"Nordmann"))
    box[at] ^= 1
    for changed in (bytes(box), b"", b"kort"):
        with pytest.raises(Unreadable):
            key.open("x", changed)


def test_the_same_value_is_sealed_otherwise_each_time_and_found_by_its_digest() -> None:
    key, _ = MASTER.new("a")
    other, _ = MASTER.new("b")
    assert key.seal("x", b"y") != key.seal("x", b"y")
    assert key.digest("telefon", "41234567") == key.digest("telefon", "41234567")
    assert key.digest("telefon", "41234567") != other.digest("telefon", "41234567")
    assert key.digest("telefon", "41234567") != key.digest("nummer", "41234567")


def test_without_a_master_key_there_are_no_cases() -> None:
    with pytest.raises(NotConfigured):
        MasterKey(None).new("a")


def test_a_grant_is_of_one_run_and_ends() -> None:
    granted, now = Granted(Actor(name="kari"), "a", "run1"), utc_now()
    grant = SealedGrants(b"1" * 32, now=lambda: now).made(granted)
    assert SealedGrants(b"1" * 32, now=lambda: now).read(grant, "run1") == granted
    assert "kari" not in grant
    assert SealedGrants(b"1" * 32, now=lambda: now).read(grant, "run2") is None
    assert SealedGrants(b"2" * 32, now=lambda: now).read(grant, "run1") is None
    assert SealedGrants(b"1" * 32, now=lambda: now + 2 * LIFE).read(grant, "run1") is None


def test_while_a_master_key_takes_another_ones_place_both_open_and_the_first_wraps() -> None:
    old, new = b"1" * 32, b"2" * 32
    key, wrapped = MasterKey(old).new("a")
    both = MasterKey(new, old)
    assert both.unwrapped("a", wrapped).open("x", key.seal("x", b"words")) == b"words"
    again = both.rewrapped("a", wrapped)
    assert again is not None
    assert both.rewrapped("a", again) is None
    assert MasterKey(new).unwrapped("a", again).open("x", key.seal("x", b"words")) == b"words"
    with pytest.raises(Unreadable):
        MasterKey(old).unwrapped("a", again)
    granted = Granted(Actor(name="kari"), "a", "run1")
    assert SealedGrants(new, old).read(SealedGrants(old).made(granted), "run1") == granted
