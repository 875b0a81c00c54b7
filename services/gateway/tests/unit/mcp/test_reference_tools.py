"""Checking the citations of a text, with a resolver that knows what it is told."""

import re
from typing import Any, cast

import pytest

from lovsvar_contracts.law import LawType
from lovsvar_contracts.search import FoundReference, ProvisionRef, Provisions, Resolution, ResolvedReference
from lovsvar_gateway.core.mcp.results import Stamp
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_gateway.mcp.reference_tools import MAX_CITATIONS, ReferenceTools
from lovsvar_legaltext.no_act import act_before

_CITED = re.compile(r"(?P<act>\w+\.?) (?P<number>§ \S*\d|art\. \d+)")


class Known:
    """A law with the acts that it is given, which have every section; it knows no other act."""

    def __init__(self, provision: Any, **acts: ResolvedReference) -> None:
        self.provision = provision
        self.acts = {**acts, **{act.refid: act for act in acts.values()}}
        self.asked = 0

    async def resolve(self, text: str) -> Resolution:
        self.asked += 1
        text = text.replace("lov/1999-03-26-17", "husleieloven").replace("forskrift/2009-06-02-628", "depotforskriften")
        found = []
        for cited in _CITED.finditer(text):
            act = self.acts.get(cited["act"])
            section = cited["number"].replace("§ ", "§").replace("art. ", "emkn/a")
            matches = (act.model_copy(update={"section": section}),) if act else ()
            detail = "" if act else f"Fant ingen lov eller forskrift som heter «{cited['act']}»."
            written = cited[0] if act else cited["number"]
            name, law_type = act_before(cited["act"], len(cited["act"]))
            reason: Any = "" if act else "act_unknown" if name else "act_not_named"
            found.append(FoundReference(text=written, matches=matches, detail=detail, reason=reason, law_type=law_type))
        return Resolution(reference=text, outcome="several", references=tuple(found), corpus_version=1)

    async def read(self, refs: tuple[ProvisionRef, ...]) -> Provisions:
        found = tuple(self.provision(section=ref.section, refid=ref.refid) for ref in refs)
        return Provisions(provisions=found, corpus_version=1)

    async def stamp(self, served: Resolution) -> Stamp:
        return Stamp(corpus_version=served.corpus_version)


@pytest.fixture
def known(provision: Any, reference: Any) -> Known:
    regulation = reference(
        refid="forskrift/2009-06-02-628", act="Depotforskriften", law_type=LawType.FORSKRIFT, section=None
    )
    treaty = reference(refid="lov/1999-05-21-30", act="Menneskerettsloven", section=None)
    return Known(provision, husleieloven=reference(None), depotforskriften=regulation, EMK=treaty)


async def judged(known: Known, text: str) -> list[tuple[str, str, str]]:
    result = await ReferenceTools(cast(CachedLaw, known)).valider_henvisning(text)
    assert result.structured_content is not None
    return [(one["text"], one["verdict"], one["assumed_act"]) for one in result.structured_content["citations"]]


async def test_the_law_and_the_regulation_are_those_named_last(known: Known) -> None:
    text = "Etter husleieloven § 3-5 og depotforskriften § 1 gjelder loven § 3-6 og forskriften § 2."
    assert await judged(known, text) == [
        ("husleieloven § 3-5", "valid", ""),
        ("depotforskriften § 1", "valid", ""),
        ("§ 3-6", "valid", "Husleieloven"),
        ("§ 2", "valid", "Depotforskriften"),
    ]
    assert await judged(known, "Etter loven § 5.") == [("§ 5", "unknown_act", "")]


async def test_an_article_without_a_name_is_one_of_the_treaty_named_last(known: Known) -> None:
    result = await ReferenceTools(cast(CachedLaw, known)).valider_henvisning("Etter EMK art. 8, jf. art. 10.")
    assert (
        "«art. 10» (lest som EMK): ✓ finnes og er i kraft: EMK artikkel 10." in result.content[0].model_dump()["text"]
    )


async def test_an_article_of_an_eu_act_is_no_article_of_a_law_named_before(known: Known) -> None:
    text = "Etter EMK art. 8 og direktiv 2011/83/EU art. 6, jf. art. 9."
    assert [verdict for _, verdict, _ in await judged(known, text)] == ["valid", "unknown_act", "unknown_act"]


async def test_no_more_of_a_text_is_looked_up_than_is_told(known: Known) -> None:
    text = "Se husleieloven § 3-5.\n" * 1_000
    result = await ReferenceTools(cast(CachedLaw, known)).valider_henvisning(text)
    assert result.structured_content is not None
    assert len(result.structured_content["citations"]) == MAX_CITATIONS
    assert result.structured_content["truncated"]
    assert "Bare 100 er kontrollert" in result.content[0].model_dump()["text"]
    assert known.asked < 2 * MAX_CITATIONS
