"""References to the law that stand in a question."""

import pytest

from lovsvar_agent.core.references import MAX_REFERENCES, Reference, locate, take_apart


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("Hva sier båtleieloven § 3-5?", ["båtleieloven § 3-5"]),
        ("Hva betyr § 3-5 i båtleieloven?", ["båtleieloven § 3-5"]),
        ("Hva sier båtleielovens § 3-5?", ["båtleieloven § 3-5"]),
        ("paragraf 3-5 i båtleieloven", ["båtleieloven § 3-5"]),
        ("Gjelder båtl. § 15-3 her?", ["båtl. § 15-3"]),
        ("båtl § 3-5 annet ledd", ["båtl § 3-5 annet ledd"]),
        ("Hva sier BTL17 § 12-15?", ["BTL17 § 12-15"]),
        ("festloven § 13 a første ledd", ["festloven § 13 a første ledd"]),
        ("festloven §§ 3 og 4", ["festloven § 3", "festloven § 4"]),
        ("festloven § 3-9 og § 3-10", ["festloven § 3-9", "festloven § 3-10"]),
        ("Hva står i lov/2999-03-26-17/§3-5?", ["lov/2999-03-26-17 § 3-5"]),
        ("LOV-2999-03-26-17 § 2a-1", ["LOV-2999-03-26-17 § 2a-1"]),
        ("Hva handler lov/2999-03-26-17 om?", ["lov/2999-03-26-17"]),
        ("Hva sier lov om båtleie § 3?", ["lov om båtleie § 3"]),
        ("Hva sier båtleieloven om pant?", ["båtleieloven"]),
        ("festlova § 3 og båtlova § 4", ["festlova § 3", "båtlova § 4"]),
        ("Hva sier båtleieloven om § 4?", ["båtleieloven § 4"]),
        ("Hva sier loven § 5?", ["§ 5"]),
        ("Gjelder dette også, jf. § 5?", ["§ 5"]),
    ],
)
def test_references_are_found_as_they_are_written(question: str, written: list[str]) -> None:
    assert [r.written for r in take_apart(question).references] == written


@pytest.mark.parametrize(
    "question", ["Er det lov å ro?", "Hvor mye kan eieren kreve?", "Er dette ulovlig?", "Hva sier loven?"]
)
def test_a_question_without_references_has_none(question: str) -> None:
    assert take_apart(question).references == ()


def test_what_is_left_is_the_question_without_its_references() -> None:
    assert take_apart("Hva sier § 3-5 i båtleieloven om pant?").rest == "Hva sier om pant?"


def test_an_act_named_alone_stays_part_of_the_question() -> None:
    assert "båtleieloven" in take_apart("Hva sier båtleieloven om pant?").rest


def test_of_many_references_the_first_are_taken() -> None:
    question = ", ".join(f"båtloven § {n}" for n in range(1, 40))
    assert len(take_apart(question).references) == MAX_REFERENCES


def test_a_number_before_a_section_sign_is_no_act() -> None:
    assert [one.reference for one in locate("Se § 10. § 11 gjelder.")] == [Reference("", "10"), Reference("", "11")]
