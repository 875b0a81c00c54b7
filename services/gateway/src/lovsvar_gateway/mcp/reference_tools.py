"""`valider_henvisning`, `formater_henvisning`: references as they are written."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field, StringConstraints

from lovsvar_contracts.law import LawType, Provision
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import MAX_REFERENCES, FoundReference, ResolvedReference
from lovsvar_gateway.core.mcp import citations, result_text
from lovsvar_gateway.core.mcp.results import CheckedCitation, CheckedText, FormattedCitation
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.mcp import arguments
from lovsvar_gateway.mcp.calls import Unanswerable, answer
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_legaltext.citation_forms import forms, in_words, name_of, section_in_words
from lovsvar_legaltext.citing_pieces import pieces
from lovsvar_legaltext.eu_acts import EuAct

MAX_TEXT = 30_000
MAX_CITATIONS = 100
MAX_FORMS = 10
MOST_NAMED = 3  # provisions of a range that are named one by one
AT_ONCE = 8
READ_AT_ONCE = 20

VERDICTS = {
    "valid": "✓ finnes og er i kraft",
    "not_in_force": "⚠ finnes, men er ikke i kraft",
    "ambiguous": "⚠ flertydig",
    "missing_place": "✗ bestemmelsen finnes, men ikke leddet, bokstaven eller nummeret",
    "missing_provision": "✗ loven finnes, men ikke bestemmelsen",
    "unknown_act": "✗ ukjent lov eller forskrift",
}

Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT),
    Plain,
    Field(description="Teksten som henvisningene står i, for eksempel et utkast til svar."),
]
Citation = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=400),
    Plain,
    Field(description="Henvisningen i hvilken som helst form: «husll § 3-5 (2)», «LOV-1999-03-26-17-§3-5»."),
]


@dataclass(frozen=True)
class ReferenceTools:
    """Tools that read references. They raise `Unanswerable` and `ProblemError`."""

    law: CachedLaw

    async def valider_henvisning(self, tekst: Text) -> Annotated[CallToolResult, CheckedText]:
        """Kontroller hver lovhenvisning i en tekst: finnes loven, paragrafen, leddet og bokstaven, og er den i kraft.

        Bruk den på egne svar før de vises. Flertydige henvisninger gis med kandidatene.
        """
        found: list[tuple[FoundReference, str]] = []
        citing, read, left_out = pieces(tekst), 0, False
        while read < len(citing) and len(found) <= MAX_CITATIONS:
            at_once = citing[read : read + AT_ONCE]
            read += len(at_once)
            for piece, resolved in zip(at_once, await asyncio.gather(*map(self.law.resolve, at_once)), strict=True):
                found += [(reference, piece) for reference in resolved.references]
                left_out |= len(resolved.references) == MAX_REFERENCES
        if not found:
            raise Unanswerable("Fant ingen henvisning til en lov eller forskrift i teksten.")
        truncated = left_out or len(found) > MAX_CITATIONS
        completed = await self._with_acts(found[:MAX_CITATIONS])
        provisions = await self._provisions([reference for reference, _ in completed])
        checked = tuple(citations.judge(reference, provisions, assumed) for reference, assumed in completed)
        valid = sum(one.verdict == "valid" for one in checked)
        rest = f"Bare {len(checked)} er kontrollert, det er flere. Del teksten opp for resten." if truncated else ""
        stamp = await self.law.stamp(resolved)
        result = CheckedText(
            citations=checked, valid=valid, invalid=len(checked) - valid, truncated=truncated, rest=rest, stamp=stamp
        )
        head = f"{len(checked)} henvisninger: {valid} i orden, {len(checked) - valid} å se på."
        return answer("\n".join(filter(None, [head, *map(_row, checked), rest])), result)

    async def formater_henvisning(self, henvisning: Citation) -> Annotated[CallToolResult, FormattedCitation]:
        """Skriv en lovhenvisning i fulle og korte former, med Lovdatas kode og adresse, fra hvilken som helst form."""
        resolution = await self.law.resolve(henvisning)
        if not resolution.matches:
            raise Unanswerable(resolution.detail)
        matches = resolution.matches[:MAX_FORMS]
        outlines = {match.refid: await self.law.outline(match.refid) for match in matches}
        made = tuple(forms(match, outlines[match.refid].document) for match in matches)
        nothing = " ".join(one.detail for one in resolution.references if not one.matches)
        message = resolution.detail if len(made) > 1 or nothing else ""
        if len(resolution.matches) > MAX_FORMS:
            message += f" Her er de første {MAX_FORMS} av {len(resolution.matches)}."
        rows = [
            f"- Full: {one.full}\n  Kort: {one.short}\n  Forkortet: {one.abbreviated}\n  Sted: {one.pinpoint or '–'}\n"
            f"  Kode: {one.code}\n  Adresse: {one.lovdata_url}"
            for one in made
        ]
        result = FormattedCitation(forms=made, message=message, stamp=await self.law.stamp(resolution))
        return answer("\n".join(filter(None, [message, *rows])), result)

    async def _with_acts(self, found: Sequence[tuple[FoundReference, str]]) -> list[tuple[FoundReference, str]]:
        """Return the references; one that names no act is read as of the act that was named before it.

        `found` are references and the piece of text that each is in. «Loven» is the act that was named last,
        «forskriften» the regulation.
        """
        completed: list[tuple[FoundReference, str]] = []
        named: dict[LawType | None, FoundReference] = {}
        eu_act: EuAct | None = None
        for reference, piece in found:
            assumed = ""
            taken = reference
            if named_act := citations.eu_act_of(reference, piece):
                eu_act = named_act
                taken = citations.of_eu_act(reference, named_act)
            elif reference.reason == "act_not_named":
                before = named.get(reference.law_type)
                if eu_act and reference.text.casefold().startswith("art"):
                    taken = citations.of_eu_act(reference, eu_act)
                elif before:
                    taken = await self._of_act(reference, before)
                    assumed = name_of((taken.matches or before.matches)[0])
                else:
                    detail = f"«{reference.text}» sier ikke hvilken lov eller forskrift som menes."
                    taken = reference.model_copy(update={"detail": detail})
            elif reference.matches:
                eu_act = None
                named[None] = named[reference.matches[0].law_type] = reference
            completed.append((taken, assumed))
        return completed

    async def _of_act(self, reference: FoundReference, named: FoundReference) -> FoundReference:
        """Return the reference, which names no act, as one to the act (or the treaty in it) that `named` names."""
        # "EMK" of «EMK artikkel 8»
        name = named.text.partition(" art")[0] if " art" in named.text else ""
        for act in (name, named.matches[0].refid) if name else (named.matches[0].refid,):
            resolution = await self.law.resolve(f"{act} {reference.text}")
            inner = [one for one in resolution.references if one.reason != "act_not_named"]
            if inner and (inner[0].matches or act != name):
                return inner[0].model_copy(update={"text": reference.text})
        return reference

    async def _provisions(self, found: Sequence[FoundReference]) -> list[Provision]:
        refs = arguments.refs_of(match for reference in found for match in reference.matches)
        read: list[Provision] = []
        for at in range(0, len(refs), READ_AT_ONCE):
            try:
                read += (await self.law.read(refs[at : at + READ_AT_ONCE])).provisions
            except ProblemError as error:
                if error.problem.type is not ProblemType.TOO_LARGE:
                    raise
                for ref in refs[at : at + READ_AT_ONCE]:
                    read += (await self.law.read((ref,))).provisions
        return read


def _row(checked: CheckedCitation) -> str:
    assumed = f" (lest som {checked.assumed_act})" if checked.assumed_act else ""
    detail = f" {checked.detail}" if checked.detail else ""
    where = ""
    read_as = ""
    if checked.verdict == "ambiguous":
        where = " Kandidater: " + "; ".join(f"{result_text.name(m)}: {result_text.call(m)}" for m in checked.matches)
    elif checked.matches:
        where = f" {checked.matches[0].lovdata_url}"
        read_as = f": {_named(checked.matches)}"
    return f"- «{checked.text}»{assumed}: {VERDICTS[checked.verdict]}{read_as}.{detail}{where}"


def _named(matches: Sequence[ResolvedReference]) -> str:
    """Return what a citation was read as: a list is one citation for each of its items."""
    places = [" ".join(part for part in (section_in_words(m), in_words(m)) if part) for m in matches]
    listed = ", ".join(places) if len(places) <= MOST_NAMED else f"{places[0]} – {places[-1]} ({len(places)} i alt)"
    return f"{name_of(matches[0])} {listed}".strip()
