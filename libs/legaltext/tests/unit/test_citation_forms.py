"""References in their written forms."""

import pytest

from lovsvar_legaltext.citation_forms import dated, forms, section_in_words
from lovsvar_legaltext.refids import refid_code
from lovsvar_testkit.acts import make_reference, make_summary


def test_a_reference_has_a_full_a_short_and_an_abbreviated_form() -> None:
    written = forms(make_reference(ledd=2), make_summary())
    assert written.full == "lov 26. mars 1999 nr. 17 om husleieavtaler (husleieloven) § 3-5 annet ledd"
    assert written.short == "husleieloven § 3-5 annet ledd"
    assert written.abbreviated == "husll. § 3-5 (2)"
    assert written.pinpoint == "§ 3-5 annet ledd"
    assert written.code == "LOV-1999-03-26-17-§3-5"


def test_a_whole_act_has_no_pinpoint() -> None:
    written = forms(make_reference(None), make_summary(abbreviation=""))
    assert written.pinpoint == ""
    assert (written.short, written.abbreviated) == ("husleieloven", "husleieloven")


@pytest.mark.parametrize(
    ("section", "words"),
    [("§3-5", "§ 3-5"), ("§13a", "§ 13 a"), ("§2a-1", "§ 2a-1"), ("gdpr/a5", "artikkel 5"), ("a94", "artikkel 94")],
)
def test_a_section_is_written_as_the_law_prints_it(section: str, words: str) -> None:
    assert section_in_words(make_reference(section)) == words


def test_documents_without_a_number_and_regulations_have_their_own_forms() -> None:
    old = make_summary(refid="lov/1967-02-10", title="Lov om behandlingsmåten i forvaltningssaker (forvaltningsloven)")
    assert dated(old) == "lov 10. februar 1967 om behandlingsmåten i forvaltningssaker (forvaltningsloven)"
    assert refid_code("forskrift/2016-08-12-974", "§25-2") == "FOR-2016-08-12-974-§25-2"


def test_what_is_printed_inside_an_act_is_cited_by_its_own_name() -> None:
    written = forms(make_reference("gdpr/a6", number="1", letter="f"), make_summary())
    assert written.short == "personvernforordningen artikkel 6 nr. 1 bokstav f"
    assert written.abbreviated == "GDPR artikkel 6 nr. 1 bokstav f"
    assert written.full.endswith("(husleieloven) personvernforordningen artikkel 6 nr. 1 bokstav f")
    assert forms(make_reference("emkn/a8"), make_summary()).short == "EMK artikkel 8"
    assert forms(make_reference("emkn/p1/a1"), make_summary()).short == "husleieloven artikkel 1"
    assert forms(make_reference("KAPITTEL_8-1/delI/a3"), make_summary()).abbreviated == "BK artikkel 3"
