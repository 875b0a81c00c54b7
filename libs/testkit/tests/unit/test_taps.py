"""What is seen is looked through once, and what comes later is looked through too."""

from pathlib import Path

from lovsvar_testkit.personal_data.sightings import Kind, Secret, Watch
from lovsvar_testkit.personal_data.taps import Taps

NAME, OTHER = Secret(Kind.NAME, "Nordmann"), Secret(Kind.NAME, "Solheim")
WATCH = Watch((NAME, OTHER))


def test_each_look_goes_on_where_the_one_before_ended_and_knows_what_that_found(tmp_path: Path) -> None:
    taps = Taps(tmp_path / "seen")
    taps.see("logs", ("Kari Nordmann",), (b"\xff\xfe",))
    first = taps.looked_through(["logs", "audit"], WATCH)
    assert (set(first["logs"].found), set(first["audit"].found)) == ({NAME}, set())
    size = first["logs"].size
    taps.see("logs", ("Per Solheim",))
    second = taps.looked_through(["logs"], WATCH)["logs"]
    assert set(second.found) == {NAME, OTHER}
    assert second.size == size + len("Per Solheim")


def test_the_same_again_is_counted_and_kept_once_and_what_was_left_out_never(tmp_path: Path) -> None:
    taps = Taps(tmp_path / "seen")
    taps.leave_out("rows", ("Solheim vei", b"1"))
    for head in ("a", "b"):
        taps.see_once("rows", (head, "Kari Nordmann"), ("Solheim vei",))
    looked = taps.looked_through(["rows"], WATCH)["rows"]
    assert set(looked.found) == {NAME}
    assert taps.entries["rows"] == 4
    taps.see_once("rows", ("Per Solheim",))
    assert set(taps.looked_through(["rows"], WATCH)["rows"].found) == {NAME, OTHER}
