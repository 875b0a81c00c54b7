"""What the reasoner's advice refers to, held against the sources of the run: it adds no citations of its own."""

import asyncio
import re
from collections.abc import Sequence

from lovsvar_agent.core.reasoning.authority_check import founded
from lovsvar_agent.core.reasoning.checked_prose import marked
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.problems import ProblemError
from lovsvar_legaltext.authorities import authorities_in
from lovsvar_legaltext.written_references import Reference, named_in

NOT_FOUND_YET = "(ikke i kildene)"
MOST_REFERENCES = 30
"""References of one piece of advice that are looked up; those beyond are marked."""


async def checked_advice(text: str, law: LawAccess) -> tuple[str, tuple[str, ...]]:
    """Return advice with a mark behind what it refers to that no source of the run is, and what that was.

    Ids of sources that there are not are taken out.
    """
    ids = re.compile(rf"\s*\[({law.sources.id_pattern})\]")
    unknown = tuple(dict.fromkeys(m[1] for m in ids.finditer(text) if law.sources.named(m[1]) is None))
    text = ids.sub(lambda m: m[0] if law.sources.named(m[1]) else "", text)
    authorities = [one for one in authorities_in(text) if not one.general]
    taken = [(one.start, one.end) for one in authorities]
    places = [p for p in named_in(text) if not any(start <= p.start < end for start, end in taken)]
    known = await _known([p.reference for p in places], law)
    lost = [(p.start, p.end) for p in places if not known.get(p.reference)]
    there = await founded(authorities, law)
    lost += [(one.start, one.end) for one, holds in zip(authorities, there, strict=True) if not holds]
    written = (" ".join(text[start:end].split()) for start, end in sorted(lost))
    return marked(text, ((end, NOT_FOUND_YET) for _, end in lost)), (*unknown, *dict.fromkeys(written))


async def _known(references: Sequence[Reference], law: LawAccess) -> dict[Reference, bool]:
    """Return of each reference whether it names a source of the run; one that cannot be looked up does not."""
    distinct = list(dict.fromkeys(references))[:MOST_REFERENCES]
    found = await asyncio.gather(*(_is_found(one, law) for one in distinct))
    return dict(zip(distinct, found, strict=True))


async def _is_found(reference: Reference, law: LawAccess) -> bool:
    sections = {(e.refid, section_key(e.section)) for e in law.sources.all if e.refid and e.section}
    if not reference.act:
        return section_key(f"§{reference.section}") in {section for _, section in sections}
    try:
        async with asyncio.timeout_at(law.until):
            matches = (await law.resolve(reference.written)).matches
    except (ProblemError, TimeoutError):
        return False
    if reference.section:
        return any((m.refid, section_key(m.section or "")) in sections for m in matches)
    return any(m.refid in law.sources.acts() for m in matches)
