"""What a sentence of law does, and which claims speak against it."""

import pytest

from lovsvar_legaltext.modality import Force, condition, contradicts, forces


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("Utleieren kan kreve depositum.", {Force.PERMIT}),
        ("Utleieren kan ikke kreve depositum.", {Force.FORBID}),
        ("Utleigaren kan ikkje krevje depositum.", {Force.FORBID}),
        ("Arbeidsgiver skal varsle.", {Force.OBLIGE}),
        ("Du må ikke røyke.", {Force.FORBID}),
        ("Du trenger ikke å betale.", {Force.EXEMPT}),
        ("Arbeidstaker har ikke plikt til å svare.", {Force.EXEMPT}),
        ("Arbeidstaker har rett til ferie.", {Force.PERMIT}),
        ("Leieren har ikke rett til erstatning.", {Force.FORBID}),
        ("Det er forbudt å kjøre.", {Force.FORBID}),
        ("The tenant shall pay.", {Force.OBLIGE}),
        ("The tenant may not sublet.", {Force.FORBID}),
        ("Utleieren betaler.", set()),
    ],
)
def test_the_force_of_a_sentence(text: str, does: set[Force]) -> None:
    assert forces(text) == does


@pytest.mark.parametrize(
    ("claim", "source", "against"),
    [
        ("Utleieren skal ta depositum.", "Utleieren kan kreve depositum.", Force.OBLIGE),
        ("Du kan si opp.", "Arbeidsgiver skal varsle.", Force.PERMIT),
        ("Du kan kreve det.", "Utleieren kan ikke kreve det.", Force.PERMIT),
        ("Du kan ikke kreve det.", "Utleieren kan kreve det.", Force.FORBID),
        ("Du kan kreve det.", "Utleieren kan kreve det.", None),
        ("Du må betale.", "Leieren betaler.", None),
        ("Du kan ikke si opp.", "Avtalen kan bare sies opp dersom den er skriftlig.", None),
    ],
)
def test_a_claim_with_another_force_is_contradicted(claim: str, source: str, against: Force | None) -> None:
    assert contradicts(claim, source) is against


def test_a_condition_is_found() -> None:
    assert condition("Avtalen kan bare sies opp bare dersom leieren samtykker.") == "bare dersom"
    assert condition("Utleieren kan kreve det.") == ""
