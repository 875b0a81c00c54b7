"""The tool by which a model makes a document. The names that are in it are filled in where no model sees them."""

from collections.abc import Mapping
from typing import Any

from lovsvar_cases.core.case_tools import CaseTool, Desk, Result, success, text, tool
from lovsvar_cases.core.drafts.drafting import DraftDesk, write_draft
from lovsvar_contracts.case_drafts import MOST_MARKDOWN, DraftHead, Layout, WriteDraft


def draft_tools(drafts: DraftDesk) -> tuple[CaseTool, ...]:
    """Return the tools of drafts."""

    async def generate_draft_pdf(desk: Desk, given: Mapping[str, Any]) -> Result:
        """Write the revision that is named of the draft of that name, and say where its PDF is."""
        granted, name = desk.granted, " ".join(str(given["draft_name"]).split())
        file = await desk.store.read(granted.actor, granted.case_id)
        known = [one for one in file.state.details.draft_status if one.name.casefold() == name.casefold()]
        request = WriteDraft(
            **desk.about,
            request_id=desk.request_id,
            draft_id=known[-1].draft_id if known else None,
            revision=given["revision"],
            name=name,
            markdown=given["markdown_content"],
            head=_head(given) if {"layout", "sender", "recipient", "recipient_lines"} & given.keys() else None,
        )
        draft = await write_draft(request, drafts)
        path = f"/v1/cases/{draft.case_id}/drafts/{draft.draft_id}/revisions/{draft.revision}"
        return success(
            pdf_path=f"{path}/pdf",
            docx_path=f"{path}/docx",
            draft_id=draft.draft_id,
            revision=draft.revision,
            sources=[one.title for one in draft.sources],
            unverified_quotes=list(draft.unverified),
        )

    def _head(given: Mapping[str, Any]) -> DraftHead:
        return DraftHead(
            layout=Layout(given.get("layout", Layout.LETTER)),
            sender=given.get("sender", "party0"),
            recipient=given.get("recipient"),
            recipient_lines=tuple(given.get("recipient_lines", ())),
        )

    return (
        tool(
            "generate_draft_pdf",
            "Lager et utkast som PDF",
            "Lag et brev, et prosesskriv eller en avtale av Markdown. Skriv parter bare som plassholdere: "
            "{{party0.name}}, {{party0.address}}. Vis til loven som [lov/1999-03-26-17/§3-5] eller «husleieloven "
            "§ 3-5», og sitér den bare ordrett, i «»; hvert sitat blir kontrollert. Adresser, dato, underskrift og "
            "kildeliste kommer av seg selv, så skriv ikke dem. Første linje er tittelen: # Krav om depositum.",
            generate_draft_pdf,
            ("case_id", "markdown_content", "draft_name", "revision"),
            markdown_content=text("Teksten, i Markdown.", minLength=1, maxLength=MOST_MARKDOWN),
            draft_name=text("Navnet på utkastet: Krav om depositum.", minLength=1, maxLength=120),
            revision={"type": "integer", "minimum": 1, "description": "1 for et nytt utkast, ellers neste nummer."},
            layout={"type": "string", "enum": [str(one) for one in Layout], "description": "letter om ikke annet."},
            sender=text("Parten som skriver; party0 om ikke annet.", pattern=r"^party\d{1,3}$"),
            recipient=text("Parten som det er til.", pattern=r"^party\d{1,3}$"),
            recipient_lines={
                "type": "array",
                "items": {"type": "string"},
                "maxItems": 6,
                "description": "Mottaker som ikke er part: navn og adresse, ei linje hver.",
            },
        ),
    )
