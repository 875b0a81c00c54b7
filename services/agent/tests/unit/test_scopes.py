"""Acts for some people or things only."""

import pytest

from lovsvar_agent.core.extractive.scopes import (
    CONSUMER_SALES,
    SALES,
    TENANCY,
    WORKING_ENVIRONMENT,
    SpecialAct,
    is_about,
    not_for,
    special_act,
    yields_to,
)

STATE = "lov/2017-06-16-67"
SHIPS = "lov/2013-06-21-102"
COOPERATIVES = "lov/2003-06-06-39"
CONDOMINIUMS = "lov/2017-06-16-65"


def special(refid: str) -> SpecialAct:
    act = special_act(refid)
    assert act is not None
    return act


@pytest.mark.parametrize("refid", [STATE, SHIPS, SALES, COOPERATIVES, CONDOMINIUMS])
def test_an_act_for_some_says_for_whom_in_each_language(refid: str) -> None:
    act = special(refid)
    assert set(act.to) == {"nb", "nn", "en"}
    assert all(act.to.values())


@pytest.mark.parametrize("refid", [WORKING_ENVIRONMENT, TENANCY, CONSUMER_SALES, "lov/2999-01-01-1"])
def test_an_act_for_everybody_is_none(refid: str) -> None:
    assert special_act(refid) is None


@pytest.mark.parametrize(
    ("refid", "question"),
    [
        (STATE, "Hvor lang oppsigelsesfrist har statsansatte?"),
        (STATE, "Eg arbeider i eit departement. Kan eg seiast opp?"),
        (STATE, "I am a civil servant. Can I be dismissed?"),
        (SHIPS, "Hvor lang oppsigelsesfrist har en sjømann?"),
        (SALES, "Jeg kjøpte en brukt sykkel privat. Kan jeg heve?"),
        (COOPERATIVES, "Kan borettslaget nekte meg hund?"),
        (CONDOMINIUMS, "Når skal sameiet ha årsmøte?"),
    ],
)
def test_a_question_is_about_those_it_is_for_by_words_of_theirs(refid: str, question: str) -> None:
    assert is_about(question, special(refid))


@pytest.mark.parametrize(
    ("refid", "question"),
    [
        (STATE, "Hvor lang er oppsigelsesfristen?"),
        (STATE, "Har arbeidsgiver plikt til å etablere verneombud?"),
        (SHIPS, "Kan sjefen si meg opp fordi jeg er syk?"),
        (COOPERATIVES, "Kan utleier nekte meg hund?"),
    ],
)
def test_a_question_about_everybody_is_not_about_them(refid: str, question: str) -> None:
    assert not is_about(question, special(refid))


def test_an_act_yields_to_the_general_acts_of_its_subject() -> None:
    assert yields_to(special(STATE), WORKING_ENVIRONMENT)
    assert not yields_to(special(STATE), TENANCY)
    assert yields_to(special(COOPERATIVES), TENANCY) and yields_to(special(COOPERATIVES), CONDOMINIUMS)
    assert not yields_to(None, WORKING_ENVIRONMENT)


def test_no_act_yields_to_one_that_yields_to_it() -> None:
    for refid in (STATE, SHIPS, SALES, COOPERATIVES, CONDOMINIUMS):
        act = special(refid)
        assert refid not in act.general
        assert not any(yields_to(special_act(general), refid) for general in act.general)


@pytest.mark.parametrize(
    "question",
    [
        "Kjøpt sofa av privatperson, kan jeg angre?",
        "Kjøpte en sykkel på Finn, og giret er ødelagt. Hva kan jeg kreve?",
        "Eg kjøpte ei kajakk frå ein privatperson. Kan eg få pengane att?",
        "I bought a used car from a private seller. Can I return it?",
    ],
)
def test_an_act_that_binds_traders_alone_is_not_for_a_purchase_between_private_persons(question: str) -> None:
    found = not_for(question, CONSUMER_SALES)
    assert found is not None and set(found) == {"nb", "nn", "en"}
    assert not_for(question, SALES) is None


def test_an_act_that_binds_traders_is_for_every_other_purchase() -> None:
    assert not_for("Kan jeg angre på en sofa som jeg kjøpte på nettet?", CONSUMER_SALES) is None
    assert not_for("Får butikken bruke opplysninger om privatlivet mitt?", CONSUMER_SALES) is None
