"""`search_lovdata_legal_practice`: how the law is used."""

from collections.abc import Iterable, Mapping
from typing import Any

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.ports import FindsPractice
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import Misunderstood
from lovsvar_agent.core.reasoning.prose import plain_excerpt, plain_title
from lovsvar_agent.core.reasoning.tool_results import excerpts
from lovsvar_agent.core.source_kinds.practice import PRACTICE
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.tool import Found, Tool, parameters, text
from lovsvar_contracts.identifiers import LOVDATA
from lovsvar_contracts.practice import FindPractice, PracticeHit

MAX_TITLE = 300
MAX_SNIPPET = 2_000
"""Characters that are used of what a search engine gives; it gives far fewer."""

NAME = "search_lovdata_legal_practice"
UNTITLED = "Avgjørelse uten tittel"
NOT_SET_UP = "Praksissøk er ikke satt opp. Svar ut fra lovteksten alene, og si at praksis ikke er søkt."
OTHERWISE = "Prøv andre ord, eller svar ut fra lovteksten."

DESCRIPTION = """\
Søk etter hvordan reglene tolkes og brukes: rettsavgjørelser, Trygderetten, Husleietvistutvalget, Norsk Lovtidend,
Statens personalhåndbok. Treffene er utdrag fra en søkemotor, aldri lovtekst."""

PARAMETERS = parameters(("query",), query=text("Juridiske uttrykk."))


def practice_search(find_practice: FindsPractice | None) -> Tool:
    """Return the tool that searches practice by `find_practice`; without it, the tool says that it is not set up."""

    async def find(law: LawAccess, given: Mapping[str, Any]) -> Found:
        query = read.required(given, "query")
        if find_practice is None:
            raise Misunderstood(NOT_SET_UP)
        num = read.number_of(given, "num", 10, 20)
        # Asked once: the practice service tries again itself, and every request counts against its budget.
        found = await find_practice(FindPractice(query=query, num=num, correlation_id=law.asked.correlation_id))
        if hits := _at_lovdata(found.hits):
            return Found(result=hits, sources=((PRACTICE, hits),), count=len(hits))
        return Found(said=(f"Praksissøket etter «{query}» ga ingen treff. {OTHERWISE}",))

    return Tool(
        NAME, "Søker i rettspraksis", DESCRIPTION, PARAMETERS, find, show_practice, finds=(PRACTICE,), acts=True
    )


def show_practice(hits: Iterable[PracticeHit], sources: EvidenceRegistry, tokens: int) -> tuple[str, bool]:
    """Return the excerpts of decisions."""
    return excerpts((sources.of(PRACTICE, hit) for hit in hits), sources, tokens)


def _at_lovdata(hits: Iterable[PracticeHit]) -> tuple[PracticeHit, ...]:
    """Return the hits at lovdata.no, without addresses, Markdown and requests in their foreign text."""
    return tuple(
        PracticeHit(
            title=plain_title(h.title[: 2 * MAX_TITLE])[:MAX_TITLE] or UNTITLED,
            url=h.url,
            snippet=plain_excerpt(h.snippet)[:MAX_SNIPPET],
        )
        for h in hits
        if h.url.startswith((f"{LOVDATA}/", "https://www.lovdata.no/"))
    )
