"""Where Norwegian legal sentences end."""

import pytest

from lovsvar_legaltext.sentences import sentence_spans


def split(text: str) -> list[str]:
    return [text[a:b] for a, b in sentence_spans(text, 0, len(text))]


def test_a_stop_before_a_capital_letter_ends_a_sentence() -> None:
    assert split("Båten skal leveres. Eieren tar imot.") == ["Båten skal leveres.", "Eieren tar imot."]


@pytest.mark.parametrize(
    "sentence",
    [
        "Kravet følger av § 3, jf. § 4 annet ledd.",
        "Dette gjelder lov av 2. mars nr. 5 om båter.",
        "Fristen er 1. januar hvert år.",
        "Eieren betaler 10 pst. av leien.",
        "Reglene om båter mv. gjelder ikke her.",
        "Regler om årer, tofter m.m. gis av kommunen.",
        "Dette gjelder f.eks. Kongsbåten.",
        "Vedtatt ved kgl.res. 4. mai.",
        "Vedtatt ved kgl. res. Nr. 4 gjelder ikke.",
        "Rettighetene til A. Hansen og bl.a. Kommunen består.",
        "Forskrift kapittel 3. 4 båter regnes ikke med.",
        "See also sec. 98 of the Boat Act.",
        "Dette er omtalt i Prop. 12 L (2019-2020) og Rt. 2005 s. 1234.",
    ],
)
def test_abbreviations_dates_and_initials_do_not(sentence: str) -> None:
    assert split(sentence) == [sentence]


def test_an_abbreviation_that_may_end_a_sentence_does_so_before_a_capital_letter() -> None:
    assert split("Loven gjelder båter mv. Kongen kan gi forskrift.") == [
        "Loven gjelder båter mv.",
        "Kongen kan gi forskrift.",
    ]


def test_a_letter_that_names_a_list_item_ends_a_sentence() -> None:
    assert split("Dette gjelder etter bokstav a. Kongen kan gi forskrift.") == [
        "Dette gjelder etter bokstav a.",
        "Kongen kan gi forskrift.",
    ]


def test_a_section_number_ends_a_sentence() -> None:
    assert split("Se § 3-5. Ellers gjelder loven.") == ["Se § 3-5.", "Ellers gjelder loven."]


def test_only_the_span_asked_for_is_split() -> None:
    text = "Utenfor. Innenfor. Også innenfor. Utenfor."
    start, end = text.index("Inn"), text.index(" Utenfor.", 5)
    assert [text[a:b] for a, b in sentence_spans(text, start, end)] == ["Innenfor.", "Også innenfor."]
