"""From what a model writes to what it means: an act's name or number, and a provision in it."""

import re
from dataclasses import dataclass

from lovsvar_contracts.law import LawType
from lovsvar_contracts.search import ListDocuments, Resolution, ResolvedReference
from lovsvar_gateway.core.mcp import showing
from lovsvar_gateway.mcp.answers import Unanswerable
from lovsvar_gateway.mcp.law import Law

NEAR = 5
"""Documents that are suggested for a name that nothing has."""

_SIGNED = re.compile(r"^\s*(?:§|art|kap|paragraf|pgf|par\b)", re.IGNORECASE)
_TREATY = re.compile(
    r"gdpr|forordning|konvensjon|\bemk\b|\bechr\b|\bsp\b|\bøsk\b|barnekonv|direktiv|\bcrpd\b|\bkdk\b|dublin|eøs|ungdata",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^\s*\d")
_NAMED = re.compile(r"^(?:§\s*)?(?P<name>[\w]+(?:/[\w.-]+)+)\s*$")


@dataclass(frozen=True)
class Meant:
    """What was meant: `matches` of which the tool shows all, or candidates when it may be `several` acts."""

    matches: tuple[ResolvedReference, ...]
    several: bool
    detail: str
    version: int


async def act(law: Law, name: str, prefer: LawType | None = None) -> Meant:
    """Return which act or regulation `name` names."""
    resolution = await law.resolve(name)
    meant = _meant(resolution, prefer)
    if not meant.matches and not resolution.references:
        return Meant((), several=False, detail=await _unknown(law, name), version=meant.version)
    return meant


async def _unknown(law: Law, name: str) -> str:
    """Return that nothing has that name, and what has it in its title, acts before others."""
    near = await law.documents(ListDocuments(title=name[:200], law_type=LawType.LOV, page_size=NEAR))
    if not near.documents:
        near = await law.documents(ListDocuments(title=name[:200], page_size=NEAR))
    listed = "; ".join(f"{one.short_title or one.title} ({one.refid})" for one in near.documents)
    return f"Fant ingen lov eller forskrift som heter «{name}»." + (f" Navnet står i: {listed}." if listed else "")


async def provision(law: Law, name: str, section: str, prefer: LawType | None = None) -> Meant:
    """Return which provision or chapter `section` of the act `name` is: "3-5", "§ 2 A-1", "artikkel 5", "kap. 3"."""
    if named := _NAMED.match(section):
        meant = await act(law, name, prefer)
        return _in_acts(meant, named["name"])
    tried = [f"{name} {section.strip()}"]
    if not _SIGNED.match(section):
        signs = ("art.", "§") if _TREATY.search(name) and _NUMBER.match(section) else ("§", "art.")
        tried = [f"{name} {sign} {section.strip()}" for sign in signs]
    first: Meant | None = None
    for written in tried:
        meant = _meant(await law.resolve(written), prefer, placed=True)
        first = first or meant
        if meant.matches:
            return meant
    assert first is not None  # noqa: S101
    return first


def _in_acts(meant: Meant, section: str) -> Meant:
    """Return the section of Lovdata's own name ("gdpr/a5") in the acts that were meant."""
    matches = tuple(match.model_copy(update={"section": section}) for match in meant.matches)
    return Meant(matches, meant.several, meant.detail, meant.version)


def _meant(resolution: Resolution, prefer: LawType | None, *, placed: bool = False) -> Meant:
    matches = resolution.matches
    if placed:
        matches = tuple(match for match in matches if match.section or match.chapter)
    if prefer is not None and len({match.refid for match in matches}) > 1:
        preferred = tuple(match for match in matches if match.law_type is prefer)
        matches = preferred or matches
    several = len({match.refid for match in matches}) > 1
    return Meant(matches, several, resolution.detail, resolution.corpus_version)


def must_be_one(meant: Meant) -> ResolvedReference:
    """Return the one thing that was meant. Raises `Unanswerable` with the candidates, or why there is none."""
    if not meant.matches:
        raise Unanswerable(f'{meant.detail} Søk med sok("…") når du ikke kjenner navnet.')
    if meant.several:
        raise Unanswerable(showing.candidates(meant.matches, "Navnet passer på flere. Spør igjen med nummeret til én:"))
    return meant.matches[0]
