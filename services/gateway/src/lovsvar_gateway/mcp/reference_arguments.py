"""What a model's arguments mean: an act by its name or number, and a provision in it."""

import re
from dataclasses import dataclass, replace

from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import LawType
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import ListDocuments, ProvisionRef, Resolution, ResolvedReference
from lovsvar_gateway.core.mcp import contents, result_text
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_gateway.mcp.tool_results import Unanswerable
from lovsvar_legaltext import separate_section

NEAR = 5  # documents that are suggested for a name that nothing has

_ARTICLE_NUMBER = re.compile(r"a(\d+)$")


@dataclass(frozen=True)
class Meant:
    """What was meant: `matches` of which the tool shows all, or candidates when it may be `several` acts.

    `missing` says which of the others that were named do not exist; `unknown` is whether no act has the name.
    """

    matches: tuple[ResolvedReference, ...]
    several: bool
    detail: str
    resolution: Resolution
    missing: tuple[str, ...] = ()
    unknown: bool = False


async def named(law: CachedLaw, name: str, section: str | None = None, prefer: LawType | None = None) -> Meant:
    """Return which act `name` is, or which provision or chapter of it `section` is."""
    return await (provision(law, name, section, prefer) if section else act(law, name, prefer))


async def act(law: CachedLaw, name: str, prefer: LawType | None = None) -> Meant:
    """Return which act or regulation `name` names."""
    resolution = await law.resolve(name)
    if not resolution.matches and not resolution.references:
        return Meant((), several=False, detail=await _unknown(law, name), resolution=resolution, unknown=True)
    return _meant(resolution, prefer)


async def _unknown(law: CachedLaw, name: str) -> str:
    """Return that no act has that name, and titles that contain it, acts first."""
    near = await law.documents(ListDocuments(title=name[:200], law_type=LawType.LOV, page_size=NEAR))
    if not near.documents:
        near = await law.documents(ListDocuments(title=name[:200], page_size=NEAR))
    law_itself = [one for one in near.documents if not is_announcement(one.refid)]
    listed = "; ".join(f"{one.short_title or one.title} ({one.refid})" for one in law_itself)
    return f"Fant ingen lov eller forskrift som heter «{name}»." + (f" Navnet står i: {listed}." if listed else "")


async def provision(law: CachedLaw, name: str, section: str, prefer: LawType | None = None) -> Meant:
    """Return which provision or chapter `section` of the act `name` is: "3-5", "§ 2 A-1", "artikkel 5", "kap. 3"."""
    if separate_section.names_place(name):
        if separate_section.is_place_alone(section):
            return _meant(await law.resolve(f"{name} {section}"), prefer, placed=True)
        name = await _without_place(law, name)
    if own := separate_section.data_name(section):
        return await _placed_in(law, _in_acts(await act(law, name, prefer), own[0]), own[1])
    first: Meant | None = None
    for written in separate_section.references_to(name, section):
        meant = _meant(await law.resolve(written), prefer, placed=True)
        first = first or meant
        if meant.matches:
            return meant
    assert first is not None  # noqa: S101
    return await _by_its_own_name(law, name, section, prefer) or first


async def _without_place(law: CachedLaw, name: str) -> str:
    """Return the refid of the act in `name` when that names a provision too: «husleieloven § 3-5». A title stays."""
    matches = (await law.resolve(name)).matches
    refids = {match.refid for match in matches}
    return refids.pop() if len(refids) == 1 and any(match.section for match in matches) else name


async def _placed_in(law: CachedLaw, meant: Meant, place: str) -> Meant:
    """Return the sections that were meant with the `place` in them that is written: "nr. 3 bokstav c"."""
    number = _ARTICLE_NUMBER.search(meant.matches[0].section or "") if meant.matches and place else None
    if number is None:
        return meant
    found = (await law.resolve(f"{meant.matches[0].refid} art. {number[1]} {place}")).matches
    places = found[0].model_dump(include={"ledd", "letter", "number", "sentence"}) if found else {}
    return replace(meant, matches=tuple(match.model_copy(update=places) for match in meant.matches))


async def _by_its_own_name(law: CachedLaw, name: str, section: str, prefer: LawType | None) -> Meant | None:
    """Return the section («kap2A») or division («vedlegg 8») with that name in the table of contents."""
    if separate_section.is_numbered(section):
        return None
    meant = await act(law, name, prefer)
    if len(meant.matches) != 1 or meant.matches[0].section:
        return None
    refid = meant.matches[0].refid
    try:
        read = await law.read((ProvisionRef(refid=refid, section=section),))
        return _in_acts(meant, read.provisions[0].section)
    except ProblemError as error:
        if error.problem.type is not ProblemType.NOT_FOUND:
            raise
    outline = await law.outline(refid)
    if node := contents.find(outline.children, section):
        return replace(meant, matches=(meant.matches[0].model_copy(update={"chapter": node.name}),))
    return None


def _in_acts(meant: Meant, section: str) -> Meant:
    """Return the section of Lovdata's own name ("gdpr/a5") in the acts that were meant."""
    return replace(meant, matches=tuple(match.model_copy(update={"section": section}) for match in meant.matches))


def _meant(resolution: Resolution, prefer: LawType | None, *, placed: bool = False) -> Meant:
    matches = resolution.matches
    if placed:
        matches = tuple(match for match in matches if match.section or match.chapter)
    if prefer is not None and len({match.refid for match in matches}) > 1:
        preferred = tuple(match for match in matches if match.law_type is prefer)
        matches = preferred or matches
    several = len({match.refid for match in matches}) > 1
    missing = tuple(dict.fromkeys(one.detail for one in resolution.references if not one.matches)) if matches else ()
    unknown = any(one.reason == "act_unknown" for one in resolution.references[:1])
    return Meant(matches, several, resolution.detail, resolution, missing, unknown)


def must_be_one(meant: Meant) -> ResolvedReference:
    """Return the one thing that was meant. Raises `Unanswerable` with the candidates, or why there is none."""
    if not meant.matches:
        repealed = " Opphevede lover er ikke i samlingen." if meant.unknown else ""
        raise Unanswerable(f'{meant.detail}{repealed} Søk med sok("…") når du ikke kjenner navnet.')
    if meant.several:
        raise Unanswerable(
            result_text.candidates(meant.matches, "Navnet passer på flere. Spør igjen med nummeret til én:")
        )
    if len({match.section for match in meant.matches}) > 1:
        listed = ", ".join(match.section or match.act for match in meant.matches[:NEAR])
        raise Unanswerable(f"Spør om én bestemmelse om gangen: {listed}{' …' if len(meant.matches) > NEAR else ''}.")
    return meant.matches[0]
