"""References in their written forms, and the verdict on those of a text."""

from typing import Any

import pytest

from lovsvar_contracts.law import InForce, LawType
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


def test_what_is_printed_inside_an_act_is_cited_by_its_own_name(reference: Any, summary: Any) -> None:
    written = forms(reference("gdpr/a6", number="1", letter="f"), summary())
    assert written.short == "personvernforordningen artikkel 6 nr. 1 bokstav f"
    assert written.abbreviated == "GDPR artikkel 6 nr. 1 bokstav f"
    assert written.full.endswith("(husleieloven) personvernforordningen artikkel 6 nr. 1 bokstav f")
    assert forms(reference("emkn/a8"), summary()).short == "EMK artikkel 8"
    assert forms(reference("emkn/p1/a1"), summary()).short == "husleieloven artikkel 1"
    assert forms(reference("KAPITTEL_8-1/delI/a3"), summary()).abbreviated == "BK artikkel 3"


def test_a_repealed_provision_is_not_in_force_whatever_place_in_it_is_named(provision: Any, reference: Any) -> None:
    found = FoundReference(text="husleieloven § 3-5 tolvte ledd", matches=(reference(ledd=12),))
    checked = citations.judge(found, [provision(in_force=InForce.REPEALED)])
    assert (checked.verdict, checked.detail) == ("not_in_force", "Opphevet: Husleieloven § 3-5.")


def test_a_number_of_a_list_that_is_printed_with_letters_is_told_with_its_letter(
    provision: Any, reference: Any
) -> None:
    found = FoundReference(text="husleieloven § 3-5 annet ledd nr. 2", matches=(reference(ledd=2, number="2"),))
    checked = citations.judge(found, [provision()])
    assert (checked.verdict, checked.detail) == ("valid", "I Lovdatas åpne data er nr. 2 merket «b.».")
    inside = FoundReference(text="x", matches=(reference(ledd=2, letter="a", number="2"),))
    assert citations.judge(inside, [provision()]).verdict == "missing_place"


def test_a_sentence_is_said_not_to_be_checked(provision: Any, reference: Any) -> None:
    found = FoundReference(text="husleieloven § 3-5 annet ledd tredje punktum", matches=(reference(sentence=3),))
    checked = citations.judge(found, [provision()])
    assert (checked.verdict, "ikke kontrollert" in checked.detail) == ("valid", True)


def test_an_article_of_an_eu_act_is_told_from_one_of_norwegian_law() -> None:
    piece = "Etter direktiv 95/46/EF artikkel 7 og personopplysningsloven artikkel 8"
    unknown = FoundReference(text="artikkel 7", detail="Fant ingen lov eller forskrift som heter «EF».")
    act = citations.eu_act_of(unknown, piece)
    assert act is not None
    assert (act.name, act.celex) == ("direktiv 95/46/EF", "31995L0046")
    assert "som ikke er lagret her" in citations.of_eu_act(unknown, act).detail
    assert citations.judge(citations.of_eu_act(unknown, act), []).verdict == "unknown_act"
    assert citations.eu_act_of(FoundReference(text="artikkel 8"), piece) is None


def test_the_law_and_the_regulation_of_a_text_are_those_that_it_named() -> None:
    def found(word: str) -> FoundReference:
        return FoundReference(text="§ 5", detail=f"Fant ingen lov eller forskrift som heter «{word}».")

    assert citations.names_no_act(found("Loven"))
    assert [citations.meant_type(found(word)) for word in ("Loven", "forskriften", "jf.")] == [
        LawType.LOV,
        LawType.FORSKRIFT,
        None,
    ]


def test_a_name_of_two_words_is_not_parted_where_a_long_sentence_is() -> None:
    sentence = "Se " + ", ".join(f"aml. § {n}" for n in range(8)) + " og helse- og omsorgstjenesteloven § 3-2."
    assert any("helse- og omsorgstjenesteloven § 3-2" in piece for piece in citations.pieces(sentence))
