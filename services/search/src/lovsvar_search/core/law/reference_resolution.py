"""Use case: resolve a reference."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, Protocol
from urllib.parse import unquote

from lovsvar_contracts.identifiers import lovdata_url, section_key, viewer_path
from lovsvar_contracts.search import FoundReference, Resolution, ResolvedReference, ResolveReference
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_legaltext.numbers import nearest
from lovsvar_legaltext.pinpoints import LAST, Pinpoint
from lovsvar_legaltext.references import Reference, find_references
from lovsvar_search.core.law.provision_reader import ProvisionStore
from lovsvar_search.core.retrieval.corpus import CorpusState

HOW_TO = "Skriv for eksempel «husleieloven § 3-5» eller «lov/1999-03-26-17/§3-5»."

MAX_RANGE = 50
"""Provisions of a range that are answered with."""

MAX_NEAREST = 3
MAX_ALIKE = 4
"""Acts that are returned for a name that only ends theirs."""

"""Provisions that are named instead of one that does not exist."""

Reason = Literal["", "act_not_named", "act_unknown", "provision_missing", "place_missing"]
"""Why a reference names nothing, as `FoundReference` has it."""

Section = tuple[str, str]
"""Name and heading of a provision."""


class ReferenceStore(ProvisionStore, Protocol):
    """The stored corpus, as references are looked up in it. Every method raises `StoreUnavailable`."""

    async def between(self, refid: str, first: str, last: str, limit: int) -> Sequence[Section]:
        """Return the provisions from the section key `first` to `last` in reading order, at most `limit`."""

    async def called(self, refid: str, keys: Sequence[str]) -> Sequence[Section]:
        """Return the sections of these keys, and those printed under the same number, in reading order."""

    async def provisions(self, refid: str) -> Sequence[tuple[str, str, str]]:
        """Return name, printed number and heading of every provision, in reading order."""

    async def chapters(self, refid: str, number: str) -> Sequence[tuple[str, str]]:
        """Return name ("kap3") and title of the chapters of that number ("2a"), in reading order."""

    async def count_ledd(self, refid: str, key: str) -> int:
        """Return how many ledd the provision of a section key has; 0 also where there is none."""


async def resolve_reference(
    request: ResolveReference, names: ActNames, store: ReferenceStore, served: CorpusState
) -> Resolution:
    """Return what a written reference names: one thing, several, or none with the reason. Never a guess."""
    references = find_references(unquote(request.reference), names)
    matches: list[ResolvedReference] = []
    reasons: list[str] = []
    each: list[FoundReference] = []
    for reference in references:
        found, why = await _matches_of(reference, names, store)
        matches += [match for match in found if match not in matches]
        near: tuple[ResolvedReference, ...] = ()
        reason: Reason = "place_missing" if why and not found else ""
        if not found and not why:
            near, labels = await _nearest_to(reference, names, store)
            reason, sentence = why_none(reference, names)
            if reason == "act_unknown":
                near = _documents(names.alike(reference.act_text, MAX_ALIKE), names)
            why = [sentence, *([f"Nærmest er {', '.join(labels)}."] if labels else [])]
        reasons += [sentence for sentence in why if sentence not in reasons]
        each.append(
            FoundReference(
                text=reference.text.strip(),
                matches=tuple(found),
                detail=" ".join(why),
                reason=reason,
                law_type=reference.law_type,
                nearest=near,
                namesakes=_documents(reference.others[:MAX_NEAREST], names),
            )
        )
    if not references and (alike := _documents(names.alike(request.reference, MAX_ALIKE), names)):
        # No reference in the text, but a part of the names of some acts.
        each.append(FoundReference(text=request.reference, reason="act_unknown", nearest=alike))
    return Resolution(
        correlation_id=request.correlation_id,
        reference=request.reference,
        outcome="none" if not matches else "one" if len(matches) == 1 else "several",
        matches=tuple(matches),
        detail=_detail(references, matches, reasons),
        references=tuple(each),
        corpus_version=served.version,
        corpus_date=served.corpus_date,
    )


async def _matches_of(
    reference: Reference, names: ActNames, store: ReferenceStore
) -> tuple[list[ResolvedReference], list[str]]:
    """Return what one reference names of what exists, and what is to be said of what does not."""
    found: list[ResolvedReference] = []
    reasons: list[str] = []
    for act in (act for refid in reference.refids if (act := names.get(refid))):
        if reference.chapter is not None:
            chapters = await store.chapters(act.refid, reference.chapter)
            found += [_resolved(act, None, title).model_copy(update={"chapter": name}) for name, title in chapters]
        elif not reference.sections:
            found.append(_resolved(act, None, act.title))
        else:
            sections = await _sections_of(act.refid, reference, store)
            if len(sections) > MAX_RANGE:
                sections = sections[:MAX_RANGE]
                reasons.append(f"Her er de første {MAX_RANGE} bestemmelsene.")
            for name, title in sections:
                place, why = await _place_in(act, name, reference.pinpoint, store)
                found += [_placed(_resolved(act, name, title), place)] if place else []
                reasons += [why] if why else []
    return found, reasons


async def _sections_of(refid: str, reference: Reference, store: ReferenceStore) -> Sequence[Section]:
    """Return the provisions that a reference means in one document; one more than fit when a range is too long."""
    span = reference.span
    if span is None or span[0] not in reference.sections:
        found = await _sections_named(refid, reference.sections, store, exact=reference.exact)
        if not found and reference.instead:
            found = await _sections_named(refid, reference.instead, store, exact=reference.exact)
        if found or span is None:
            return found
    return await store.between(refid, *span, MAX_RANGE + 1)


async def _sections_named(refid: str, keys: Sequence[str], store: ReferenceStore, *, exact: bool) -> Sequence[Section]:
    if not exact:
        return await store.called(refid, keys)
    existing = await store.existing([(refid, key) for key in keys])
    return [existing[refid, key] for key in keys if (refid, key) in existing]


async def _nearest_to(
    reference: Reference, names: ActNames, store: ReferenceStore
) -> tuple[tuple[ResolvedReference, ...], list[str]]:
    """Return the provisions nearest to one that does not exist, and what each is called in print."""
    acts = [act for refid in reference.refids if (act := names.get(refid))] if reference.sections else []
    near: list[ResolvedReference] = []
    labels: list[str] = []
    for act in acts[:MAX_NEAREST]:
        there = {section_key(name): (name, value, title) for name, value, title in await store.provisions(act.refid)}
        for key in nearest(reference.sections[0], list(there), MAX_NEAREST // len(acts) or 1):
            name, value, title = there[key]
            near.append(_resolved(act, name, title))
            labels.append(f"{act.act} {value or name}" if len(acts) > 1 else value or name)
    return tuple(near), labels


async def _place_in(act: Act, section: str, place: Pinpoint, store: ReferenceStore) -> tuple[Pinpoint | None, str]:
    """Return the place inside a provision with its ledd counted, or None and why there is no such place."""
    if place.ledd is None:
        return place, ""
    ledd = await store.count_ledd(act.refid, section_key(section))
    if place.ledd == LAST:
        return replace(place, ledd=ledd or None), ""
    if ledd and place.ledd > ledd:
        return None, f"{act.act} {section} har {ledd} ledd, og ikke noe ledd nummer {place.ledd}."
    return place, ""


def _placed(match: ResolvedReference, place: Pinpoint) -> ResolvedReference:
    sentence = None if place.sentence == LAST else place.sentence
    return match.model_copy(
        update={"ledd": place.ledd, "letter": place.letter, "number": place.number, "sentence": sentence}
    )


def why_none(reference: Reference, names: ActNames) -> tuple[Reason, str]:
    """Return why a reference names nothing, and that in Norwegian."""
    if not reference.refids:
        if not reference.act_text:
            named = f"«{reference.text.strip()}» sier ikke hvilken lov eller forskrift som menes. {HOW_TO}"
            return "act_not_named", named
        near = names.like(reference.act_text)
        meant = f" Mente du «{near}»?" if near else ""
        return "act_unknown", f"Fant ingen lov eller forskrift som heter «{reference.act_text}».{meant}"
    acts = [act for refid in reference.refids if (act := names.get(refid))]
    described = " og ".join(f"{act.act} ({act.refid})" for act in acts)
    thing = "noe kapittel" if reference.chapter else "ingen bestemmelse"
    has = "har ikke" if reference.chapter else "har"
    return "provision_missing", f"{described} finnes, men {has} {thing} «{_printed(reference)}»."


def _printed(reference: Reference) -> str:
    """Return the section part of a reference: `§ 3-5`, alone inside a list, or `art. 5` as written."""
    if reference.sections and reference.sections[0].startswith("§"):
        keys = reference.span if reference.span and reference.span[0] in reference.sections else reference.sections[:1]
        return " til ".join(f"§ {key.removeprefix('§')}" for key in keys)
    return reference.text.replace(reference.act_text, "", 1).strip(" ,.:;/-") or reference.text


def _documents(refids: Iterable[str], names: ActNames) -> tuple[ResolvedReference, ...]:
    return tuple(_resolved(act, None, act.title) for refid in refids if (act := names.get(refid)))


def _detail(references: list[Reference], matches: list[ResolvedReference], reasons: list[str]) -> str:
    if not references:
        return f"Fant ingen henvisning til en lov eller forskrift i teksten. {HOW_TO}"
    if len(matches) > 1:
        listed = len(references) > 1 or references[0].span is not None
        several = "Teksten viser til flere bestemmelser." if listed else "Flere passer like godt; velg én."
        return " ".join([several, *reasons])
    return " ".join(reasons)


def _resolved(act: Act, section: str | None, title: str) -> ResolvedReference:
    return ResolvedReference(
        refid=act.refid,
        section=section,
        act=act.act,
        title=title,
        law_type=act.law_type,
        in_force=act.in_force,
        url=viewer_path(act.refid, section),
        lovdata_url=lovdata_url(act.refid, section),
    )
