"""The work on drafts: writing revisions, reading them, and making files of them."""

import asyncio
import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.casework import check_open
from lovsvar_cases.core.drafts.blocks import parsed
from lovsvar_cases.core.drafts.citations import LawSource, check, paragraphs_of
from lovsvar_cases.core.drafts.errors import InvalidDraft, StaleRevision
from lovsvar_cases.core.drafts.pages import Page, page_of
from lovsvar_cases.core.drafts.placeholders import Meanings
from lovsvar_cases.core.drafts.shelf import Shelf
from lovsvar_cases.core.drafts.templates import Filled, fill
from lovsvar_cases.core.ports import Books, CaseStore
from lovsvar_contracts.case_details import DraftStatus
from lovsvar_contracts.case_drafts import (
    Draft,
    DraftFormat,
    DraftHead,
    DraftLine,
    Drafts,
    ListDrafts,
    ReadDraft,
    ReadTemplates,
    RenderDraft,
    RenderedDraft,
    Templates,
    WriteDraft,
)
from lovsvar_contracts.cases import Actor, CaseAction
from lovsvar_contracts.message import new_id, utc_now

MEDIA_TYPES = {
    DraftFormat.PDF: "application/pdf",
    DraftFormat.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


class DraftStore(Protocol):
    """Revisions of drafts. Everything raises `UnknownCase` for who may not see a case."""

    async def meanings(self, actor: Actor, case_id: str, version: int | None = None) -> tuple[CaseFile, Meanings]:
        """Return a case and what placeholders stand for in it, as was known at `version`."""

    async def revision(self, actor: Actor, case_id: str, draft_id: str, revision: int | None = None) -> Draft:
        """Return a revision, the newest when none is named. Raises `UnknownDraft`."""

    async def revisions(self, actor: Actor, case_id: str, draft_id: str | None = None) -> Sequence[Draft]:
        """Return revisions, newest first. Raises `UnknownDraft`."""

    async def of_request(self, actor: Actor, case_id: str, request_id: str) -> Draft | None:
        """Return the revision that a request wrote before."""


class Press(Protocol):
    """Makes files."""

    async def made(self, page: Page, kind: DraftFormat) -> bytes:
        """Return a page as a file. Raises `DraftTooLarge` and `InvalidDraft`."""


@dataclass(frozen=True)
class DraftDesk:
    """What the work on drafts is done with."""

    cases: CaseStore
    store: DraftStore
    law: LawSource
    press: Press
    shelf: Shelf


async def write_draft(request: WriteDraft, drafts: DraftDesk) -> Draft:
    """Write a revision. What is stored can be made a document of, and its sources were read.

    Raises `Unfilled`, `UnprovenSource`, `StaleRevision`, `UnknownDraft`, `TemplateNotOffered` and
    `SourcesUnavailable`.
    """
    actor, case_id = request.actor, request.case_id
    if before := await drafts.store.of_request(actor, case_id, request.request_id):
        return before
    earlier = None
    if request.draft_id is not None:
        earlier = await drafts.store.revision(actor, case_id, request.draft_id)
    file, meanings = await drafts.store.meanings(actor, case_id)
    check_open(file)
    text = _text(request, file, earlier, drafts.shelf)
    blocks = await asyncio.to_thread(parsed, text.markdown)
    async with drafts.cases.gate(actor, case_id) as (_, gate):
        paragraphs = await asyncio.to_thread(paragraphs_of, blocks, gate.hidden)
    checked = await check(paragraphs, drafts.law)
    draft = Draft(
        correlation_id=request.correlation_id,
        case_id=case_id,
        draft_id=earlier.draft_id if earlier else new_id(),
        revision=earlier.revision + 1 if earlier else 1,
        name=text.name,
        made_at=utc_now(),
        made_by=actor.name,
        by_kind=actor.kind,
        case_version=file.version,
        template=request.template,
        head=text.head,
        markdown=text.markdown,
        sources=checked.sources,
        unverified=checked.unverified,
    )
    page = await asyncio.to_thread(page_of, draft, blocks, meanings)
    await drafts.press.made(page, DraftFormat.PDF)
    return await _stored(request, draft, drafts)


def _text(request: WriteDraft, file: CaseFile, earlier: Draft | None, shelf: Shelf) -> Filled:
    if (request.markdown is None) == (request.template is None):
        raise InvalidDraft("Et utkast skrives enten av en tekst eller av en mal.")
    if request.template is not None:
        template = shelf.offered(request.template)
        parties = file.state.details.parties_involved_context
        made = fill(template, request.values, parties, request.head or (earlier.head if earlier else None))
    else:
        head = request.head or (earlier.head if earlier else _usual_head(file))
        made = Filled(request.markdown or "", head)
    name = request.name or (earlier.name if earlier else made.name) or "Utkast"
    return Filled(made.markdown, made.head, name)


async def _stored(request: WriteDraft, draft: Draft, drafts: DraftDesk) -> Draft:
    async def decide(file: CaseFile, _: Books) -> Step:
        check_open(file)
        return written(file, draft, request.revision)

    await drafts.cases.change(request.actor, request.case_id, request.request_id, decide)
    stored = await drafts.store.of_request(request.actor, request.case_id, request.request_id)
    if stored is None:
        raise InvalidDraft("Forespørselen har endret saken før, med noe annet enn et utkast.")
    return stored


async def list_drafts(request: ListDrafts, drafts: DraftDesk) -> Drafts:
    """Return the revisions of a case's drafts."""
    found = await drafts.store.revisions(request.actor, request.case_id, request.draft_id)
    lines = (DraftLine(**one.model_dump(include=set(DraftLine.model_fields))) for one in found)
    return Drafts(case_id=request.case_id, drafts=tuple(lines))


async def read_draft(request: ReadDraft, drafts: DraftDesk) -> Draft:
    """Return a revision with its text."""
    return await drafts.store.revision(request.actor, request.case_id, request.draft_id, request.revision)


async def render_draft(request: RenderDraft, drafts: DraftDesk) -> RenderedDraft:
    """Return a revision as a file. Raises `Unfilled` when a party of it was forgotten."""
    actor, case_id = request.actor, request.case_id
    draft = await drafts.store.revision(actor, case_id, request.draft_id, request.revision)
    _, meanings = await drafts.store.meanings(actor, case_id, draft.case_version)
    blocks = await asyncio.to_thread(parsed, draft.markdown)
    page = await asyncio.to_thread(page_of, draft, blocks, meanings)
    content = await drafts.press.made(page, request.format)
    return RenderedDraft(
        file_name=f"{_file_name(draft.name)}-{draft.revision}.{request.format}",
        media_type=MEDIA_TYPES[request.format],
        content=base64.b64encode(content).decode(),
    )


async def read_templates(request: ReadTemplates, drafts: DraftDesk) -> Templates:
    """Return the templates. Raises `UnknownTemplate`."""
    return Templates(templates=drafts.shelf.shown(request.template_id))


def written(file: CaseFile, draft: Draft, expected: int | None) -> Step:
    """Decide on a revision: the next of its draft, at the version that the case gets. Raises `StaleRevision`."""
    details = file.state.details
    places = [place for place, one in enumerate(details.draft_status) if one.draft_id == draft.draft_id]
    following = details.draft_status[places[0]].revision + 1 if places else 1
    if following != (draft.revision if expected is None else expected):
        raise StaleRevision(draft.name, draft.revision if expected is None else expected, following)
    path = f"draft_status.{places[0]}" if places else "draft_status"
    status = DraftStatus(draft_id=draft.draft_id, name=draft.name, revision=following)
    stored = draft.model_copy(update={"revision": following, "case_version": file.version + 1})
    body = ChangeBody(updates={path: status.model_dump(mode="json")}, about=draft.draft_id)
    return Step(CaseAction.DRAFT_WRITTEN, body, draft=stored)


def _usual_head(file: CaseFile) -> DraftHead:
    """Return what stands around a text when nobody says: the first party of the case is who writes."""
    there = [one.party_id for one in file.state.details.parties_involved_context if not one.removed]
    return DraftHead(sender=there[0] if there else None)


def _file_name(name: str) -> str:
    kept = re.sub(r"[^a-z0-9]+", "-", name.casefold().translate(str.maketrans("æøåáđŋšžăâîșț", "eoaadnszaaist")))
    return kept.strip("-")[:60] or "utkast"
