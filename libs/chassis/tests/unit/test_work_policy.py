"""How long work that failed has to wait."""

from hypothesis import given
from hypothesis import strategies as st

from lovsvar_chassis.work_queue import WorkPolicy


def test_the_delay_grows_with_each_failure_and_then_stays() -> None:
    policy = WorkPolicy("S", "s", "d", workers=1, backoff=(1.0, 5.0, 15.0))
    assert [policy.delay(tries) for tries in range(1, 6)] == [1.0, 5.0, 15.0, 15.0, 15.0]


@given(st.integers(1, 100))
def test_the_usual_delay_never_shrinks(tries: int) -> None:
    policy = WorkPolicy("S", "s", "d", workers=1)
    assert policy.delay(tries + 1) >= policy.delay(tries)
