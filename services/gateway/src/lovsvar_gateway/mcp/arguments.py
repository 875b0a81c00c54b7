"""Arguments that several tools take, and what a model means by them: an act by its name, and a provision in it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import LawType
from lovsvar_contracts.listings import ListDocuments
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import ProvisionRef, Resolution, ResolvedReference
from lovsvar_gateway.core.mcp import contents, result_text
from lovsvar_gateway.core.mcp.token_budget import LEAST_TOKENS, MAX_TOKENS
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.mcp.calls import Unanswerable
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_legaltext import separate_section

DEFAULT_TOKENS = 3_000
NEAR = 5  # documents that are suggested for a name that nothing has

_ARTICLE_NUMBER = re.compile(r"a(\d+)$")

ActName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
    Plain,
    Field(
        description="Navn, kortnavn, forkortelse eller nummer: «husleieloven», «aml», «GDPR», «lov/1999-03-26-17», "
        "«LOV-1999-03-26-17», «forskrift/2016-08-12-974»."
    ),
]


def _as_text(value: object) -> object:
    return str(value) if type(value) is int else value


SectionName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=150),
    Plain,
    # A model that is asked for a paragraph often gives its number as one.
    BeforeValidator(_as_text),
    Field(
        description="Paragraf, artikkel eller kapittel, gjerne med ledd og bokstav: «3-5», «§ 2 A-1», «artikkel 5», "
        "«3-5 annet ledd», «kapittel 3»."
    ),
]
MaxTokens = Annotated[
    int,
    Field(
        ge=LEAST_TOKENS, le=MAX_TOKENS, description="Hvor mange tokens svaret høyst skal ha. Kutt blir alltid fortalt."
    ),
]
Query = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000),
    Plain,
    Field(
        description='Ord eller et helt spørsmål; treff med alle ordene kommer først. "ord i anførselstegn" må stå '
        "samlet, -ord skal ikke stå, OR skiller alternativer, ord på begge sider av AND må stå."
    ),
]
DocType = Annotated[
    LawType,
    BeforeValidator(lambda value: value.strip().casefold() if isinstance(value, str) else value),
    Field(description="Bare denne typen dokument."),
]
Ministry = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=200),
    Plain,
    Field(description="Del av departementets navn."),
]
Year = Annotated[int, Field(ge=1600, le=3000, description="Bare dokumenter fra dette året.")]


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


def refs_of(matches: Iterable[ResolvedReference]) -> tuple[ProvisionRef, ...]:
    """Return the provisions that `matches` name, each once."""
    named = dict.fromkeys((match.refid, match.section) for match in matches)
    return tuple(ProvisionRef(refid=refid, section=section) for refid, section in named if section)
