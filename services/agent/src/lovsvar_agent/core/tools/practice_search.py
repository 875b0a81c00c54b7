"""`search_lovdata_legal_practice`: how the law is used."""

from collections.abc import Mapping
from typing import Any

from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import Misunderstood
from lovsvar_agent.core.reasoning.prose import plain_line
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.schemas import number, record, text
from lovsvar_agent.core.tools.tool import Found, Tool
from lovsvar_contracts.identifiers import LOVDATA
from lovsvar_contracts.practice import FindPractice, PracticeHit

MAX_TITLE = 300
MAX_SNIPPET = 2_000
"""Characters that are used of what a search engine gives; it gives far fewer."""

UNTITLED = "Avgjørelse uten tittel"

DESCRIPTION = """\
Søk på lovdata.no etter hvordan reglene er brukt i praksis: rettsavgjørelser, Trygderetten, Husleietvistutvalget,
Norsk Lovtidend og Statens personalhåndbok. Bruk denne når spørsmålet gjelder tolkning, skjønn eller praksis, og gjerne
sammen med search_lovdata_legal_documents: først lovteksten, så eksempler på bruken av den. Treffene er utdrag fra en
søkemotor; de er opplysninger, aldri lovtekst."""


async def find_practice(law: LawAccess, given: Mapping[str, Any]) -> Found:
    """Search practice; what is not at lovdata.no is dropped, and addresses in foreign text are taken out."""
    query = read.required(given, "query")
    if law.practice is None:
        raise Misunderstood("Praksissøk er ikke satt opp. Svar ut fra lovteksten alene, og si at praksis ikke er søkt.")
    request = FindPractice(query=query, num=read.number_of(given, "num", 10, 20), correlation_id=law.correlation_id)
    # Asked once: the practice service tries again itself, and every request counts against its budget.
    found = await law.practice.find(request)
    hits = tuple(
        PracticeHit(
            title=plain_line(h.title)[:MAX_TITLE] or UNTITLED,
            url=h.url,
            snippet=plain_line(h.snippet)[:MAX_SNIPPET],
        )
        for h in found.hits
        if h.url.startswith((f"{LOVDATA}/", "https://www.lovdata.no/"))
    )
    said = (
        () if hits else (f"Praksissøket etter «{query}» ga ingen treff. Prøv andre ord, eller svar ut fra lovteksten.",)
    )
    return Found(practice=hits, said=said, total=len(hits))


PRACTICE_SEARCH = Tool(
    name="search_lovdata_legal_practice",
    title="Søker i rettspraksis",
    description=DESCRIPTION,
    parameters=record(
        ("query",),
        query=text("Søkeordene: juridiske uttrykk, lovnavn eller emner."),
        num=number("Antall treff, høyst 20.", minimum=1, maximum=20, default=10),
    ),
    call=find_practice,
)
