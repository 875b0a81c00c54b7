"""The clauses of a sentence, what they do with which verb, and on which side of a quantity something is."""

import pytest

from lovsvar_legaltext.bounds import Bound, bound_of
from lovsvar_legaltext.clauses import Role, clauses
from lovsvar_legaltext.modality import Force
from lovsvar_legaltext.quantities import quantities
from lovsvar_legaltext.stances import read_sentence


@pytest.mark.parametrize(
    ("sentence", "roles"),
    [
        ("Leieren betaler.", [Role.MAIN]),
        ("Leieren kan heve dersom husrommet har mangler.", [Role.MAIN, Role.CONDITION]),
        ("Har leieren ikke betalt, kan utleieren heve.", [Role.CONDITION, Role.MAIN]),
        ("Avtalen gjelder, med mindre annet er avtalt.", [Role.MAIN, Role.EXCEPTION]),
        ("Den som leier, skal betale.", [Role.MAIN, Role.ATTRIBUTE, Role.MAIN]),
        ("The tenant may leave if the house burns.", [Role.MAIN, Role.CONDITION]),
        ("Det er utleieren som betaler.", [Role.MAIN]),
    ],
)
def test_a_sentence_in_clauses(sentence: str, roles: list[Role]) -> None:
    assert [clause.role for clause in clauses(sentence)] == roles


@pytest.mark.parametrize(
    ("sentence", "force", "denied", "verb"),
    [
        ("Utleieren kan ikke kreve gebyr.", Force.PERMIT, True, "krev"),
        ("Ingen kan kreve gebyr.", Force.PERMIT, True, "krev"),
        ("Leieren har ikke rett til å kreve erstatning.", Force.ENTITLE, True, "krev"),
        ("Det er ikke forbudt å kreve gebyr.", Force.PERMIT, False, "krev"),
        ("Leieren plikter å melde fra.", Force.OBLIGE, False, "meld"),
        ("Du trenger ikke melde fra.", Force.EXEMPT, True, "meld"),
        ("Leieren bør melde fra.", Force.ADVISE, False, "meld"),
        ("Da skal den som har ansvaret, melde fra.", Force.OBLIGE, False, "meld"),
    ],
)
def test_what_is_done_with_a_verb(sentence: str, force: Force, denied: bool, verb: str) -> None:
    (event,) = read_sentence(sentence).events
    assert (event.force, event.denied) == (force, denied)
    assert verb in event.verbs


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("minst tre måneder", Bound.LEAST),
        ("høyst tre måneder", Bound.MOST),
        ("ikke over tre måneder", Bound.MOST),
        ("kan ikke kreve leie for mer enn tre måneder", Bound.MOST),
        ("kan kreve leie for mer enn tre måneder", Bound.LEAST),
        ("kan ikke være høyere enn tre måneder", Bound.MOST),
        ("no later than three months", Bound.MOST),
        ("cannot be more than three months", Bound.MOST),
        ("more than three months", Bound.LEAST),
        ("under 18 år", Bound.MOST),
        ("tre måneder", None),
        ("senest tre måneder før", None),
        ("minst en uke, tre måneder", None),
        ("minst ti ansatte i tre måneder", None),
        ("innenfor et tidsrom på tre måneder", Bound.MOST),
        ("aldri over tre måneder", Bound.MOST),
        ("fravær utover tre måneder", Bound.LEAST),
        ("cannot be more than three months", Bound.MOST),
        ("kan ikke behandles når det er gått mer enn tre måneder", Bound.LEAST),
    ],
)
def test_the_least_and_the_most(text: str, bound: Bound | None) -> None:
    assert bound_of(quantities(text, "en" if "three" in text else "nb")[-1], text) is bound
