"""How long a question waits, and who may ask one more."""

import pytest

from lovsvar_gateway.core.errors import QueueFull, TooManyWaiting
from lovsvar_gateway.core.queue_admission import Bounds, Place, QueueState, ServiceTime, check_room, place_in

BOUNDS = Bounds(seconds=120.0, length=500, per_caller=20)


def worked(seconds: float, workers: int, takes: float) -> ServiceTime:
    """Return what is learnt from `workers` that are busy for `seconds` with questions of `takes` seconds each."""
    learnt = ServiceTime()
    for now in range(int(seconds) + 1):
        learnt.hear(QueueState(float(now), busy=workers, served=workers * int(now // takes)))
    return learnt


def test_a_question_is_taken_at_once_while_an_agent_is_idle() -> None:
    assert place_in(QueueState(0.0, busy=3, idle=5), since=4, seconds=20.0) == Place(0, 0.0)
    assert place_in(QueueState(0.0, busy=3, idle=5), since=5, seconds=20.0) == Place(1, 2.5)


def test_the_wait_is_that_of_all_in_front_shared_by_the_agents() -> None:
    assert place_in(QueueState(0.0, waiting=15, busy=8), since=0, seconds=20.0) == Place(16, 40.0)
    assert place_in(QueueState(0.0, waiting=3), since=0, seconds=5.0).wait == 20.0


@pytest.mark.parametrize(("workers", "takes"), [(8, 20.0), (1, 5.0), (30, 2.0), (8, 60.0)])
def test_how_long_a_question_takes_is_learnt_from_what_is_done(workers: int, takes: float) -> None:
    assert worked(600, workers, takes).seconds == pytest.approx(takes, rel=0.35)


def test_agents_that_are_slower_than_anything_before_are_believed_before_they_are_done() -> None:
    assert 10 < worked(20, 8, 1_000.0).seconds < 40
    assert worked(600, 8, 10_000.0).seconds > 200


def test_hours_without_questions_change_nothing() -> None:
    learnt = worked(600, 8, 20.0)
    before = learnt.seconds
    learnt.hear(QueueState(20_000.0, served=8 * 30))
    learnt.hear(QueueState(40_000.0, served=8 * 30))
    assert learnt.seconds > 0
    learnt.hear(QueueState(40_001.0, busy=1, served=8 * 30))
    assert learnt.seconds < 10 * before


def test_a_question_that_would_wait_too_long_is_refused_with_the_time_to_come_again() -> None:
    with pytest.raises(QueueFull, match=r"omtrent 150 s. Prøv igjen om 30 s") as refused:
        check_room(Place(60, 150.0), 0, BOUNDS)
    assert refused.value.wait == 30


def test_a_queue_that_is_long_is_full_however_fast_it_is() -> None:
    with pytest.raises(QueueFull):
        check_room(Place(501, 5.0), 0, BOUNDS)


def test_whoever_has_a_question_in_the_queue_may_fill_half_of_it() -> None:
    check_room(Place(30, 80.0), 0, BOUNDS)
    with pytest.raises(QueueFull):
        check_room(Place(30, 80.0), 1, BOUNDS)


def test_one_caller_has_so_many_questions_in_the_queue_and_no_more() -> None:
    check_room(Place(0, 0.0), 19, BOUNDS)
    with pytest.raises(TooManyWaiting, match="20 spørsmål i køen"):
        check_room(Place(0, 0.0), 20, BOUNDS)
