"""Names of acts."""

from dataclasses import replace

import pytest

from lovsvar_contracts.law import InForce, LawType
from lovsvar_legaltext.act_names import Act, ActNames, fold, strong_names, weak_names


def act(refid: str, title: str, short: str, abbreviation: str = "") -> Act:
    return Act(
        refid, title, short, abbreviation, LawType(refid.partition("/")[0]), InForce.YES, ("Kulturdepartementet",)
    )


def test_bokmal_nynorsk_and_the_genitive_are_one_name() -> None:
    assert fold("Husleielova") == fold("husleieloven") == fold("husleielovens")
    assert fold("byggesaksforskrifta") == fold("byggesaksforskriften")


def test_the_name_in_brackets_of_a_title_is_a_name() -> None:
    assert "husleieloven" in strong_names(act("lov/1-1-1-1", "Lov om husleieavtaler (husleieloven)", "Husleieloven"))


def test_what_an_amending_act_says_in_brackets_is_no_name() -> None:
    amending = act(
        "lov/1-1-1-1", "Lov om endringer i straffeloven (ny militær straffelov)", "Endringslov til straffeloven"
    )
    assert "ny militær straffelov" not in strong_names(amending)
    assert weak_names(amending) == []


def test_a_word_behind_a_regulations_short_title_is_no_abbreviation_but_an_acronym_is() -> None:
    assert weak_names(act("forskrift/1-1-1-1", "Forskrift om omsorgspoeng", "Forskrift om omsorgspoeng", "barn")) == []
    assert weak_names(act("forskrift/1-1-1-1", "Forskrift om anskaffelser", "Anskaffelsesforskriften", "FOA")) == [
        "FOA"
    ]
    assert weak_names(act("lov/1-1-1-1", "Lov om straff", "Straffeloven", "strl.")) == ["strl."]


def test_a_full_name_outranks_another_acts_abbreviation() -> None:
    names = ActNames([act("lov/1-1-1-1", "Lov om a", "Aloven", "bloven"), act("lov/1-1-1-2", "Lov om b", "Bloven")])
    assert [found.refids for found in names.find("bloven")] == [("lov/1-1-1-2",)]


def test_the_longest_name_at_a_place_is_meant(names: ActNames) -> None:
    assert [found.refids for found in names.find("Endringslov til straffeloven")] == [("lov/2024-01-01-1",)]


def test_ministries_are_found_by_a_part_of_their_name(names: ActNames) -> None:
    assert names.ministries_like(" JUSTIS ") == ("Justisdepartementet",)
    assert names.ministries_like("sjøfart") == ()


def test_a_misspelt_name_is_recognised(names: ActNames) -> None:
    assert names.like("husleilovn") == "husleieloven"
    assert names.like("xyz") is None


LONG = (
    "Forskrift om endring i forskrift 12. mai 2005 nr 407 om forholdet mellom lov om husleieavtaler § 5 og annen lov, "
    "om måling, prøving (og kontroll) av fisk m.v. i havner, samt om gebyr til tilsynet [målingsforskriften]"
)


@pytest.mark.parametrize(
    "written",
    [
        LONG,
        LONG.removesuffix(" [målingsforskriften]"),
        LONG.replace(" (og kontroll)", "").removesuffix(" [målingsforskriften]"),
        LONG.replace("m.v.", "mv."),
        LONG.replace(",", "").casefold(),
        "målingsforskrifta",
    ],
)
def test_a_title_names_its_document_however_long_it_is_and_with_or_without_brackets(written: str) -> None:
    names = ActNames(
        [act("forskrift/1-1-1-1", LONG, "Målingsforskriften"), act("lov/1-1-1-2", "Lov om husleieavtaler", "")]
    )
    (named,) = names.find(f"se {written} her")
    assert named.refids == ("forskrift/1-1-1-1",)
    assert (named.start, named.end) == (3, 3 + len(written))


def test_what_a_title_says_of_more_may_be_left_out() -> None:
    names = ActNames([act("lov/1-1-1-1", "Lov om arbeidsmiljø og stillingsvern mv. (arbeidsmiljøloven)", "")])
    assert [found.refids for found in names.find("lov om arbeidsmiljø og stillingsvern")] == [("lov/1-1-1-1",)]


def test_a_title_means_the_document_that_bears_exactly_it() -> None:
    names = ActNames([act("lov/1-1-1-1", "Lov om fisk (fiskeloven)", ""), act("lov/1-1-1-2", "Lov om fisk", "")])
    (named,) = names.find("Lov om fisk")
    assert (named.refids, named.others) == (("lov/1-1-1-2",), ("lov/1-1-1-1",))
    assert [found.refids for found in names.find("Lov om fisk (fiskeloven)")] == [("lov/1-1-1-1",)]


def test_the_title_of_a_repealed_act_means_the_one_in_force_that_is_called_so() -> None:
    old = replace(act("lov/1-1-1-1", "Lov om fisk", "Fiskeloven"), in_force=InForce.REPEALED)
    names = ActNames([old, act("lov/1-1-1-2", "Lov om fisk (fiskeloven)", "Fiskeloven")])
    (named,) = names.find("Lov om fisk")
    assert (named.refids, named.others) == (("lov/1-1-1-2",), ("lov/1-1-1-1",))
