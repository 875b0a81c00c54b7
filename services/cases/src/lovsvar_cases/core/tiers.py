"""The tiers of cases, and which one a description belongs to, by rules."""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from lovsvar_contracts.case_credit import CaseTexts, ReadCaseTexts, TierTexts
from lovsvar_contracts.case_details import CaseDetails, CaseTier
from lovsvar_contracts.message import Frozen

FEWEST_WORDS = 4
"""A description of fewer says too little."""

AMOUNT = re.compile(
    r"(?:kr\.?|nok)\s*(\d{1,3}(?:[ .\u00a0]\d{3})+|\d+)|(\d{1,3}(?:[ .\u00a0]\d{3})+|\d+)\s*(?:kr\b|kroner|nok\b|,-)",
    re.IGNORECASE,
)
MILLIONS = re.compile(r"(\d+(?:[.,]\d+)?)\s*mill", re.IGNORECASE)


class TierDefinition(Frozen):
    """A tier: what it is for people and models, and the words that speak for it."""

    tier: CaseTier
    name: str
    description: str
    keywords: tuple[str, ...]
    examples: tuple[str, ...]


class Amounts(Frozen):
    """The kroner from which a case is at least of the second or the third tier."""

    tier2: int
    tier3: int


class TierDefinitions(Frozen):
    """All tiers, and the one question that is asked when a description says too little."""

    question: str
    tiers: tuple[TierDefinition, ...] = Field(min_length=3, max_length=3)
    amounts: Amounts


class TierNames(Frozen):
    """What a tier is called and for, in one language."""

    name: str
    description: str


class Translation(Frozen):
    """What a person reads when a case begins, in one language. `{tier}` stands for the number of the tier."""

    greeting: str
    question: str
    has_quota: str
    no_quota: str
    tiers: dict[CaseTier, TierNames] = Field(min_length=3, max_length=3)

    def shown(self, locale: Literal["nb", "nn", "en"]) -> CaseTexts:
        """Return the texts as a reply."""
        tiers = (
            TierTexts(
                tier=tier,
                name=names.name,
                description=names.description,
                has_quota=self.has_quota.replace("{tier}", str(tier)),
                no_quota=self.no_quota.replace("{tier}", str(tier)),
            )
            for tier, names in sorted(self.tiers.items())
        )
        return CaseTexts(locale=locale, greeting=self.greeting, question=self.question, tiers=tuple(tiers))


class TierTranslations(Frozen):
    """The texts in bokmål, nynorsk and English."""

    nb: Translation
    nn: Translation
    en: Translation


async def read_case_texts(request: ReadCaseTexts, translations: TierTranslations) -> CaseTexts:
    """Return the texts in the language that is asked for."""
    by_locale = {"nb": translations.nb, "nn": translations.nn, "en": translations.en}
    return by_locale[request.locale].shown(request.locale)


class TierProposal(Frozen):
    """A tier and why; without a tier, `reason` is the question to ask."""

    tier: CaseTier | None = None
    reason: str


def proposed_tier(text: str, definitions: TierDefinitions) -> TierProposal:
    """Return the tier of a case that is described by `text`: the highest that its words or its amount speak for.

    What only the simplest words speak for is simple; what no word speaks for, is not known.
    """
    words = " ".join(text.casefold().split())
    found = {one.tier: _keywords(words, one.keywords) for one in definitions.tiers}
    by_words = max((tier for tier, keywords in found.items() if keywords), default=None)
    largest = max(_amounts(text), default=0)
    by_amount = 3 if largest >= definitions.amounts.tier3 else 2 if largest >= definitions.amounts.tier2 else None
    tier = max((one for one in (by_words, by_amount) if one is not None), default=None)
    if tier is None or len(words.split()) < FEWEST_WORDS:
        return TierProposal(reason=definitions.question)
    reasons = [f"beløpet er {largest:,} kr".replace(",", " ")] if by_amount == tier else []
    if found[tier]:
        reasons.insert(0, "beskrivelsen nevner " + ", ".join(f"«{word}»" for word in found[tier][:5]))
    name = next(one.name for one in definitions.tiers if one.tier == tier)
    return TierProposal(tier=tier, reason=f"{name}: {' og '.join(reasons)}.")


def description_of(details: CaseDetails) -> str:
    """Return what a case says of itself, for deciding on its tier."""
    said = (one.text for one in details.agent_interactions.log if one.by == "person")
    parts = (details.summary.current, *said, *(fact.fact for fact in details.facts), *details.objectives)
    return "\n".join(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _keywords(words: str, keywords: Sequence[str]) -> list[str]:
    # Norwegian puts endings on words and words together: «oppsigelsen», «husleiedepositum».
    return [word for word in keywords if re.search(rf"(?:\b|\w{{3}}){re.escape(word)}", words)]


def _amounts(text: str) -> list[int]:
    plain = [int(re.sub(r"\D", "", found[1] or found[2])[:12]) for found in AMOUNT.finditer(text)]
    return plain + [int(float(found[1].replace(",", ".")) * 1_000_000) for found in MILLIONS.finditer(text[:20_000])]
