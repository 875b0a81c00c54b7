"""A provider that fails again and again is left alone for a while."""

import contextlib

import pytest

from lovsvar_practice.core.breaker import Breaker, BreakerState
from lovsvar_practice.core.errors import BudgetSpent, KeyRefused, Paused, SearchRefused, Unavailable


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Guarded:
    """A breaker that opens after three failures and rests ten seconds."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.breaker = Breaker(3, 10, self.clock)

    def search(self, *outcomes: type[BaseException] | None) -> None:
        for outcome in outcomes:
            with contextlib.suppress(BaseException), self.breaker.guarding():
                if outcome is not None:
                    raise outcome

    @property
    def state(self) -> BreakerState:
        return self.breaker.state


@pytest.fixture
def guarded() -> Guarded:
    return Guarded()


@pytest.fixture
def opened(guarded: Guarded) -> Guarded:
    guarded.search(*[Unavailable] * 3)
    return guarded


def test_it_opens_at_the_threshold_and_not_before(guarded: Guarded) -> None:
    guarded.search(Unavailable, Unavailable)
    assert guarded.state is BreakerState.CLOSED
    guarded.search(Unavailable)
    assert guarded.state is BreakerState.OPEN
    with pytest.raises(Paused, match="får hvile"), guarded.breaker.guarding():
        pytest.fail("a search was let through")


def test_an_error_passes_through_as_it_is(guarded: Guarded) -> None:
    error = Unavailable("x")
    with pytest.raises(Unavailable) as caught, guarded.breaker.guarding():
        raise error
    assert caught.value is error


def test_failures_count_only_in_a_row(guarded: Guarded) -> None:
    guarded.search(Unavailable, Unavailable, None, Unavailable, Unavailable)
    assert guarded.state is BreakerState.CLOSED


@pytest.mark.parametrize("answer", [KeyRefused, SearchRefused])
def test_a_refusal_is_an_answer(guarded: Guarded, answer: type[Exception]) -> None:
    guarded.search(Unavailable, Unavailable, answer, Unavailable)
    assert guarded.state is BreakerState.CLOSED


@pytest.mark.parametrize("silence", [BudgetSpent, KeyboardInterrupt, ValueError])
def test_a_search_that_was_not_made_says_nothing(guarded: Guarded, silence: type[BaseException]) -> None:
    guarded.search(Unavailable, Unavailable, silence)
    assert guarded.state is BreakerState.CLOSED
    guarded.search(Unavailable)
    assert guarded.state is BreakerState.OPEN


def test_after_its_rest_one_search_goes_through_at_a_time_and_closes_it(opened: Guarded) -> None:
    opened.clock.now += 9.9
    assert opened.state is BreakerState.OPEN
    opened.clock.now += 0.1
    assert opened.state is BreakerState.HALF_OPEN
    with opened.breaker.guarding(), pytest.raises(Paused), opened.breaker.guarding():
        pytest.fail("a second search was let through")
    assert opened.state is BreakerState.CLOSED


def test_a_failed_probe_lets_it_rest_anew(opened: Guarded) -> None:
    opened.clock.now += 10
    opened.search(Unavailable)
    assert opened.state is BreakerState.OPEN
    opened.clock.now += 9.9
    assert opened.state is BreakerState.OPEN
    opened.clock.now += 0.1
    opened.search(None)
    assert opened.state is BreakerState.CLOSED


def test_a_probe_that_was_cancelled_leaves_it_to_the_next_one(opened: Guarded) -> None:
    opened.clock.now += 10
    opened.search(KeyboardInterrupt)
    assert opened.state is BreakerState.HALF_OPEN
    opened.search(None)
    assert opened.state is BreakerState.CLOSED


def test_what_began_before_it_opened_neither_closes_it_nor_lets_it_rest_longer(guarded: Guarded) -> None:
    with guarded.breaker.guarding():
        guarded.search(*[Unavailable] * 3)
    assert guarded.state is BreakerState.OPEN
    guarded.clock.now += 10
    guarded.search(None)
    with contextlib.suppress(Unavailable), guarded.breaker.guarding():
        guarded.search(*[Unavailable] * 3)
        guarded.clock.now += 5
        raise Unavailable
    guarded.clock.now += 5
    assert guarded.state is BreakerState.HALF_OPEN


def test_once_closed_it_takes_as_many_failures_as_before(opened: Guarded) -> None:
    opened.clock.now += 10
    opened.search(None, Unavailable, Unavailable)
    assert opened.state is BreakerState.CLOSED
