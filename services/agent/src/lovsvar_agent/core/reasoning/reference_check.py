"""Which references in prose name something: sections, places inside them, chapters, acts, and other sources of law."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.reasoning.authority_check import founded, taken_in
from lovsvar_agent.core.reasoning.checked_prose import QUOTATION, Vetted, marked
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import MAX_READ, ProvisionRef, ReadProvisions
from lovsvar_legaltext.authorities import Authority, authorities_in
from lovsvar_legaltext.pinpoints import NOWHERE, Pinpoint, read_pinpoints
from lovsvar_legaltext.places import has_place
from lovsvar_legaltext.quotes import find
from lovsvar_legaltext.written_references import Located, Reference, chapters_in, named_in

MAX_RESOLVED = 40
"""References of one answer that are looked up; those beyond count as not found."""

MAX_ACTS = 6
"""Acts in which a section is looked for whose act is not named with it."""

MAX_SECTION = 40
"""Characters that the name of a section may have."""

_LAWLIKE = re.compile(r"lov|forskrift|instruks|reglement|/", re.IGNORECASE)
_GENERIC = re.compile(
    r"^(?:sær|spesial|ramme|hoved|endrings|fullmakts|opphevelses|gjennomførings|moder|deleg\w*|lokale?|sentral\w*|slike?|egne?|egen)"
    r"-?(?:lov|forskrift)\w*$",
    re.IGNORECASE,
)
_NEXT_TO = re.compile(r"[\s,]*(?:sin|sitt|its)?\s*")
_ARTICLE = re.compile(r"(\d+\s?[a-z]?)$", re.IGNORECASE)


Key = tuple[str, str]
"""A document's refid and the key of its section; empty for the whole document."""


@dataclass(frozen=True)
class _Verdict:
    """Whether a reference names something (None: search did not reply), and the provisions that it may name."""

    holds: bool | None
    provisions: tuple[Key, ...] = ()


@dataclass(frozen=True)
class _Fault:
    """What does not hold: where its mark goes, how it is written, and the mark."""

    end: int
    written: str
    mark: str


async def vet_references(text: str, law: LawAccess, wording: Wording) -> Vetted:
    """Mark everything that `text` names and that does not exist, is in no source, or could not be looked up.

    A section, an act, a chapter and a place inside a section («annet ledd bokstav b») must be in the corpus. A
    decision, a preparatory work, a circular or an EU act must be named by a source of the run, or be taken in by an
    act. Words that are quoted from the law are passed over.
    """
    texts = [t for e in law.sources.all if law.sources.proves_law(e.evidence_id) and (t := law.sources.text(e))]
    quoted = [m.span() for m in QUOTATION.finditer(text) if any(find(m.group(), t) for t in texts)]

    def own(start: int) -> bool:
        return not any(first <= start < last for first, last in quoted)

    authorities = [one for one in authorities_in(text) if own(one.start)]
    articles = {one.start: _article_of(one, text) for one in authorities}
    taken = [(one.start, max(one.end, articles[one.start])) for one in authorities if not one.general]
    places = [p for p in named_in(text) if own(p.start) and not any(a <= p.start < b for a, b in taken)]
    chapters = [c for c in chapters_in(text) if own(c.start)]
    unsourced, faults = await asyncio.gather(
        _authority_faults(text, authorities, articles, law, wording),
        _reference_faults(text, places, chapters, law, wording),
    )
    return Vetted(
        marked(text, ((fault.end, fault.mark) for fault in (*unsourced, *faults))),
        unresolved=_written(faults, wording.not_found),
        unchecked=_written((*unsourced, *faults), wording.not_checked),
        unsourced=_written(unsourced, wording.not_in_sources),
    )


def _written(faults: Iterable[_Fault], mark: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fault.written for fault in faults if fault.mark == mark))


def _article_of(authority: Authority, text: str) -> int:
    """Return the end of the article that follows an authority: «direktiv 2004/38/EF artikkel 7»; 0 without one."""
    for place in named_in(text[authority.start :]):
        start, end = authority.start + place.start, authority.start + place.end
        near = start < authority.end < end or _NEXT_TO.fullmatch(text, authority.end, start)
        if (near and "/a" in (place.reference.section or "")) or (near and " artikkel " in place.reference.act):
            return end
    return 0


async def _authority_faults(
    text: str, authorities: Sequence[Authority], articles: dict[int, int], law: LawAccess, wording: Wording
) -> list[_Fault]:
    faults = []
    for authority, known in zip(authorities, await founded(authorities, law), strict=True):
        holds, end = known, max(authority.end, articles[authority.start])
        article = _ARTICLE.search(text[authority.end : end])
        if holds and article and await taken_in(authority, "", law):
            holds = await taken_in(authority, f"artikkel {article[1]}", law)
        if not holds:
            mark = wording.not_checked if holds is None else wording.not_in_sources
            faults.append(_Fault(end, text[authority.start : end], mark))
    return faults


async def _reference_faults(
    text: str, places: Sequence[Located], chapters: Sequence[Located], law: LawAccess, wording: Wording
) -> list[_Fault]:
    verdicts, acts = await _verdicts(places, law)
    pinpoints = dict(_pinpoints(text, places))
    read = await _read((key for n in pinpoints for key in verdicts[n].provisions), law)
    faults = []
    for number, (place, verdict) in enumerate(zip(places, verdicts, strict=True)):
        written = place.reference.written if place.reference.act else text[place.start : place.end].strip()
        if not verdict.holds:
            faults.append(
                _Fault(place.end, written, wording.not_checked if verdict.holds is None else wording.not_found)
            )
        elif number in pinpoints and verdict.provisions:
            end, wanted = pinpoints[number]
            found = None if read is None else [read[key] for key in verdict.provisions if key in read]
            if found and not any(all(has_place(p, one) for one in wanted) for p in found):
                faults.append(_Fault(end, " ".join(text[place.start : end].split()), wording.not_found))
            elif found is None:
                faults.append(_Fault(end, " ".join(text[place.start : end].split()), wording.not_checked))
    held = await asyncio.gather(*(_has_chapter(c.reference, acts, law) for c in chapters))
    for chapter, holds in zip(chapters, held, strict=True):
        if not holds:
            written = f"{chapter.reference.act} {chapter.reference.ledd}".strip()
            faults.append(_Fault(chapter.end, written, wording.not_checked if holds is None else wording.not_found))
    return faults


def _pinpoints(text: str, places: Sequence[Located]) -> Iterator[tuple[int, tuple[int, tuple[Pinpoint, ...]]]]:
    """Yield the places inside a section that follow it, by its number among `places`, with the end of their words."""
    for number, place in enumerate(places):
        last_there = number + 1 == len(places) or places[number + 1].start >= place.end
        if not place.reference.section or not last_there:
            continue
        article = place.reference.section.startswith("/a")
        first = read_pinpoints(place.reference.ledd, 0, article=article)[0][0]
        # The letter of the next line is the label of an item.
        line = text[: text.find("\n", place.end)] if "\n" in text[place.end :] else text
        found, end = read_pinpoints(line, place.end, article=article)
        wanted = tuple(one.within(first) for one in found)
        if wanted != (NOWHERE,):
            yield number, (end if found != (NOWHERE,) else place.end, wanted)


async def _verdicts(places: Sequence[Located], law: LawAccess) -> tuple[list[_Verdict], tuple[str, ...]]:
    """Return of each place whether it names something, and the acts in which a section without one was looked for."""
    distinct = list(dict.fromkeys(p.reference for p in places))[:MAX_RESOLVED]
    named = [r for r in distinct if r.act]
    found = dict(zip(named, await asyncio.gather(*(_resolves(r, law) for r in named)), strict=True))
    acts = tuple(dict.fromkeys(refid for keys in found.values() for refid, _ in keys or ()))
    acts = tuple(dict.fromkeys((*acts, *law.sources.acts())))[: 2 * MAX_ACTS]
    sections = [r for r in distinct if r.section is not None and len(r.section) <= MAX_SECTION]
    bare = [r for r in sections if not found.get(r) and not _LAWLIKE.search(r.act)]
    there = await _read(((a, section_key(f"§{r.section}")) for r in bare for a in acts), law)

    def verdict(reference: Reference) -> _Verdict:
        if _GENERIC.match(reference.act) and not reference.section:
            return _Verdict(True)
        if reference not in distinct:
            return _Verdict(False)
        if keys := found.get(reference):
            return _Verdict(True, tuple(key for key in keys if key[1]))
        if reference in bare:
            named_so = tuple(key for key in there or () if key[1] == section_key(f"§{reference.section}"))
            found_so = bool(named_so) or _is_article(reference, law)
            return _Verdict(found_so or (None if there is None else False), named_so)
        return _Verdict(None if found.get(reference, ()) is None else False)

    return [verdict(p.reference) for p in places], acts


async def _resolves(reference: Reference, law: LawAccess) -> tuple[Key, ...] | None:
    """Return what a reference may name; None when search could not say."""
    try:
        async with asyncio.timeout_at(law.until):
            resolution = await law.resolve(reference.written)
    except (ProblemError, TimeoutError):
        return None
    needs_section = bool(reference.section) or " artikkel " in reference.act
    return tuple((m.refid, section_key(m.section or "")) for m in resolution.matches if m.section or not needs_section)


async def _has_chapter(reference: Reference, acts: Iterable[str], law: LawAccess) -> bool | None:
    """Return whether the act that a chapter is named with has it, or one of `acts`; None when search could not say."""
    chapter = reference.ledd
    for act in [reference.act] if reference.act else acts:
        try:
            async with asyncio.timeout_at(law.until):
                resolution = await law.resolve(f"{act} {chapter}")
        except (ProblemError, TimeoutError):
            return None
        if any(match.chapter for match in resolution.matches):
            return True
    return False


async def _read(wanted: Iterable[Key], law: LawAccess) -> dict[Key, Provision] | None:
    """Return those of the provisions that exist; None when search could not say."""
    refs = [ProvisionRef(refid=refid, section=section) for refid, section in dict.fromkeys(wanted)]
    there: dict[Key, Provision] = {}
    for at in range(0, len(refs), MAX_READ):
        request = ReadProvisions(refs=tuple(refs[at : at + MAX_READ]), correlation_id=law.asked.correlation_id)
        try:
            async with asyncio.timeout_at(law.until):
                found = await law.search.read(request)
        except (ProblemError, TimeoutError):
            return None
        there |= {(p.refid, section_key(p.section)): p for p in found.provisions}
    return there


def _is_article(reference: Reference, law: LawAccess) -> bool:
    """Whether an article whose act is not named with it is one that was found: `gdpr/a6`."""
    name = section_key(reference.section or "")
    return name.startswith("/a") and any(section_key(e.section or "").endswith(name) for e in law.sources.all)
