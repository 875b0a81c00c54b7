"""Drafts over NATS, on a real PostgreSQL, with law that stands in a dictionary."""

import base64
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import asyncpg
import pypdfium2
import pytest
import pytest_asyncio

from lovsvar_cases.adapters.template_files import read_templates
from lovsvar_cases.adapters.written_law import DEPOSIT, HUSLL, WrittenLaw, provision
from lovsvar_cases.core.drafts.templates import digest_of
from lovsvar_cases.settings import Settings
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.case_drafts import (
    Draft,
    DraftHead,
    Drafts,
    ListDrafts,
    ReadDraft,
    ReadTemplates,
    RenderDraft,
    RenderedDraft,
    Templates,
    WriteDraft,
)
from lovsvar_contracts.cases import (
    Actor,
    Case,
    CaseGrant,
    EraseCase,
    GrantCase,
    History,
    MoveCase,
    Parties,
    ReadCase,
    ReadHistory,
    RemoveParty,
    SetParty,
    Tombstone,
)
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import ProvisionRef, Provisions, ReadProvisions, Resolution, ResolveReference
from lovsvar_contracts.tools import CallTool, ToolReply
from lovsvar_testkit.running import answering
from lovsvar_testkit.waiting import until

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari", organisation="huset")
EVA = Actor(name="eva", organisation="andre", operator=True)
TEXT = f"# Krav\n\n{{{{party0.name}}}} krever pengene, jf. husleieloven § 3-5: «{DEPOSIT}»"


@pytest_asyncio.fixture(autouse=True)
async def law(nats_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WrittenLaw]:
    """Search with one provision, on which one template rests; it answers before the service starts."""
    written = WrittenLaw(provision())
    ref = ProvisionRef(refid=HUSLL, section="§3-5")
    templates = dict(read_templates())
    templates["krav-depositum"] = replace(templates["krav-depositum"], provisions={ref: digest_of(DEPOSIT)})
    monkeypatch.setattr("lovsvar_cases.app.read_templates", lambda: templates)

    async def read(request: ReadProvisions) -> Provisions:
        return await written.read(request.refs)

    async def resolve(request: ResolveReference) -> Resolution:
        found = tuple(await written.references(request.reference))
        return Resolution(
            reference=request.reference, outcome="one", references=found, corpus_version=1, corpus_date=None
        )

    router = RequestRouter("search", {}).answer(subjects.SEARCH_READ, read).answer(subjects.SEARCH_RESOLVE, resolve)
    async with answering(nats_url, router):
        yield written


async def case_with_parties(ask: "Asking") -> dict[str, Any]:
    case = await ask.open(KARI, description="Om et depositum.")
    about = {"actor": KARI, "case_id": case.case_id}
    tenant = {"firstName": "Kari", "lastName": "Nordmann", "address": "Storgata 1"}
    await ask(subjects.CASES_SET_PARTY, SetParty(**about, role="leier", fields=tenant), Parties)
    landlord = SetParty(**about, party_kind="organisation", role="utleier", fields={"orgName": "Bolig AS"})
    await ask(subjects.CASES_SET_PARTY, landlord, Parties)
    return about


async def write(ask: "Asking", about: dict[str, Any], **more: Any) -> Draft:
    fields = {"markdown": TEXT, **more}
    return await ask(subjects.CASES_WRITE_DRAFT, WriteDraft.model_validate({**about, **fields}), Draft)


async def pdf(ask: "Asking", about: dict[str, Any], draft: Draft, revision: int | None = None) -> str:
    request = RenderDraft(**about, draft_id=draft.draft_id, revision=revision or draft.revision)
    made = await ask(subjects.CASES_RENDER_DRAFT, request, RenderedDraft)
    document = pypdfium2.PdfDocument(base64.b64decode(made.content))
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


async def test_a_draft_is_written_listed_read_and_made_a_file_of(ask: "Asking") -> None:
    about = await case_with_parties(ask)
    draft = await write(ask, about, name="Krav om depositum", head=DraftHead(sender="party0", recipient="party1"))
    assert (draft.revision, draft.case_version, draft.unverified) == (1, 4, ())
    assert [(one.section, one.quotes) for one in draft.sources] == [("§3-5", 1)]
    assert "Nordmann" not in draft.markdown
    text = await pdf(ask, about, draft)
    for words in ("Kari Nordmann krever pengene", "Bolig AS", "Storgata 1", "Kilder", "Husleieloven § 3-5"):
        assert words in text
    docx = RenderDraft(**about, draft_id=draft.draft_id, format="docx")
    made = await ask(subjects.CASES_RENDER_DRAFT, docx, RenderedDraft)
    assert made.file_name == "krav-om-depositum-1.docx"
    assert base64.b64decode(made.content).startswith(b"PK")
    case = await ask(subjects.CASES_READ, ReadCase(**about), Case)
    assert [(one.draft_id, one.revision) for one in case.state.details.draft_status] == [(draft.draft_id, 1)]
    history = await ask(subjects.CASES_HISTORY, ReadHistory(**about), History)
    assert (history.changes[-1].action, history.changes[-1].about) == ("draft_written", draft.draft_id)


async def test_search_is_asked_about_the_law_of_a_draft_without_its_names(ask: "Asking", law: WrittenLaw) -> None:
    about = await case_with_parties(ask)
    law.asked.clear()
    draft = await write(ask, about, markdown="Kari Nordmann, 41 23 45 67, viser til husleieloven § 3-5.")
    assert [one.section for one in draft.sources] == ["§3-5"]
    assert law.asked == ["{{party0.firstName}} {{party0.lastName}}, {{telefon1}}, viser til husleieloven § 3-5."]


async def test_revisions_are_never_written_over_and_show_parties_as_they_were(ask: "Asking") -> None:
    about = await case_with_parties(ask)
    first = await write(ask, about)
    await ask(subjects.CASES_SET_PARTY, SetParty(**about, party_id="party0", fields={"lastName": "Hansen"}), Parties)
    second = await write(ask, about, draft_id=first.draft_id, revision=2, markdown="# Nytt\n\n{{party0.name}}.")
    assert (second.draft_id, second.revision, second.name) == (first.draft_id, 2, first.name)
    with pytest.raises(ProblemError, match="Neste revisjon") as caught:
        await write(ask, about, draft_id=first.draft_id, revision=2)
    assert caught.value.problem.type is ProblemType.CONFLICT
    assert "Kari Nordmann" in await pdf(ask, about, first, 1)
    assert "Kari Hansen" in await pdf(ask, about, first, 2)
    listed = await ask(subjects.CASES_DRAFTS, ListDrafts(**about, draft_id=first.draft_id), Drafts)
    assert [one.revision for one in listed.drafts] == [2, 1]
    read = await ask(subjects.CASES_READ_DRAFT, ReadDraft(**about, draft_id=first.draft_id, revision=1), Draft)
    assert read.markdown == TEXT
    case = await ask(subjects.CASES_READ, ReadCase(**about), Case)
    assert [one.revision for one in case.state.details.draft_status] == [2]


async def test_a_repeated_request_writes_one_draft(ask: "Asking") -> None:
    about = await case_with_parties(ask)
    written = [await write(ask, about, request_id="w1") for _ in range(3)]
    assert len({(one.draft_id, one.revision) for one in written}) == 1
    assert len((await ask(subjects.CASES_DRAFTS, ListDrafts(**about), Drafts)).drafts) == 1


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("{{party5.name}}", "party5"),
        ("{{party0.phone}}", "feltet phone er tomt"),
        ("«noe som ikke står der» [lov/1999-03-26-17/§3-5]", "ordrett"),
        ("[lov/1999-03-26-17/§9-9]", "finnes ikke"),
    ],
)
async def test_what_does_not_hold_is_refused_by_name_and_stores_nothing(
    ask: "Asking", markdown: str, words: str
) -> None:
    about = await case_with_parties(ask)
    with pytest.raises(ProblemError, match=words) as caught:
        await write(ask, about, markdown=markdown)
    assert caught.value.problem.type is ProblemType.INVALID_REQUEST
    assert (await ask(subjects.CASES_DRAFTS, ListDrafts(**about), Drafts)).drafts == ()


async def test_a_template_is_verified_at_start_and_makes_a_draft_and_the_others_are_withdrawn(ask: "Asking") -> None:
    about = await case_with_parties(ask)

    async def verified() -> bool:
        found = (await ask(subjects.CASES_TEMPLATES, ReadTemplates(), Templates)).templates
        return all(one.status != "unverified" for one in found)

    await until(verified)
    found = (await ask(subjects.CASES_TEMPLATES, ReadTemplates(), Templates)).templates
    assert [one.template_id for one in found if one.status == "offered"] == ["krav-depositum"]
    assert all("finnes ikke" in one.reason for one in found if one.status == "withdrawn")
    values = {"adresse": "Storgata 1", "flyttet": "1. mai", "belop": "30 000 kroner", "frist": "1. juni"}
    use = {"markdown": None, "template": "krav-depositum", "values": values}
    draft = await write(ask, about, **use)
    assert (draft.template, draft.head.sender, draft.head.recipient) == ("krav-depositum", "party0", "party1")
    assert "30 000 kroner" in await pdf(ask, about, draft)
    with pytest.raises(ProblemError, match="trukket tilbake") as caught:
        await write(ask, about, **{**use, "template": "fullmakt"})
    assert caught.value.problem.type is ProblemType.CONFLICT
    with pytest.raises(ProblemError, match=r"\{\{frist\}\}"):
        await write(ask, about, **{**use, "values": {**values, "frist": ""}})


async def test_another_tenant_is_told_that_there_is_no_such_case(ask: "Asking") -> None:
    about = await case_with_parties(ask)
    draft = await write(ask, about)
    theirs = {**about, "actor": EVA}
    for subject, request in (
        (subjects.CASES_WRITE_DRAFT, WriteDraft(**theirs, markdown="x")),
        (subjects.CASES_WRITE_DRAFT, WriteDraft(**theirs, markdown="x", draft_id=draft.draft_id)),
        (subjects.CASES_DRAFTS, ListDrafts(**theirs)),
        (subjects.CASES_READ_DRAFT, ReadDraft(**theirs, draft_id=draft.draft_id)),
        (subjects.CASES_RENDER_DRAFT, RenderDraft(**theirs, draft_id=draft.draft_id)),
    ):
        with pytest.raises(ProblemError, match="Fant ikke saken") as caught:
            await ask(subject, request, Draft)
        assert caught.value.problem.type is ProblemType.NOT_FOUND
    other = await ask.open(EVA)
    with pytest.raises(ProblemError, match="ikke utkastet"):
        mixed = ReadDraft(actor=EVA, case_id=other.case_id, draft_id=draft.draft_id)
        await ask(subjects.CASES_READ_DRAFT, mixed, Draft)


async def test_drafts_are_sealed_go_with_their_case_and_forget_a_forgotten_party(
    ask: "Asking", settings: Settings
) -> None:
    about = await case_with_parties(ask)
    draft = await write(ask, about)
    connection = await asyncpg.connect(settings.database_url)
    rows = str(await connection.fetch("SELECT * FROM cases.drafts"))
    assert "krever" not in rows
    await ask(subjects.CASES_REMOVE_PARTY, RemoveParty(**about, party_id="party0"), Parties)
    with pytest.raises(ProblemError, match=r"\{\{party0\.name\}\}: party0 er ingen part"):
        await pdf(ask, about, draft)
    await ask(subjects.CASES_MOVE, MoveCase(**about, step="close"), Case)
    with pytest.raises(ProblemError, match="avsluttet"):
        await write(ask, about)
    await ask(subjects.CASES_ERASE, EraseCase(**about), Tombstone)
    assert await connection.fetchval("SELECT count(*) FROM cases.drafts") == 0
    await connection.close()


async def test_a_model_makes_a_document_by_its_tool_and_sees_no_names(ask: "Asking") -> None:
    about = await case_with_parties(ask)
    grant = GrantCase(**about, run_id="run1")
    granted = (await ask(subjects.CASES_GRANT, grant, CaseGrant)).grant

    async def call(**arguments: Any) -> dict[str, Any]:
        given = {"case_id": about["case_id"], "draft_name": "Krav", **arguments}
        request = CallTool(name="generate_draft_pdf", arguments=given, run_id="run1", grant=granted)
        reply = await ask.plain.ask(subjects.tool_call("cases"), request, ToolReply)
        assert "Nordmann" not in reply.text
        result: dict[str, Any] = json.loads(reply.text)
        return result

    done = await call(markdown_content=TEXT, revision=1)
    assert (done["status"], done["revision"], done["unverified_quotes"]) == ("success", 1, [])
    assert done["pdf_path"] == f"/v1/cases/{about['case_id']}/drafts/{done['draft_id']}/revisions/1/pdf"
    again = await call(markdown_content=TEXT, revision=1)
    assert again["status"] == "error"
    assert "Neste revisjon av «Krav» er 2" in again["error_message"]
    second = await call(markdown_content=TEXT, revision=2, layout="pleading", recipient_lines=["Oslo tingrett"])
    assert (second["draft_id"], second["revision"]) == (done["draft_id"], 2)
    refused = await call(markdown_content="{{party9.lastName}}", revision=3)
    assert "{{party9.lastName}}: party9 er ingen part i saken." in refused["error_message"]
    draft = await ask(subjects.CASES_READ_DRAFT, ReadDraft(**about, draft_id=done["draft_id"]), Draft)
    assert (draft.by_kind, draft.head.recipient_lines) == ("agent", ("Oslo tingrett",))


async def test_without_search_a_draft_that_names_law_waits_and_another_is_written(
    ask: "Asking", law: WrittenLaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = await case_with_parties(ask)

    async def broken(_: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr(law, "read", broken)
    with pytest.raises(ProblemError, match="kan ikke kontrolleres nå") as caught:
        await write(ask, about)
    assert caught.value.problem.type is ProblemType.UNAVAILABLE
    assert (await write(ask, about, markdown="# Kort\n\nUten lov.")).sources == ()
