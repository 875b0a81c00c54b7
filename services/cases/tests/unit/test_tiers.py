"""Which tier a description belongs to, by rules."""

import pytest

from lovsvar_cases.adapters.tier_file import read_tiers
from lovsvar_cases.core.tiers import proposed_tier

TIERS = read_tiers()


@pytest.mark.parametrize("tier", TIERS.tiers, ids=lambda one: one.name)
def test_every_example_is_of_its_tier(tier) -> None:
    assert {proposed_tier(example, TIERS).tier for example in tier.examples} == {tier.tier}


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("Jeg klager på en faktura på 1 500 kr fra en butikk.", 1),
        ("Butikken skylder meg 150 000 kr for en faktura.", 2),
        ("Kravet på fakturaen er 1,2 millioner kroner.", 3),
        ("Jeg fikk oppsigelsen, og nå er saken for tingretten.", 3),
        ("Husleiedepositumet er ikke betalt tilbake.", 1),
        ("Noe er galt her hjemme hos oss nå.", None),
        ("Faktura", None),
        ("", None),
    ],
)
def test_words_and_amounts_decide(text: str, tier: int | None) -> None:
    proposal = proposed_tier(text, TIERS)
    assert proposal.tier == tier
    assert tier is not None or proposal.reason == TIERS.question
