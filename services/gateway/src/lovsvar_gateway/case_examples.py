"""Examples of cases in the OpenAPI document, made of the models themselves. Everybody in them is invented."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from pydantic import BaseModel

from lovsvar_contracts import case_accesses, case_credit, case_documents, case_drafts, case_keys, cases
from lovsvar_contracts.case_details import CaseDetails, CaseState, Fact, PartyContext, PartyKind, Phase, Summary

ID = "4bf92f3577b34da6a3ce929d0e0e4736"
NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
SENT: Mapping[str, Any] = {"event_id": ID, "occurred_at": NOW, "correlation_id": ID}
WORDS = "Utleieren holder depositumet tilbake."

STATE = CaseState(
    phase=Phase.ACTIVE,
    title="Depositum",
    tier=1,
    entitled=True,
    details=CaseDetails(
        summary=Summary(current=WORDS),
        facts=(Fact(fact="Jeg flyttet ut.", timestamp="2026-01-01"),),
        parties_involved_context=(PartyContext(party_id="party0", role="leier", fields=("lastName",)),),
    ),
)
CASE = cases.Case(case_id=ID, version=3, owner="kari", opened_at=NOW, changed_at=NOW, state=STATE, **SENT)
LINE = cases.CaseLine(case_id=ID, version=3, phase=Phase.ACTIVE, title="Depositum", opened_at=NOW, changed_at=NOW)
CHANGE = cases.CaseChange(
    version=2, at=NOW, by="kari", action=cases.CaseAction.DETAILS_UPDATED, updates={"summary.current": WORDS}
)
PARTIES = cases.Parties(
    case_id=ID,
    version=3,
    parties=(cases.Party(party_id="party0", kind=PartyKind.PERSON, role="leier", fields={"lastName": "Nordmann"}),),
    **SENT,
)
TICKET = cases.Ticket(ticket_id=ID, case_id=ID, created_at=NOW, issue_description="Fristen er uklar.", **SENT)
DOCUMENT = case_documents.CaseDocument(
    document_id=ID,
    name="Leiekontrakt.pdf",
    state=case_documents.DocumentState.READY,
    kind="pdf",
    size=48_112,
    pages=2,
    added_at=NOW,
)
DOCUMENTS = case_documents.CaseDocuments(case_id=ID, documents=(DOCUMENT,), **SENT)
PLACED: Mapping[str, Any] = {"document_id": ID, "name": DOCUMENT.name, "page": 2, "source": "text"}
PAGE = case_documents.DocumentPage(number=2, text=WORDS, source=case_documents.PageSource.TEXT)
PERIOD: Mapping[str, Any] = {"starts": date(2026, 1, 1), "ends": date(2026, 12, 31), "credits": {"1": 20, "2": 5}}

DRAFT = case_drafts.Draft(
    case_id=ID,
    draft_id=ID,
    revision=1,
    name="Krav om depositum",
    made_at=NOW,
    made_by="kari",
    case_version=4,
    template="krav-depositum",
    head=case_drafts.DraftHead(sender="party0", recipient="party1", place="Oslo"),
    markdown="# Krav om depositum\n\nJeg krever depositumet tilbake, jf. husleieloven § 3-5.\n",
    sources=(
        case_drafts.DraftSource(
            refid="lov/1999-03-26-17",
            section="§3-5",
            title="Husleieloven § 3-5 (Depositum)",
            in_force_from=date(2000, 1, 1),
            corpus_date=date(2026, 1, 30),
            lovdata_url="https://lovdata.no/lov/1999-03-26-17/%C2%A73-5",
        ),
    ),
    **SENT,
)
DRAFT_LINE = case_drafts.DraftLine(draft_id=ID, revision=1, name=DRAFT.name, made_at=NOW, made_by="kari")
TEMPLATE = case_drafts.DraftTemplate(
    template_id="krav-depositum",
    title_nb="Krav om tilbakebetaling av depositum",
    title_nn="Krav om tilbakebetaling av depositum",
    title_en="Claim for repayment of a deposit",
    tier=1,
    layout=case_drafts.Layout.LETTER,
    sender="leier",
    recipient="utleier",
    to_party=True,
    fields=(
        case_drafts.TemplateField(
            name="belop",
            ask="Hvor stort er depositumet?",
            ask_nn="Kor stort er depositumet?",
            ask_en="How large is the deposit?",
        ),
    ),
    provisions=(case_drafts.TemplateProvision(refid="lov/1999-03-26-17", section="§3-5"),),
    status="offered",
    markdown="# Krav om depositum\n\nDepositumet er {{belop}}.\n",
)
WRITTEN: dict[str, Any] = {
    "template": "krav-depositum",
    "values": {"belop": "30 000 kroner"},
    "head": {"sender": "party0", "recipient": "party1", "place": "Oslo"},
}

BODIES: Mapping[str, dict[str, Any]] = {
    "open_case": {"title": "Depositum", "description": WORDS},
    "update_case": {"expected_version": 2, "updates": {"summary.current": WORDS}},
    "set_tier": {"tier": 1},
    "close_case": {"reason": "Forlik"},
    "reopen_case": {"reason": "Avtalen ble ikke holdt"},
    "create_ticket": {"issue_description": "Fristen er uklar."},
    "add_party": {"kind": "person", "role": "leier", "fields": {"firstName": "Kari", "lastName": "Nordmann"}},
    "change_party": {"fields": {"phone": None}},
    "send_message": {"message": "Utleieren svarer fortsatt ikke. Hva gjør jeg?"},
    "search_case_documents": {"query": "depositum"},
    "verify_document_quote": {"quote": WORDS},
    "set_subscription": {"starts": "2026-01-01", "ends": "2026-12-31", "credits": {"1": 20, "2": 5}},
    "write_draft": WRITTEN,
    "revise_draft": {"revision": 2, "markdown": DRAFT.markdown},
    "receive_payment": {"type": "payment.succeeded", "data": {"case_id": ID, "tier": 1}},
}

REPLIES: Mapping[str, BaseModel | dict[str, Any]] = {
    **dict.fromkeys(("open_case", "read_case", "update_case", "set_tier", "close_case", "reopen_case"), CASE),
    "list_cases": cases.Cases(cases=(LINE,), **SENT),
    "read_history": cases.History(case_id=ID, version=3, changes=(CHANGE,), next=2, **SENT),
    **dict.fromkeys(("read_parties", "add_party", "change_party", "remove_party"), PARTIES),
    **dict.fromkeys(
        ("add_case_document", "read_case_document"), case_documents.DocumentReply(case_id=ID, document=DOCUMENT, **SENT)
    ),
    **dict.fromkeys(("list_case_documents", "remove_case_document"), DOCUMENTS),
    "read_case_document_pages": case_documents.DocumentPages(case_id=ID, document_id=ID, pages=(PAGE,), **SENT),
    "search_case_documents": case_documents.DocumentHits(
        case_id=ID, hits=(case_documents.DocumentHit(snippet=WORDS, **PLACED),), **SENT
    ),
    "verify_document_quote": case_documents.VerifiedQuote(
        case_id=ID,
        verified=True,
        places=(case_documents.QuotePlace(last_page=2, start=0, text=WORDS, **PLACED),),
        **SENT,
    ),
    "erase_case": cases.Tombstone(case_id=ID, opened_at=NOW, erased_at=NOW, **SENT),
    "read_accesses": case_accesses.Accesses(
        case_id=ID, accesses=(case_accesses.CaseAccess(at=NOW, by="kari", action="read"),), **SENT
    ),
    "create_ticket": TICKET,
    "resolve_ticket": TICKET,
    "send_message": {
        "run_id": ID,
        "status": "running",
        "links": {"self": f"/v1/cases/{ID}/messages/{ID}", "events": f"/v1/cases/{ID}/messages/{ID}/events"},
    },
    "list_case_tickets": cases.Tickets(tickets=(TICKET,), **SENT),
    "rotate_case_keys": case_keys.KeyRotation(read=12, rewrapped=12, **SENT),
    "read_case_texts": case_credit.CaseTexts(
        locale="nb",
        greeting="Velkommen til Lovsvar! Beskriv situasjonen din kort.",
        question="Omtrent hvor stort beløp gjelder det?",
        tiers=(
            case_credit.TierTexts(
                tier=1,
                name="Enkel sak",
                description="Ett avgrenset spørsmål.",
                has_quota="Du har kreditt til en sak på nivå 1.",
                no_quota="Du har ingen kreditt igjen på nivå 1.",
            ),
        ),
        **SENT,
    ),
    "list_tickets": cases.Tickets(tickets=(TICKET,), **SENT),
    "list_templates": case_drafts.Templates(templates=(TEMPLATE.model_copy(update={"markdown": ""}),), **SENT),
    "read_template": TEMPLATE,
    **dict.fromkeys(("write_draft", "revise_draft", "read_draft"), DRAFT),
    **dict.fromkeys(("list_drafts", "list_revisions"), case_drafts.Drafts(case_id=ID, drafts=(DRAFT_LINE,), **SENT)),
    "read_quota": case_credit.Quota(account="key:kari", tier=1, has_quota=True, left=3, ends=PERIOD["ends"], **SENT),
    "set_subscription": case_credit.Subscription(account="org:advokatene", **PERIOD, **SENT),
    "receive_payment": case_credit.PaymentReceipt(status="accepted", case_id=ID, **SENT),
}

PARAMETERS: Mapping[str, Any] = {
    "case_id": ID,
    "party_id": "party0",
    "draft_id": ID,
    "revision": 1,
    "template_id": "krav-depositum",
    "document_id": ID,
    "name": "Leiekontrakt.pdf",
    "first": 1,
    "ticket_id": ID,
    "account": "org:advokatene",
    "version": 2,
    "phase": "active",
    "tier": 1,
    "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
    "webhook-timestamp": "1769860800",
    "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
}
