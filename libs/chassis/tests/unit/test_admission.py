"""Who begins, who waits and who is refused."""

from lovsvar_chassis.admission import BURST_SECONDS, BURST_WAIT, STANDING_WAIT, UNMEASURED, Admission

LONG = 60.0


class Clock:
    """Time as a test has it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def admission(at_once: int, gone: set[str] | None = None) -> tuple[Admission[str], Clock]:
    clock = Clock()
    left = gone if gone is not None else set()
    return Admission(at_once, lambda item: item not in left, clock), clock


def measured(at_once: int, seconds: float) -> tuple[Admission[str], Clock]:
    """Return one whose places are taken, in which one ends every so many `seconds`."""
    made, clock = admission(at_once)
    for _ in range(at_once):
        assert made.enter()
    for number in range(200):
        made.line_up(str(number), "warm")
        clock.now += seconds
        assert made.leave() == str(number)
    return made, clock


def fill(made: Admission[str], share: str, budget: float = LONG) -> int:
    """Let as many wait as may, and return how many that were."""
    count = 0
    while not made.refusal(share, budget):
        made.line_up(f"{share} {count}", share)
        count += 1
    return count


def approximately(seconds: float, each: float) -> range:
    """Return how many of `each` go into so many seconds, whichever way that is rounded."""
    return range(round(seconds / each) - 1, round(seconds / each) + 2)


def test_places_are_taken_at_once_as_long_as_there_are_some() -> None:
    made, _ = admission(2)
    assert [made.enter() for _ in range(3)] == [True, True, False]
    assert made.leave() is None
    assert made.enter()


def test_those_of_a_share_begin_in_order_and_shares_take_turns() -> None:
    made, _ = admission(1)
    made.enter()
    for item, share in (("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b")):
        made.line_up(item, share)
    assert [made.leave() for _ in range(5)] == ["a1", "b1", "a2", "a3", None]


def test_what_nobody_waits_for_any_more_never_begins() -> None:
    made, _ = admission(1, gone={"a", "c"})
    made.enter()
    for item in "abcd":
        made.line_up(item, "")
    assert [made.leave() for _ in range(3)] == ["b", "d", None]


def test_a_burst_waits_as_long_as_that_is_short() -> None:
    made, _ = measured(4, 0.01)
    assert fill(made, "a") in approximately(BURST_WAIT, 0.01)
    assert made.refusal("a", LONG) > BURST_WAIT


def test_nobody_waits_for_more_than_half_of_its_time() -> None:
    made, _ = measured(4, 0.01)
    assert fill(made, "a", budget=1.0) in approximately(0.5, 0.01)


def test_a_queue_that_stands_is_kept_short() -> None:
    made, clock = measured(4, 0.01)
    waiting = fill(made, "a")
    assert waiting > STANDING_WAIT / 0.01
    for _ in range(round((BURST_SECONDS + BURST_WAIT) / 0.01)):
        clock.now += 0.01
        assert made.leave()
        waiting += fill(made, "a") - 1
    assert waiting in approximately(STANDING_WAIT, 0.01)


def test_who_asks_little_is_let_in_where_another_is_refused() -> None:
    made, _ = measured(4, 0.01)
    fill(made, "greedy")
    assert made.refusal("modest", LONG) == 0.0


def test_where_nothing_ends_nobody_is_let_in_to_wait() -> None:
    made, clock = measured(4, 0.01)
    clock.now += BURST_WAIT + 0.1
    assert made.refusal("a", LONG) > BURST_WAIT


def test_before_it_is_known_how_long_one_takes_few_wait() -> None:
    made, _ = admission(2)
    made.enter()
    made.enter()
    assert fill(made, "a") == UNMEASURED


def test_what_was_refused_elsewhere_says_nothing_of_how_long_one_takes() -> None:
    made, clock = measured(4, 0.1)
    for _ in range(100):
        clock.now += 0.0001
        made.line_up("x", "a")
        made.leave(served=False)
    assert fill(made, "a") in approximately(BURST_WAIT, 0.1)
