"""Names of acts."""

from lovsvar_contracts.law import InForce, LawType
from lovsvar_search.core.act_names import ActNames, fold, strong_names, weak_names
from lovsvar_search.core.corpus import ActName


def act(refid: str, title: str, short: str, abbreviation: str = "") -> ActName:
    return ActName(
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
