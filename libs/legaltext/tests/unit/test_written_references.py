"""References to the law that stand in a question."""

import pytest

from lovsvar_legaltext.written_references import MAX_REFERENCES, Reference, articles_without_act, locate, take_apart


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


@pytest.mark.parametrize(
    "behind",
    [
        *("og 14 dager", "og 14 virkedager", "og 3 ukers frist", "og 2 måneder", "og 4 år", "til 8 døgn", ", 2 timer"),
        *(
            "og 500 kroner",
            "og 10 000 kr",
            "og 1,5 prosent",
            "og 20 %",
            "og 4–6 uker",
            "og 4-6 uker",
            "og 2 millioner kroner",
        ),
        *(
            "og 2. ledd",
            "og 3 personer",
            ", 14 days",
            "og 30 working days",
            ", 6 months",
            "og 5 per cent",
            "og 3 ganger",
            "og 14 dagers frist",
        ),
    ],
)
def test_a_number_of_a_time_or_an_amount_is_no_section(behind: str) -> None:
    assert [one.reference.written for one in locate(f"Etter båtleieloven § 3-2 {behind} er det slik.")] == [
        "båtleieloven § 3-2"
    ]
    assert [r.written for r in take_apart(f"Hva sier § 3-2 {behind}?").references] == ["§ 3-2"]


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("§§ 3, 4 og 5 gjelder.", ["3", "4", "5"]),
        ("§§ 3,4 og 5", ["3", "4", "5"]),
        ("§§ 3-2 til 3-5.", ["3-2", "3-5"]),
        ("§ 3 og § 4 til 14 dager", ["3", "4"]),
        ("§§ 3 og 4 daglig", ["3", "4"]),
        ("§§ 3 og 4 personvern", ["3", "4"]),
        ("§§ 3-1 og 3-2 årsregnskap", ["3-1", "3-2"]),
        ("§§ 3 og 4 krever", ["3", "4"]),
        ("§§ 9 og 13 a om timing", ["9", "13 a"]),
    ],
)
def test_numbers_that_follow_a_section_are_sections_too(text: str, sections: list[str]) -> None:
    assert [one.reference.section for one in locate(text)] == sections


def test_an_act_in_english_is_named_by_its_capital_words_and_not_by_an_article() -> None:
    assert take_apart("What does section 9 of the Boat Rental Act say?").references == (
        Reference("Boat Rental Act", "9"),
    )
    assert take_apart("Does the Boat Rental Act apply?").references == (Reference("Boat Rental Act"),)
    assert take_apart("The Act applies. Does this Act too? Under That Act?").references == ()


def test_a_text_in_english_names_no_act_by_words_alone() -> None:
    assert locate("The Boat Rental Act applies.") == ()


@pytest.mark.parametrize(
    ("question", "articles"),
    [
        ("Hva gjelder etter artikkel 6?", ("6",)),
        ("Kva står i art. 3, og i artikkel 3?", ("3",)),
        ("What does article 10 say?", ("10",)),
        ("Hva sier GDPR artikkel 6?", ()),
        ("Hva sier artikkel 6 nr. 1 bokstav a i personvernforordningen?", ()),
        ("artikkel 8 EMK", ()),
        ("What does article 10 of the Constitution say?", ()),
    ],
)
def test_an_article_is_named_alone_unless_its_act_is_named_with_it(question: str, articles: tuple[str, ...]) -> None:
    assert articles_without_act(question) == articles
