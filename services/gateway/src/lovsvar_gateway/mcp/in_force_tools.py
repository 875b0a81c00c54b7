"""`sjekk_gjeldende`, `kunngjoringer`, `eos_grunnlag`: whether law is in force, what changed it, its EEA basis."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from lovsvar_contracts.identifiers import ANNOUNCEMENTS, is_announcement
from lovsvar_contracts.law import DocumentSummary, InForce, Provision
from lovsvar_contracts.listings import ListDocuments
from lovsvar_contracts.search import Outline, ProvisionRef, ResolvedReference
from lovsvar_gateway.core.mcp import result_text
from lovsvar_gateway.core.mcp.results import Amendments, EeaBasis, Validity
from lovsvar_gateway.mcp import arguments
from lovsvar_gateway.mcp.arguments import ActName, SectionName
from lovsvar_gateway.mcp.calls import answer
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_legaltext.amendments import amended_by, amendments, in_force_since
from lovsvar_legaltext.eu_acts import eu_acts

MAX_SAME_NAME = 10
MAX_ANNOUNCEMENTS = 200


@dataclass(frozen=True)
class InForceTools:
    """Tools about the status of one document or provision. They raise `Unanswerable` and `ProblemError`."""

    law: CachedLaw

    async def sjekk_gjeldende(
        self, lov_id: ActName, paragraf: SectionName | None = None
    ) -> Annotated[CallToolResult, Validity]:
        """Si om en lov, forskrift eller paragraf er i kraft eller opphevet, siden når, og sist endret ved hva."""
        reference, outline, provision = await self._found(lov_id, paragraf)
        document, notes = outline.document, provision.notes if provision else ()
        last = next(reversed(amendments(notes)), None)
        validity = Validity.of(
            document,
            reference=reference,
            in_force=provision.in_force if provision else document.in_force,
            in_force_from=in_force_since(provision) if provision else document.in_force_from,
            provision_last_changed_by=last.refid if last else "",
            provision_last_change_in_force=last.in_force_from if last else None,
            notes=notes,
            same_name=await self._same_name(document),
            stamp=await self.law.stamp(outline, sample=document.sample),
        )
        return answer(_standing(validity, document), validity)

    async def kunngjoringer(
        self,
        lov_id: ActName,
        paragraf: SectionName | None = None,
        limit: Annotated[int, Field(ge=1, le=MAX_ANNOUNCEMENTS)] = 20,
    ) -> Annotated[CallToolResult, Amendments]:
        """Finn kunngjøringene i Norsk Lovtidend som har endret en lov, en forskrift eller én paragraf, nyeste først."""
        reference, outline, provision = await self._found(lov_id, paragraf)
        document, notes = outline.document, provision.notes if provision else ()
        listed = ListDocuments(changes=document.refid, page_size=MAX_ANNOUNCEMENTS)
        reply, status = await asyncio.gather(self.law.documents(listed), self.law.status())
        changes = [one for one in reply.documents if is_announcement(one.refid)]
        named = amended_by(notes)
        if provision is not None:
            changes = [one for one in changes if one.refid.removeprefix(ANNOUNCEMENTS) in named]
        total = len(changes)
        found = Amendments(
            reference=reference,
            announcements=tuple(changes[:limit]),
            total=total,
            notes=notes,
            amended_by=named,
            stored=any(dataset.startswith("lovtidend") for dataset in status.by_dataset),
            truncated=total > limit,
            rest=f"Det er {total} i alt; øk limit." if total > limit else "",
            stamp=await self.law.stamp(outline, sample=document.sample),
        )
        return answer(_changes(found, result_text.name(reference)), found)

    async def eos_grunnlag(self, lov_id: ActName) -> Annotated[CallToolResult, EeaBasis]:
        """Finn EØS-henvisningene til en lov eller forskrift: direktivene og forordningene som den gjennomfører."""
        reference, outline, _ = await self._found(lov_id, None)
        written = outline.document.eea_references
        stamp = await self.law.stamp(outline, sample=outline.document.sample)
        basis = EeaBasis(reference=reference, references=written, eu_acts=eu_acts(written), stamp=stamp)
        rows = [*written, *(f"{act.name}: {act.url}" for act in basis.eu_acts)]
        nothing = (
            f"{reference.act} har ingen EØS-henvisning hos Lovdata. Det utelukker ikke at loven gjennomfører EØS-rett."
        )
        return answer(result_text.bullets(rows) or nothing, basis)

    async def _found(self, name: str, section: str | None) -> tuple[ResolvedReference, Outline, Provision | None]:
        reference = arguments.must_be_one(await arguments.named(self.law, name, section))
        outline = await self.law.outline(reference.refid)
        if reference.section is None:
            return reference, outline, None
        read = await self.law.read((ProvisionRef(refid=reference.refid, section=reference.section),))
        return reference, outline, read.provisions[0] if read.provisions else None

    async def _same_name(self, document: DocumentSummary) -> tuple[DocumentSummary, ...]:
        name = document.short_title
        if not name:
            return ()
        reply = await self.law.documents(ListDocuments(title=name, page_size=50))
        same = (one for one in reply.documents if one.short_title.casefold() == name.casefold())
        others = (one for one in same if one.refid != document.refid and not is_announcement(one.refid))
        return tuple(others)[:MAX_SAME_NAME]


def _standing(validity: Validity, document: DocumentSummary) -> str:
    status = result_text.status(validity.in_force, validity.in_force_from)
    rows = [f"**{result_text.name(validity.reference)}** ({document.refid}): {status}."]
    if validity.in_force_note:
        rows.append(f"Lovdata sier om ikrafttredelsen: {validity.in_force_note}.")
    if validity.last_changed_by:
        when = f", i kraft {validity.last_change_in_force}" if validity.last_change_in_force else ""
        rows.append(f"Dokumentet er sist endret ved {', '.join(validity.last_changed_by)}{when}.")
    if validity.provision_last_changed_by:
        begun = validity.provision_last_change_in_force
        when = f", i kraft {begun}" if begun else ""
        done = "opphevet" if validity.in_force is InForce.REPEALED else "sist endret"
        rows.append(f"Bestemmelsen er {done} ved {validity.provision_last_changed_by}{when}.")
    if validity.notes:
        rows.append(f"Om bestemmelsen: {' '.join(validity.notes)}")
    rows += [
        f"Samme navn: {other.title} ({other.refid}), {result_text.status(other.in_force, other.in_force_from)}."
        for other in validity.same_name
    ]
    rows.append(validity.reference.lovdata_url)
    return "\n".join(rows)


def _changes(amendments: Amendments, name: str) -> str:
    rows = [f"Kunngjøringer i Norsk Lovtidend som har endret {name}: {amendments.total}."]
    if not amendments.stored:
        rows.append("Lovtidend er ikke lagret her; bare lovens egne endringsnoter kan vises.")
    rows += [f"- {one.title} ({one.refid}) · {one.lovdata_url}" for one in amendments.announcements]
    if amendments.notes:
        rows.append(f"Endringsnoter: {' '.join(amendments.notes)}")
    if amendments.amended_by:
        rows.append(f"Notene nevner: {', '.join(amendments.amended_by)}.")
    return "\n".join([*rows, *([amendments.rest] if amendments.rest else [])])
