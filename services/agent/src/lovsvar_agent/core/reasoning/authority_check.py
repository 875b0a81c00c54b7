"""Which decisions, preparatory works, circulars and EU acts that prose names are in the sources of the run."""

import asyncio
from collections.abc import Sequence

from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.problems import ProblemError
from lovsvar_legaltext.authorities import Authority, SourceType, authorities_in
from lovsvar_legaltext.eu_acts import eu_acts

TAKEN_IN = frozenset({SourceType.EU_ACT, SourceType.TREATY})
"""Kinds of which some are printed inside Norwegian acts, as the resolver of references knows."""


async def founded(authorities: Sequence[Authority], law: LawAccess) -> list[bool | None]:
    """Return of each authority whether a source of the run names it, or an act takes it in; None if search did not say.

    What is named in general («Høyesterett har slått fast») is founded on a source that is not law and names that kind.
    """
    if not authorities:
        return []
    sources = law.sources
    named: list[Authority] = []
    excerpts: list[Authority] = []
    words = ""
    for one in sources.all:
        is_law = sources.kind(one).proves_law
        text = sources.text(one) or one.snippet
        found = authorities_in(text if is_law else f"{one.title}\n{text}")
        named += found
        if not is_law:
            excerpts += found
            words += f"{one.title}\n{text}\n".casefold()

    def is_named(authority: Authority) -> bool:
        if authority.general:
            return any(e.type is authority.type for e in excerpts) or authority.text.casefold() in words
        return any(authority.is_part_of(other) for other in named)

    return list(await asyncio.gather(*(_is_founded(a, is_named(a), law) for a in authorities)))


async def _is_founded(authority: Authority, named: bool, law: LawAccess) -> bool | None:
    if named or authority.type not in TAKEN_IN:
        return named
    return bool(found) if (found := await taken_in(authority, "", law)) is not None else None


async def taken_in(authority: Authority, place: str, law: LawAccess) -> bool | None:
    """Return whether an act takes in an EU act or a treaty (and its `place`: «artikkel 6»); None without a reply."""
    usual = [act.usual_name for act in eu_acts((authority.text,))]
    for name in dict.fromkeys((*usual, authority.text)):
        try:
            async with asyncio.timeout_at(law.until):
                found = await law.resolve(f"{name} {place}".strip())
        except (ProblemError, TimeoutError):
            return None
        if any(match.section for match in found.matches) if place else found.matches:
            return True
    return False
