"""Examples in the OpenAPI document, made of the models themselves, so that they stay valid. The act is invented."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from pydantic import BaseModel

from lovsvar_contracts import listings, search
from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.blocks import Quote
from lovsvar_contracts.case_events import CaseEvent, event_of
from lovsvar_contracts.catalogues import Catalogue, Catalogues, Product, ProductHit, ProductHits
from lovsvar_contracts.facets import Facets, FacetValue
from lovsvar_contracts.ingest import SyncCompleted, SyncReport
from lovsvar_contracts.law import DocumentSummary, InForce, LawType, Provision
from lovsvar_contracts.named_acts import NamedAct
from lovsvar_contracts.practice import PracticeHit, PracticeHits
from lovsvar_contracts.questions import Answer, Citation, Mode, RunStatus
from lovsvar_contracts.run_events import RunAccepted, RunCompleted, RunEvent
from lovsvar_contracts.saved_answers import CitedVersion, SavedAnswer, Thread
from lovsvar_gateway import case_examples
from lovsvar_gateway.core.saved_answers import KEPT
from lovsvar_gateway.problems import ProblemDocument, Refusal, document_of
from lovsvar_gateway.sse import RETRY, frame

ID = "4bf92f3577b34da6a3ce929d0e0e4736"
NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
REFID, SECTION = "lov/2999-01-01-1", "§3-5"
QUESTION = "Hvor mye kan utleier kreve i depositum?"
QUOTE = "Utleieren kan kreve et depositum på høyst fire måneders leie."
SENT: Mapping[str, Any] = {"event_id": ID, "occurred_at": NOW, "correlation_id": ID}
VERSION: Mapping[str, Any] = {**SENT, "corpus_version": 7}
ACT: Mapping[str, Any] = {
    "refid": REFID,
    "title": "Lov om utleie av eksempler",
    "short_title": "Eksempelleieloven",
    "law_type": LawType.LOV,
    "year": 2999,
    "in_force": InForce.YES,
    "provisions": 1,
    "dataset": "eksempel",
    "sample": True,
    "url": f"/{REFID}",
    "lovdata_url": f"https://lovdata.no/{REFID}",
}
PLACE: Mapping[str, Any] = {
    "refid": REFID,
    "section": SECTION,
    "act": "Eksempelleieloven",
    "title": "§ 3-5. Depositum",
    "law_type": LawType.LOV,
    "in_force": InForce.YES,
    "url": f"/{REFID}#{SECTION}",
    "lovdata_url": f"https://lovdata.no/{REFID}/{SECTION}",
}
"""What a provision has wherever it is named."""

NUMBER: Mapping[str, Any] = {"value": "§ 3-5", "title": "Depositum", "tokens": 14}

SUMMARY = DocumentSummary(**ACT)
STORED = {"position": 0, "content_hash": "0", "dataset": "eksempel", "sample": True}
PROVISION = Provision(**{**PLACE, **NUMBER, **STORED, "document_title": SUMMARY.title, "text": QUOTE})
HIT = search.ProvisionHit(**PLACE, snippet=QUOTE, score=11.4, tokens=14)
NAMED = NamedAct(
    **{name: ACT[name] for name in ("refid", "title", "law_type", "in_force", "url", "lovdata_url")},
    act="Eksempelleieloven",
    abbreviation="eksll",
    name="eksll",
)
FACETS = Facets(
    law_types=(FacetValue(value="lov", hits=1),),
    ministries=(FacetValue(value="Eksempeldepartementet", hits=1),),
    legal_areas=(FacetValue(value="Fast eiendoms rettsforhold > Husleie", hits=1),),
    in_force=1,
    word_hits=1,
)
CITING = listings.Citing(**{name: value for name, value in PLACE.items() if name != "lovdata_url"})
RESOLVED = search.ResolvedReference(**PLACE)
CITED = {"number": 1, "evidence_id": "lovdata-1", "ledd": 1, "title": "Eksempelleieloven § 3-5. Depositum"}
CITATION = Citation(**{**PLACE, **CITED, "quote": QUOTE, "verified": True, "sample": True})
ANSWER = Answer(
    run_id=ID,
    status=RunStatus.COMPLETED,
    mode=Mode.EXTRACTIVE,
    question=QUESTION,
    blocks=(Quote(citation=1),),
    answer_html=f"<blockquote><p>{QUOTE}</p><p><sup>[1]</sup></p></blockquote>",
    answer_text=f"«{QUOTE}» [1]",
    citations=(CITATION,),
    corpus_date=date(2026, 1, 31),
    sample=True,
    **VERSION,
)
VERSIONS = (CitedVersion(**PLACE, content_hash="0", corpus_date=date(2026, 1, 31)),)
CATALOGUE = Catalogue(
    catalogue="hjelpetilbud",
    name="Hjelpetilbud",
    language="nb",
    items=250,
    embedded=250,
    version=3,
    synced_at=NOW,
    offer="Bruk når spørsmålet gjelder hvem som kan hjelpe.",
    no_price="Pris på forespørsel",
    categories=("Rettshjelp",),
)
PRODUCT: Mapping[str, Any] = {
    "catalogue": "hjelpetilbud",
    "product_id": "eksempelhjelpa",
    "name": "Eksempelhjelpa",
    "description": "Gratis rettshjelp fra studenter, for deg som leier bolig.",
    "price": "Gratis",
    "url": "https://eksempelhjelpa.example.no/",
    "category": "Rettshjelp",
    "problem_mappings": ("Depositum",),
}
SAVED = SavedAnswer(run_id=ID, answer=ANSWER, versions=VERSIONS, expires_at=NOW + KEPT, **SENT)
SYNCED = SyncCompleted(sync_id=ID, dataset="gjeldende-lover", report=SyncReport(added=5), corpus_version=7, **SENT)
RECORD = AuditRecord(action=AuditAction.ASKED, key="kari", run_id=ID, question=QUESTION, **SENT)
SERVICES = dict.fromkeys(("search", "agent", "gateway"), "ready")
RUN = f"/v1/questions/{ID}"
SYNC = {"sync_id": ID, "dataset": "gjeldende-lover", "events": f"/v1/ingest/{ID}/events"}
PAGE: Mapping[str, Any] = {"total": 1, "page": 1, "page_size": 10}

PARAMETERS: Mapping[str, Any] = {
    **case_examples.PARAMETERS,
    "run_id": ID,
    "sync_id": ID,
    "refid": REFID,
    "section": SECTION,
    "q": "depositum husleie",
    "ref": "husll. § 3-5",
    "law_type": "lov",
    "year": 1999,
    "ministry": "Justis",
    "legal_area": "husleie",
    "title": "leie",
    "catalogue": "hjelpetilbud",
    "product_id": "eksempelhjelpa",
    "category": "Rettshjelp",
    "max_price": 500,
    "Last-Event-ID": 4,
}
"""By the parameter's name."""

BODIES: Mapping[str, dict[str, Any]] = {
    **case_examples.BODIES,
    "ask_question": {
        "question": QUESTION,
        "locale": "nb",
        "mode": "extractive",
        "filters": {"law_type": "lov", "year": 2999},
    },
    "read_provisions": {"refs": [{"refid": REFID, "section": SECTION}]},
    "request_sync": {"dataset": "gjeldende-lover"},
}
"""By the operation's id, as the next."""

REPLIES: Mapping[str, BaseModel | dict[str, Any]] = {
    **case_examples.REPLIES,
    "ask_question": {
        "run_id": ID,
        "status": "running",
        "links": {"self": RUN, "events": f"{RUN}/events", "cancel": RUN},
    },
    "read_answer": ANSWER,
    "read_reply": ANSWER,
    "read_thread": Thread(run_id=ID, answers=(ANSWER,), **SENT),
    "save_answer": SAVED,
    "read_saved_answer": SAVED,
    "find_provisions": search.ProvisionHits(
        hits=(HIT,),
        searched_law_types=(LawType.LOV,),
        prioritized=True,
        took_ms=3.1,
        facets=FACETS,
        **PAGE,
        **VERSION,
    ),
    "complete_act": search.Acts(acts=(NAMED,), **VERSION),
    "resolve_reference": search.Resolution(reference="husll. § 3-5", outcome="one", matches=(RESOLVED,), **VERSION),
    "find_practice": PracticeHits(
        hits=(PracticeHit(title="HR-2999-1-A", url="https://lovdata.no/HR-2999-1-A", snippet="Depositum …"),),
        took_ms=412.0,
        **SENT,
    ),
    "list_catalogues": Catalogues(catalogues=(CATALOGUE,), **SENT),
    "find_products": ProductHits(
        hits=(ProductHit(**PRODUCT, similarity=0.89, matched_problems=("Depositum",)),),
        searched=("hjelpetilbud",),
        took_ms=2.4,
        **SENT,
    ),
    "read_product": Product(**PRODUCT, amount=0.0),
    "list_documents": listings.Documents(documents=(SUMMARY,), **PAGE, **VERSION),
    "read_subjects": listings.Subjects(
        letters=(listings.Subject(name="E", documents=1),),
        legal_areas=(listings.Subject(name="Fast eiendoms rettsforhold", documents=1),),
        ministries=(),
        **VERSION,
    ),
    "list_citations": listings.Citations(
        refid=REFID, places=(listings.CitedPlace(section=SECTION, total=1, citing=(CITING,)),), **VERSION
    ),
    "read_outline": search.Outline(
        document=SUMMARY, provisions=(search.OutlineEntry(section=SECTION, **NUMBER),), tokens=14, **VERSION
    ),
    "read_provision": PROVISION,
    "read_document": search.Document(document=SUMMARY, provisions=(PROVISION,), **VERSION),
    "read_provisions": search.Provisions(provisions=(PROVISION,), **VERSION),
    "request_sync": {"syncs": [SYNC]},
    "list_syncs": {"syncs": [SYNCED.model_dump(mode="json")]},
    "read_audit": {"records": [RECORD.model_dump(mode="json", exclude_none=True)], "next_after": None},
    "alive": {"status": "alive"},
    "ready": {"status": "ready", "services": SERVICES},
    "read_status": search.CorpusStatus(
        documents=4217,
        provisions=90149,
        embedded=90149,
        stored_version=7,
        corpus_date=date(2026, 1, 31),
        by_law_type={LawType.LOV: 794},
        sample=False,
        indexed_provisions=90149,
        ready=True,
        services=SERVICES,
        **VERSION,
    ),
}

PROBLEMS: Mapping[int, tuple[str, str, str, bool]] = {
    400: (Refusal.MALFORMED.title, Refusal.MALFORMED.slug, Refusal.MALFORMED.detail, False),
    401: (Refusal.NO_KEY.title, Refusal.NO_KEY.slug, Refusal.NO_KEY.detail, False),
    403: (
        "Nøkkelen har ikke rettigheten, eller et fremmed nettsted spør",
        Refusal.MISSING_SCOPE.slug,
        "Nøkkelen «kari» har ikke rettigheten «operate».",
        False,
    ),
    404: ("Finnes ikke", "not-found", "Fant ikke §99 i lov/2999-01-01-1.", False),
    408: (Refusal.TOO_LATE.title, Refusal.TOO_LATE.slug, Refusal.TOO_LATE.detail, False),
    409: ("Konflikt", "conflict", "Noen andre endret det samme.", False),
    413: (Refusal.TOO_LARGE.title, Refusal.TOO_LARGE.slug, Refusal.TOO_LARGE.detail, False),
    422: ("Ugyldig forespørsel", "invalid-request", "page_size kan være høyst 20.", False),
    429: ("Kvoten er brukt opp", Refusal.TOO_MANY.slug, Refusal.TOO_MANY.detail, True),
    500: ("Intern feil", "internal", "Noe gikk galt hos oss. Feilen er loggført.", False),
    502: ("Kilden kan ikke nås eller leses", "source-unreachable", "Kilden svarer ikke.", True),
    503: (
        "Utilgjengelig, ikke klar eller ikke satt opp",
        "unavailable",
        "Meldingstjenesten (NATS) svarer ikke. Prøv igjen om litt.",
        True,
    ),
    504: ("Tidsavbrudd", "timeout", "Søket ble ikke ferdig i tide.", True),
}
"""Of each status that any route may answer with: its description, and slug, words and retryability of an example."""


def problem(status: int) -> ProblemDocument:
    """Return a problem of that status."""
    title, slug, detail, retryable = PROBLEMS[status]
    return document_of("/v1/search", status, slug, title, detail, retryable=retryable, correlation_id=ID)


def _stream(*events: RunEvent | SyncCompleted | CaseEvent) -> str:
    frames = [frame(e.type, e.model_dump_json(exclude_none=True), n) for n, e in enumerate(events, start=1)]
    return (RETRY + b"".join(frames)).decode()


STREAMS: Mapping[str, str] = {
    "RunEvent": _stream(RunAccepted(id=1, run_id=ID, question=QUESTION, **SENT), RunCompleted(id=2, run_id=ID, **SENT)),
    "SyncEvent": _stream(SYNCED),
    "CaseStreamEvent": _stream(event_of(ID, case_examples.CHANGE)),
}
"""By what the events are."""
