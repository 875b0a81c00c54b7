"""How an error becomes a `Problem`."""

import pytest
from pydantic import ValidationError

from lovsvar_chassis.problems import RETRYABLE, TITLES, invalid_request, problem, problem_from
from lovsvar_contracts.practice import FindPractice
from lovsvar_contracts.problems import ProblemError, ProblemType


class Base(Exception):
    pass


class Special(Base):
    pass


TABLE = {Base: ProblemType.UNAVAILABLE, Special: ProblemType.NOT_FOUND}


@pytest.mark.parametrize("type_", ProblemType)
def test_every_type_has_a_title_and_the_retryability_of_its_kind(type_: ProblemType) -> None:
    made = problem(type_, "Hva som skjedde.")
    assert made.title == TITLES[type_]
    assert made.retryable == (type_ in RETRYABLE)


def test_the_nearest_class_in_the_table_decides() -> None:
    assert problem_from(Special("borte"), TABLE).type is ProblemType.NOT_FOUND
    assert problem_from(Base("nede"), TABLE).type is ProblemType.UNAVAILABLE


def test_an_error_in_the_table_speaks_for_itself() -> None:
    assert problem_from(Special("Loven finnes ikke."), TABLE).detail == "Loven finnes ikke."


def test_a_problem_error_keeps_its_problem() -> None:
    told = problem(ProblemType.CONFLICT, "Opptatt.")
    assert problem_from(ProblemError(told), TABLE) is told


def test_an_error_that_nobody_foresaw_keeps_its_words_to_itself() -> None:
    told = problem_from(RuntimeError("hunter2"), TABLE)
    assert told.type is ProblemType.INTERNAL
    assert "hunter2" not in told.model_dump_json()


def test_a_validation_error_that_is_not_of_the_request_is_internal() -> None:
    with pytest.raises(ValueError) as caught:
        FindPractice.model_validate({"query": ""})
    assert problem_from(caught.value, TABLE).type is ProblemType.INTERNAL


def test_an_invalid_request_names_the_fields_that_are_wrong_and_not_what_stood_in_them() -> None:
    with pytest.raises(ValidationError) as caught:
        FindPractice.model_validate({"query": "", "num": "hunter2"})
    told = invalid_request(caught.value)
    assert told.type is ProblemType.INVALID_REQUEST
    assert [part.partition(":")[0] for part in told.detail.split("; ")] == ["query", "num"]
    assert "hunter2" not in told.model_dump_json()
