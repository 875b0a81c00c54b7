"""The verdict on the citations of a text."""

from typing import Any

from lovsvar_contracts.law import InForce
from lovsvar_contracts.search import FoundReference
from lovsvar_gateway.core.mcp import citations


def test_a_citation_is_judged_by_what_exists_and_whether_it_is_in_force(provision: Any, reference: Any) -> None:
    def verdict(*matches: Any, status: InForce = InForce.YES, reason: Any = "") -> str:
        found = FoundReference(text="husleieloven § 3-5", matches=matches, reason=reason)
        return citations.judge(found, [provision(in_force=status)]).verdict

    assert verdict(reference()) == "valid"
    assert verdict(reference(ledd=2, letter="b")) == "valid"
    assert verdict(reference(ledd=2, letter="k")) == "missing_place"
    assert verdict(reference(), status=InForce.REPEALED) == "not_in_force"
    assert verdict(reference(), reference(refid="lov/2030-01-01-1")) == "ambiguous"
    assert verdict(reason="provision_missing") == "missing_provision"
    assert verdict(reason="place_missing") == "missing_place"
    assert verdict(reason="act_unknown") == "unknown_act"


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
    unknown = FoundReference(text="artikkel 7", reason="act_unknown")
    act = citations.eu_act_of(unknown, piece)
    assert act is not None
    assert (act.name, act.celex) == ("direktiv 95/46/EF", "31995L0046")
    assert "som ikke er lagret her" in citations.of_eu_act(unknown, act).detail
    assert citations.judge(citations.of_eu_act(unknown, act), []).verdict == "unknown_act"
    assert citations.eu_act_of(FoundReference(text="artikkel 8"), piece) is None
