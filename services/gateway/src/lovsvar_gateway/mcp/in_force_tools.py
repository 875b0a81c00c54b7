"""`sjekk_gjeldende`, `kunngjoringer`, `eos_grunnlag`: how law stands, what changed it, what it carries out."""

from typing import Annotated

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from lovsvar_contracts.identifiers import ANNOUNCEMENTS, is_announcement
from lovsvar_contracts.law import DocumentSummary, InForce, Provision
from lovsvar_contracts.search import ListDocuments, ProvisionRef, ResolvedReference
from lovsvar_gateway.core.mcp import result_text
from lovsvar_gateway.core.mcp.results import Amendments, EeaBasis, Validity
from lovsvar_gateway.mcp import reference_arguments
from lovsvar_gateway.mcp.answers import READ_ONLY, Answer, answer
from lovsvar_gateway.mcp.arguments import ActName, SectionName
from lovsvar_gateway.mcp.law import Law
from lovsvar_legaltext.amendments import amended_by, amendments, in_force_since
from lovsvar_legaltext.eu_acts import eu_acts

MAX_SAME_NAME = 10
MAX_ANNOUNCEMENTS = 200


def add(server: MCPServer, law: Law) -> None:
    """Add the tools to `server`."""

    @server.tool(title="Sjekk om noe er gjeldende", annotations=READ_ONLY)
    async def sjekk_gjeldende(
        lov_id: ActName, paragraf: SectionName | None = None
    ) -> Annotated[CallToolResult, Validity]:
        """Si om en lov, forskrift eller paragraf er i kraft eller opphevet, siden når, og sist endret ved hva."""
        return await check(law, lov_id, paragraf)

    @server.tool(title="Finn kunngjøringer", annotations=READ_ONLY)
    async def kunngjoringer(
        lov_id: ActName,
        paragraf: SectionName | None = None,
        limit: Annotated[int, Field(ge=1, le=MAX_ANNOUNCEMENTS)] = 20,
    ) -> Annotated[CallToolResult, Amendments]:
        """Finn kunngjøringene i Norsk Lovtidend som har endret en lov, en forskrift eller én paragraf, nyeste først."""
        return await announcements(law, lov_id, paragraf, limit)

    @server.tool(title="Finn EØS-grunnlaget", annotations=READ_ONLY)
    async def eos_grunnlag(lov_id: ActName) -> Annotated[CallToolResult, EeaBasis]:
        """Finn EØS-henvisningene til en lov eller forskrift: direktivene og forordningene som den gjennomfører."""
        return await eea_basis(law, lov_id)


async def check(law: Law, name: str, section: str | None) -> Answer:
    """Return whether a document or provision is law today. Raises `Unanswerable`, `ProblemError`."""
    reference, document, provision, version = await _found(law, name, section)
    same = await _same_name(law, document)
    status = provision.in_force if provision else document.in_force
    since = in_force_since(provision) if provision else document.in_force_from
    last = next(reversed(amendments(provision.notes if provision else ())), None)
    validity = Validity(
        reference=reference,
        in_force=status,
        in_force_from=since,
        in_force_note=document.in_force_note,
        last_change_in_force=document.last_change_in_force,
        last_changed_by=document.last_changed_by,
        provision_last_changed_by=last.refid if last else "",
        provision_last_change_in_force=last.in_force_from if last else None,
        notes=provision.notes if provision else (),
        same_name=same,
        stamp=await law.stamp(version, sample=document.sample),
    )
    return answer(_standing(validity, document), validity)


async def announcements(law: Law, name: str, section: str | None, limit: int) -> Answer:
    """Return the announcements that changed it. Raises `Unanswerable`, `ProblemError`."""
    reference, document, provision, version = await _found(law, name, section)
    reply = await law.documents(ListDocuments(changes=document.refid, page_size=MAX_ANNOUNCEMENTS))
    changes = [one for one in reply.documents if is_announcement(one.refid)]
    notes = provision.notes if provision else ()
    named = amended_by(notes)
    if provision is not None:
        changes = [one for one in changes if one.refid.removeprefix(ANNOUNCEMENTS) in named]
    stored = any(dataset.startswith("lovtidend") for dataset in (await law.status()).by_dataset)
    total = len(changes)
    rest = f"Det er {total} i alt; øk limit." if total > limit else ""
    amendments = Amendments(
        reference=reference,
        announcements=tuple(changes[:limit]),
        total=total,
        notes=notes,
        amended_by=named,
        stored=stored,
        truncated=total > limit,
        rest=rest,
        stamp=await law.stamp(version, sample=document.sample),
    )
    return answer(_changes(amendments, result_text.name(reference)), amendments)


async def eea_basis(law: Law, name: str) -> Answer:
    """Return the EEA law that a document carries out. Raises `Unanswerable`, `ProblemError`."""
    reference, document, _, version = await _found(law, name, None)
    basis = EeaBasis(
        reference=reference,
        references=document.eea_references,
        eu_acts=eu_acts(document.eea_references),
        stamp=await law.stamp(version, sample=document.sample),
    )
    rows = [*document.eea_references, *(f"{act.name}: {act.url}" for act in basis.eu_acts)]
    nothing = (
        f"{reference.act} har ingen EØS-henvisning hos Lovdata. Det utelukker ikke at loven gjennomfører EØS-rett."
    )
    return answer(result_text.bullets(rows) or nothing, basis)


async def _found(
    law: Law, name: str, section: str | None
) -> tuple[ResolvedReference, DocumentSummary, Provision | None, int]:
    meant = await (reference_arguments.provision(law, name, section) if section else reference_arguments.act(law, name))
    reference = reference_arguments.must_be_one(meant)
    outline = await law.outline(reference.refid)
    provision = None
    if reference.section is not None:
        read = await law.read((ProvisionRef(refid=reference.refid, section=reference.section),))
        provision = read.provisions[0] if read.provisions else None
    return reference, outline.document, provision, outline.corpus_version


async def _same_name(law: Law, document: DocumentSummary) -> tuple[DocumentSummary, ...]:
    name = document.short_title
    if not name:
        return ()
    reply = await law.documents(ListDocuments(title=name, page_size=50))
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
