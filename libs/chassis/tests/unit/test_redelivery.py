"""What becomes of work that failed, and how long it has to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from lovsvar_chassis.json_codec import Unreadable
from lovsvar_chassis.problems import problem
from lovsvar_chassis.redelivery import Dead, Delayed, RetryLater, WorkPolicy, decide
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.questions import CancelQuestion


def test_the_delay_grows_with_each_failure_and_then_stays() -> None:
    policy = WorkPolicy("S", "s", "d", workers=1, backoff=(1.0, 5.0, 15.0))
    assert [policy.delay(tries) for tries in range(1, 6)] == [1.0, 5.0, 15.0, 15.0, 15.0]


POLICY = WorkPolicy("S", "s", "d", workers=1, max_tries=3, backoff=(1.0, 5.0))


def unreadable() -> Unreadable:
    try:
        CancelQuestion.model_validate({})
    except ValidationError as exc:
        return Unreadable(exc)
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "tries", "outcome"),
    [
        (ValueError("a"), 1, Delayed(1.0)),
        (ValueError("a"), 2, Delayed(5.0)),
        (ValueError("a"), 3, Dead("ValueError: a")),
        (RetryLater(7.0, "taken"), 2, Delayed(7.0)),
        (RetryLater(7.0, "taken"), 3, Delayed(7.0, as_copy=True)),
        (unreadable(), 1, Dead("unreadable: 1 errors")),
        # What a service that was asked could not read says nothing of the work.
        (ProblemError(problem(ProblemType.INVALID_REQUEST, "?")), 1, Delayed(1.0)),
    ],
    ids=repr,
)
def test_the_error_and_the_number_of_tries_decide_what_becomes_of_work(
    error: Exception, tries: int, outcome: Delayed | Dead
) -> None:
    assert decide(error, tries, POLICY) == outcome


@given(st.integers(1, 100))
def test_the_usual_delay_never_shrinks(tries: int) -> None:
    policy = WorkPolicy("S", "s", "d", workers=1)
    assert policy.delay(tries + 1) >= policy.delay(tries)
