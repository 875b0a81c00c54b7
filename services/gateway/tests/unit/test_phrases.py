"""What is wrong with a request, in Norwegian."""

import pytest
from pydantic import BaseModel, Field, ValidationError

from lovsvar_gateway.core.phrases import CheckedQuestion, describe


class Body(BaseModel):
    question: CheckedQuestion
    page: int = Field(default=1, le=20)
    refs: list[int] = []


def described(**body: object) -> tuple[str, list[tuple[str, str]]]:
    with pytest.raises(ValidationError) as caught:
        Body.model_validate(body)
    errors = [{**e, "loc": ("body", *e["loc"])} for e in caught.value.errors()]
    detail, fields = describe(errors)
    return detail, [(f.field, f.detail) for f in fields]


def test_each_field_is_named_with_what_is_wrong_with_it() -> None:
    detail, fields = described(page=21, refs=[1, "x"])
    assert fields == [("question", "mangler"), ("page", "kan være høyst 20"), ("refs.1", "må være et heltall")]
    assert detail == "question mangler; page kan være høyst 20; refs.1 må være et heltall."


def test_an_error_with_words_of_its_own_is_told_in_them() -> None:
    assert described(question=" \n") == ("Spørsmålet er tomt.", [("question", "Spørsmålet er tomt.")])
    assert described(question="x" * 4_001)[0] == "Spørsmålet er for langt: 4001 tegn, høyst 4000."


def test_a_question_at_the_limit_is_taken_without_the_space_around_it() -> None:
    assert Body(question=f" {'x' * 4_000}\n").question == "x" * 4_000


def test_the_input_is_not_repeated() -> None:
    assert "hemmelig" not in str(described(question=["hemmelig"], page="hemmelig"))
