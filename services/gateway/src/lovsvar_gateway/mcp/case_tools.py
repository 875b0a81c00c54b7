"""The tools by which an assistant works on the cases of a key. What they show is without names and numbers.

Most are carried out by the cases service, which has them for the agent, too.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any

from mcp_types import CallToolResult
from pydantic import Field, StringConstraints

from lovsvar_contracts import case_drafts, cases, subjects
from lovsvar_contracts.case_details import CaseTier, Phase
from lovsvar_contracts.cases import Actor
from lovsvar_contracts.message import Token
from lovsvar_contracts.tools import ToolReply
from lovsvar_gateway.adapters.cases import CaseDesk
from lovsvar_gateway.core.mcp.results import CaseToolResult, Stamp
from lovsvar_gateway.core.phrases import Plain, PlainData
from lovsvar_gateway.mcp.calls import Unanswerable, answer, caller

STAMP = Stamp(source="saken selv", licence="ikke åpne data", licence_url="")

CaseId = Annotated[Token, Field(description="Sakens id, fra list_cases.")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), Plain]
Quote = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000), Plain]
PartyName = Annotated[str, StringConstraints(pattern=r"^party\d{1,3}$")]
Answered = Annotated[CallToolResult, CaseToolResult]


@dataclass(frozen=True)
class CaseTools:
    """Tools about cases. They raise `Unanswerable` and `ProblemError`."""

    cases: CaseDesk

    async def list_cases(
        self, phase: Annotated[Phase, Field(description="Bare saker i denne fasen.")] | None = None
    ) -> Answered:
        """List sakene som nøkkelen ser, den sist endrede først. Navn i titlene er byttet ut med plassholdere."""
        fields = {"phase": phase, "pseudonymised": True}
        found = await self._desk.ask(subjects.CASES_LIST, cases.ListCases, cases.Cases, **fields)
        shown = {"case_id", "title", "phase", "tier", "version", "changed_at"}
        rows = [one.model_dump(mode="json", include=shown) for one in found.cases]
        return _answer({"status": "success", "cases": rows, "more": found.next is not None})

    async def open_case(
        self,
        title: Annotated[str, Plain, Field(max_length=200, description="Et kort navn på saken.")] = "",
        description: Annotated[str, Plain, Field(max_length=8_000, description="Hva som har hendt.")] = "",
    ) -> Answered:
        """Opprett en sak, og få id-en."""
        fields = {"actor": self._agent, "title": title, "description": description}
        case = await self._desk.ask(subjects.CASES_OPEN, cases.OpenCase, cases.Case, **fields)
        return _answer({"status": "success", "case_id": case.case_id, "phase": str(case.state.phase)})

    async def get_case_details(self, case_id: CaseId) -> Answered:
        """Hent alt om saken uten navn: sammendrag, fakta, mål, parter, dokumenter, lov, utkast og versjonen."""
        return await self._use("get_case_details", case_id)

    async def update_case_details(
        self,
        case_id: CaseId,
        updates: Annotated[
            dict[str, Any],
            PlainData,
            Field(min_length=1, max_length=50, description="Felt med punktum mellom, som summary.current og facts."),
        ],
        expected_version: Annotated[int, Field(ge=1, description="Versjonen som ble lest.")] | None = None,
    ) -> Answered:
        """Lagre noe i saken. En listes navn legger til; annet erstatter, og krever versjonen fra get_case_details."""
        more = {} if expected_version is None else {"expected_version": expected_version}
        return await self._use("update_case_details", case_id, updates=updates, **more)

    async def get_party_id_by_name(
        self, case_id: CaseId, mentioned_name: Annotated[Words, Field(description="Navnet eller rollen.")]
    ) -> Answered:
        """Finn id-en (party0, party1 …) til en part, til plassholdere som {{party0.lastName}}."""
        return await self._use("get_party_id_by_name", case_id, mentioned_name=mentioned_name)

    async def check_quota(self, case_id: CaseId, tier: Annotated[CaseTier, Field(description="Nivået.")]) -> Answered:
        """Sjekk om den som eier saken, har kreditt igjen til et nivå."""
        return await self._use("check_quota", case_id, tier=tier)

    async def create_support_ticket(
        self,
        case_id: CaseId,
        issue_description: Annotated[str, Plain, Field(min_length=1, max_length=4_000, description="Hva som er galt.")],
    ) -> Answered:
        """Be brukerstøtten om hjelp, som siste utvei. Saken stanses til de har sett på den."""
        return await self._use("create_support_ticket", case_id, issue_description=issue_description)

    async def read_case_document(
        self,
        case_id: CaseId,
        document_id: Annotated[Token, Field(description="Fra `documents` i get_case_details.")],
        first_page: Annotated[int, Field(ge=1, le=100_000, description="Første side.")] = 1,
    ) -> Answered:
        """Les sider i et dokument i saken, uten navn og numre."""
        return await self._use("read_case_document", case_id, document_id=document_id, first_page=first_page)

    async def search_case_documents(
        self, case_id: CaseId, query: Annotated[Words, Field(description="Ordene.")]
    ) -> Answered:
        """Søk i dokumentene i saken, og i ingen annens. Du får utdrag med sidetall."""
        return await self._use("search_case_documents", case_id, query=query)

    async def verify_document_quote(
        self, case_id: CaseId, quote: Annotated[Quote, Field(description="Sitatet, ordrett.")]
    ) -> Answered:
        """Kontroller at et sitat står ordrett i et dokument i saken, og få siden."""
        return await self._use("verify_document_quote", case_id, quote=quote)

    async def list_draft_templates(
        self,
        template_id: Annotated[case_drafts.TemplateId, Field(description="Vis denne malen med teksten.")] | None = None,
    ) -> Answered:
        """List maler for brev, prosesskriv og avtaler med hva de spør om, eller vis én mal med teksten."""
        kinds = (case_drafts.ReadTemplates, case_drafts.Templates)
        found = await self._desk.ask(subjects.CASES_TEMPLATES, *kinds, template_id=template_id)
        shown = {"template_id", "title_nb", "tier", "status", "fields", *(("markdown",) if template_id else ())}
        rows = [one.model_dump(mode="json", include=shown) for one in found.templates]
        return _answer({"status": "success", "templates": rows})

    async def write_draft_by_template(
        self,
        case_id: CaseId,
        template_id: Annotated[case_drafts.TemplateId, Field(description="Fra list_draft_templates.")],
        values: Annotated[
            dict[case_drafts.FieldName, Annotated[str, Field(max_length=4_000)]],
            PlainData,
            Field(max_length=40, description="Det malen spør om, ved navnene på feltene."),
        ],
    ) -> Answered:
        """Skriv et utkast av en mal. Navn og adresser fylles inn fra partene, der ingen modell ser dem."""
        fields = {"actor": self._agent, "case_id": case_id, "template": template_id, "values": values}
        draft = await self._desk.ask(subjects.CASES_WRITE_DRAFT, case_drafts.WriteDraft, case_drafts.Draft, **fields)
        path = f"/v1/cases/{case_id}/drafts/{draft.draft_id}/revisions/{draft.revision}"
        about = {"draft_id": draft.draft_id, "revision": draft.revision}
        return _answer({"status": "success", **about, "pdf_path": f"{path}/pdf", "docx_path": f"{path}/docx"})

    async def generate_draft_pdf(
        self,
        case_id: CaseId,
        markdown_content: Annotated[
            str, Plain, Field(min_length=1, max_length=case_drafts.MOST_MARKDOWN, description="Teksten, i Markdown.")
        ],
        draft_name: Annotated[case_drafts.DraftName, Plain, Field(description="Navnet på utkastet.")],
        revision: Annotated[int, Field(ge=1, le=100_000, description="1 for et nytt utkast, ellers neste.")] = 1,
        layout: Annotated[case_drafts.Layout, Field(description="letter om ikke annet.")] | None = None,
        sender: Annotated[PartyName, Field(description="Parten som skriver.")] | None = None,
        recipient: Annotated[PartyName, Field(description="Parten som det er til.")] | None = None,
    ) -> Answered:
        """Lag et brev, et prosesskriv eller en avtale av Markdown, med parter bare som plassholdere: {{party0.name}}.

        Vis til loven som «husleieloven § 3-5», og sitér den bare ordrett, i «»: hvert sitat blir kontrollert.
        """
        given = {"layout": layout, "sender": sender, "recipient": recipient}
        head = {name: str(value) for name, value in given.items() if value is not None}
        about = {"markdown_content": markdown_content, "draft_name": draft_name, "revision": revision}
        return await self._use("generate_draft_pdf", case_id, **about, **head)

    @property
    def _agent(self) -> Actor:
        return self._desk.actor.model_copy(update={"kind": cases.ActorKind.AGENT})

    @property
    def _desk(self) -> CaseDesk:
        return self.cases.asked_by(caller())

    async def _use(self, name: str, case_id: str, **arguments: Any) -> CallToolResult:
        """Have the cases service carry a tool out."""
        fields = {"case_id": case_id, "name": name, "arguments": {"case_id": case_id, **arguments}}
        reply = await self._desk.ask(subjects.CASES_USE_TOOL, cases.UseTool, ToolReply, **fields)
        data: dict[str, Any] = json.loads(reply.text)
        if data["status"] == "error":
            raise Unanswerable(data["error_message"])
        return _answer(data)


def _answer(data: dict[str, Any]) -> CallToolResult:
    result = CaseToolResult(status=data.pop("status"), data=data, stamp=STAMP)
    return answer(json.dumps(data, ensure_ascii=False, indent=1), result)
