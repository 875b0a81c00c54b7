"""References in their written forms, and the verdict on those of a text."""

from typing import Any

import pytest

from lovsvar_contracts.law import InForce
from lovsvar_contracts.search import FoundReference
from lovsvar_gateway.core.mcp import citations
from lovsvar_gateway.core.mcp.citing import code, dated, forms, section_in_words


def test_a_reference_has_a_full_a_short_and_an_abbreviated_form(reference: Any, summary: Any) -> None:
    written = forms(reference(ledd=2), summary())
    assert written.full == "lov 26. mars 1999 nr. 17 om husleieavtaler (husleieloven) § 3-5 annet ledd"
    assert written.short == "husleieloven § 3-5 annet ledd"
    assert written.abbreviated == "husll. § 3-5 (2)"
    assert written.pinpoint == "§ 3-5 annet ledd"
    assert written.code == "LOV-1999-03-26-17-§3-5"


def test_a_whole_act_has_no_pinpoint(reference: Any, summary: Any) -> None:
    written = forms(reference(None), summary(abbreviation=""))
    assert written.pinpoint == ""
    assert (written.short, written.abbreviated) == ("husleieloven", "husleieloven")


@pytest.mark.parametrize(
    ("section", "words"),
    [("§3-5", "§ 3-5"), ("§13a", "§ 13 a"), ("§2a-1", "§ 2a-1"), ("gdpr/a5", "artikkel 5"), ("a94", "artikkel 94")],
)
def test_a_section_is_written_as_the_law_prints_it(reference: Any, section: str, words: str) -> None:
    assert section_in_words(reference(section)) == words


def test_documents_without_a_number_and_regulations_have_their_own_forms(reference: Any, summary: Any) -> None:
    old = summary(refid="lov/1967-02-10", title="Lov om behandlingsmåten i forvaltningssaker (forvaltningsloven)")
    assert dated(old) == "lov 10. februar 1967 om behandlingsmåten i forvaltningssaker (forvaltningsloven)"
    assert code(reference("§25-2", refid="forskrift/2016-08-12-974")) == "FOR-2016-08-12-974-§25-2"


def test_a_text_is_parted_into_what_may_cite_and_short_enough_to_resolve() -> None:
    text = "Husleieloven § 3-5 gjelder, jf. § 3-6. Dette er en vanlig setning. Se aml. § 15-3 nr. 2.\nIngenting her."
    assert citations.pieces(text) == ["Husleieloven § 3-5 gjelder, jf. § 3-6.", "Se aml. § 15-3 nr. 2."]
    endless = "Se husleieloven § 3-5 og § 3-6, " * 200
    parts = citations.pieces(endless)
    assert all(len(part) <= citations.MAX_PIECE for part in parts)
    assert sum(part.count("§") for part in parts) == 400


@pytest.mark.parametrize(
    ("text", "detail", "bare"),
    [
        ("§ 3-6", "«§ 3-6» sier ikke hvilken lov eller forskrift som menes.", True),
        ("§ 3-6", "Fant ingen lov eller forskrift som heter «jf.».", True),
        ("§ 4", "Fant ingen lov eller forskrift som heter «tulleloven».", False),
        ("tulleloven", "Fant ingen lov eller forskrift som heter «tulleloven».", False),
    ],
)
def test_a_provision_without_an_act_is_known_from_one_of_an_unknown_act(text: str, detail: str, bare: bool) -> None:
    assert citations.names_no_act(FoundReference(text=text, detail=detail)) is bare


def test_a_citation_is_judged_by_what_exists_and_whether_it_is_in_force(provision: Any, reference: Any) -> None:
    def verdict(*matches: Any, status: InForce = InForce.YES, detail: str = "") -> str:
        found = FoundReference(text="husleieloven § 3-5", matches=matches, detail=detail)
        return citations.judge(found, [provision(in_force=status)]).verdict

    assert verdict(reference()) == "valid"
    assert verdict(reference(ledd=2, letter="b")) == "valid"
    assert verdict(reference(ledd=2, letter="k")) == "missing_place"
    assert verdict(reference(), status=InForce.REPEALED) == "not_in_force"
    assert verdict(reference(), reference(refid="lov/2030-01-01-1")) == "ambiguous"
    assert verdict(detail="Husleieloven finnes, men har ingen bestemmelse «§ 99».") == "missing_provision"
    assert verdict(detail="Husleieloven §3-5 har 3 ledd, og ikke noe ledd nummer 9.") == "missing_place"
    assert verdict(detail="Fant ingen lov eller forskrift som heter «tulleloven».") == "unknown_act"
