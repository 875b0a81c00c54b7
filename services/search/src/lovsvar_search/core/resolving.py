"""Use case: resolve a reference."""

from collections.abc import Mapping

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.search import Resolution, ResolvedReference, ResolveReference
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.corpus import ActName
from lovsvar_search.core.reading import Key, ProvisionStore
from lovsvar_search.core.references import Reference, find_references

HOW_TO = "Skriv for eksempel «husleieloven § 3-5» eller «lov/1999-03-26-17/§3-5»."

Existing = Mapping[Key, tuple[str, str]]


async def resolve_reference(
    request: ResolveReference, names: ActNames, store: ProvisionStore, version: int
) -> Resolution:
    """Return what a written reference names: one thing, several, or none with the reason. Never a guess."""
    references = find_references(request.reference, names)
    keys = [(refid, key) for ref in references for refid in ref.refids for key in ref.sections]
    existing = await store.existing(keys) if keys else {}
    matches: list[ResolvedReference] = []
    reasons: list[str] = []
    for reference in references:
        found = matches_of(reference, names, existing)
        matches += [match for match in found if match not in matches]
        if not found:
            reasons.append(why_none(reference, names))
    return Resolution(
        correlation_id=request.correlation_id,
        reference=request.reference,
        outcome="none" if not matches else "one" if len(matches) == 1 else "several",
        matches=tuple(matches),
        detail=_detail(references, matches, reasons),
        corpus_version=version,
    )


def matches_of(reference: Reference, names: ActNames, existing: Existing) -> list[ResolvedReference]:
    """Return what one reference may name, of what exists."""
    found: list[ResolvedReference] = []
    for refid in reference.refids:
        act = names.get(refid)
        if act is None:
            continue
        if not reference.sections:
            found.append(_resolved(act, None, None))
        sections = [existing[refid, key] for key in reference.sections if (refid, key) in existing]
        found += [_resolved(act, section, reference.ledd) for section in sections]
    return found


def why_none(reference: Reference, names: ActNames) -> str:
    """Return, in Norwegian, why a reference names nothing."""
    if not reference.refids:
        if reference.sections and not reference.act_text:
            return f"«{reference.text.strip()}» sier ikke hvilken lov eller forskrift som menes. {HOW_TO}"
        near = names.like(reference.act_text)
        meant = f" Mente du «{near}»?" if near else ""
        return f"Fant ingen lov eller forskrift som heter «{reference.act_text}».{meant}"
    acts = [act for refid in reference.refids if (act := names.get(refid))]
    described = " og ".join(f"{act.act} ({act.refid})" for act in acts)
    return f"{described} finnes, men har ingen bestemmelse «{_printed(reference)}»."


def _printed(reference: Reference) -> str:
    """Return the section part of a reference as written: `§ 3-5`, `art. 5`."""
    return reference.text.replace(reference.act_text, "", 1).strip(" ,.:;/-") or reference.text


def _detail(references: list[Reference], matches: list[ResolvedReference], reasons: list[str]) -> str:
    if not references:
        return f"Fant ingen henvisning til en lov eller forskrift i teksten. {HOW_TO}"
    if len(matches) > 1:
        several = "Teksten viser til flere bestemmelser." if len(references) > 1 else "Flere passer like godt; velg én."
        return " ".join([several, *reasons])
    return " ".join(reasons)


def _resolved(act: ActName, section: tuple[str, str] | None, ledd: int | None) -> ResolvedReference:
    name, title = section or (None, act.title)
    return ResolvedReference(
        refid=act.refid,
        section=name,
        ledd=ledd,
        act=act.act,
        title=title,
        law_type=act.law_type,
        in_force=act.in_force,
        url=viewer_path(act.refid, name),
        lovdata_url=lovdata_url(act.refid, name),
    )
