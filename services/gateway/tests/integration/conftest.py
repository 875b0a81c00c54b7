"""A real nats-server with a connection of the test's own, and services behind the gateway that answer by the book."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from faststream.nats import NatsBroker
from mcp.server.mcpserver.tools import base
from nats.js import JetStreamContext
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.health import health_routers
from lovsvar_chassis.problems import problem
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.sealing import SealedDesk
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import case_accesses, case_credit, case_documents, case_drafts, case_keys, cases, subjects
from lovsvar_contracts.catalogues import Catalogues, FindProducts, ProductHits, Products, ReadCatalogues, ReadProducts
from lovsvar_contracts.law import Block, BlockKind, DocumentSummary, InForce, LawType, Provision
from lovsvar_contracts.listings import (
    Citations,
    Documents,
    ListCitations,
    ListDocuments,
    ReadSubjects,
    Subject,
    Subjects,
)
from lovsvar_contracts.message import Message
from lovsvar_contracts.named_acts import FindActs
from lovsvar_contracts.practice import FindPractice
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.search import (
    Acts,
    CorpusStatus,
    Document,
    FindProvisions,
    Outline,
    ProvisionHits,
    Provisions,
    ReadDocument,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)
from lovsvar_gateway import case_examples
from lovsvar_testkit.running import answering

REFID = "lov/2999-01-01-1"


@pytest.fixture(scope="session", autouse=True)
def tracing() -> None:
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        trace.set_tracer_provider(TracerProvider())


@pytest.fixture(scope="session", autouse=True)
def schemas_made_once() -> Iterator[None]:
    """The schemas of MCP tools are made once: for each gateway they take longer than all else."""
    make, made = base.func_metadata, {}

    def metadata(function: Any, **more: Any) -> Any:
        key = (function.__qualname__, repr(more))
        if key not in made:
            made[key] = make(function, **more)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "func_metadata", metadata)
        yield


@pytest_asyncio.fixture
async def broker(nats_url: str) -> AsyncIterator[NatsBroker]:
    """A connection of the test's own."""
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    await broker.connect()
    yield broker
    await broker.stop()


@pytest.fixture
def js(broker: NatsBroker) -> JetStreamContext:
    return broker.connection.jetstream()


@pytest.fixture
def events(broker: NatsBroker) -> EventPublisher:
    return EventPublisher(broker)


@pytest.fixture
def run_log(events: EventPublisher) -> RunLog:
    return RunLog(events)


async def subscribed(broker: NatsBroker) -> None:
    """Return when the server knows the broker's subscriptions, so that another connection's request finds them.

    A request goes behind them in nats-py's buffer; its `flush()` would overtake them.
    """
    await broker.connection.jetstream().account_info()


@pytest.fixture
def until_subscribed() -> Callable[[NatsBroker], Awaitable[None]]:
    return subscribed


@dataclass
class Behind:
    """Fake search, practice and agent. `asked` holds what they were asked, `reply` what they answer by subject."""

    asked: list[Message] = field(default_factory=list)
    reply: dict[str, Message] = field(default_factory=dict)
    not_ready: str = ""
    not_read: Problem | None = None

    def forget(self) -> None:
        """Be as at first."""
        vars(self).update(vars(Behind()))


def summary() -> DocumentSummary:
    return DocumentSummary(
        refid=REFID,
        title="Eksempellov om <leie>",
        short_title="Eksempelleieloven",
        law_type=LawType.LOV,
        year=2999,
        in_force=InForce.YES,
        provisions=2,
        dataset="eksempel",
        sample=True,
        url=f"/{REFID}",
        lovdata_url=f"https://lovdata.no/{REFID}",
    )


def provision(section: str, position: int, text: str = "Første ledd.") -> Provision:
    item = Block(kind=BlockKind.LIST_ITEM, label="a.", text="en bokstav")
    return Provision(
        refid=REFID,
        section=section,
        value=section.replace("§", "§ "),
        title="Depositum",
        act="Eksempelleieloven",
        document_title="Eksempellov om <leie>",
        law_type=LawType.LOV,
        path=("Kapittel 3. Leie",),
        position=position,
        text=text,
        blocks=(Block(kind=BlockKind.LEDD, label="(1)", ledd=1, text=text, children=(item, item)),),
        in_force=InForce.YES,
        content_hash="0",
        tokens=3,
        url=f"/{REFID}#{section}",
        lovdata_url=f"https://lovdata.no/{REFID}/{section}",
        dataset="eksempel",
        sample=True,
    )


R = case_examples.REPLIES
CASES: tuple[tuple[str, type[Message], Any], ...] = (
    (subjects.CASES_OPEN, cases.OpenCase, R["open_case"]),
    (subjects.CASES_LIST, cases.ListCases, R["list_cases"]),
    (subjects.CASES_READ, cases.ReadCase, R["read_case"]),
    (subjects.CASES_HISTORY, cases.ReadHistory, R["read_history"]),
    (subjects.CASES_UPDATE, cases.UpdateCase, R["update_case"]),
    (subjects.CASES_MOVE, cases.MoveCase, R["close_case"]),
    (subjects.CASES_PARTIES, cases.ReadParties, R["read_parties"]),
    (subjects.CASES_SET_PARTY, cases.SetParty, R["add_party"]),
    (subjects.CASES_REMOVE_PARTY, cases.RemoveParty, R["remove_party"]),
    (subjects.CASES_SET_TIER, case_credit.SetTier, R["set_tier"]),
    (subjects.CASES_QUOTA, case_credit.ReadQuota, R["read_quota"]),
    (subjects.CASES_SUBSCRIBE, case_credit.SetSubscription, R["set_subscription"]),
    (subjects.CASES_PAYMENT, case_credit.ReceivePayment, R["receive_payment"]),
    (subjects.CASES_TICKET, cases.TicketRequest, R["create_ticket"]),
    (subjects.CASES_TICKETS, cases.ListTickets, R["list_tickets"]),
    (subjects.CASES_RESOLVE, cases.ResolveTicket, R["resolve_ticket"]),
    (subjects.CASES_ROTATE_KEYS, case_keys.RotateKeys, R["rotate_case_keys"]),
    (subjects.CASES_TEXTS, case_credit.ReadCaseTexts, R["read_case_texts"]),
    (subjects.CASES_ACCESSES, case_accesses.ReadAccesses, R["read_accesses"]),
    (
        subjects.CASES_MESSAGE,
        cases.SendMessage,
        cases.PreparedRun(case_id="c", run_id=case_examples.ID, question="Hva gjør jeg?", grant="x"),
    ),
    (subjects.CASES_SHOW, cases.ShowData, cases.ShownData(data={})),
    (subjects.CASES_ERASE, cases.EraseCase, R["erase_case"]),
    (subjects.CASES_TEMPLATES, case_drafts.ReadTemplates, R["list_templates"]),
    (subjects.CASES_WRITE_DRAFT, case_drafts.WriteDraft, R["write_draft"]),
    (subjects.CASES_DRAFTS, case_drafts.ListDrafts, R["list_drafts"]),
    (subjects.CASES_READ_DRAFT, case_drafts.ReadDraft, R["read_draft"]),
    (
        subjects.CASES_RENDER_DRAFT,
        case_drafts.RenderDraft,
        case_drafts.RenderedDraft(file_name="krav-1.pdf", media_type="application/pdf", content="JVBERi0xLjc="),
    ),
    (
        subjects.CASES_ADD_DOCUMENT_PART,
        case_documents.AddDocumentPart,
        case_documents.PartAdded(document_id=case_examples.ID, number=0),
    ),
    (subjects.CASES_FINISH_DOCUMENT, case_documents.FinishDocument, R["add_case_document"]),
    (subjects.CASES_READ_DOCUMENT, case_documents.ReadCaseDocument, R["read_case_document"]),
    (subjects.CASES_DOCUMENTS, case_documents.ListCaseDocuments, R["list_case_documents"]),
    (subjects.CASES_READ_PAGES, case_documents.ReadPages, R["read_case_document_pages"]),
    (
        subjects.CASES_READ_DOCUMENT_PART,
        case_documents.ReadDocumentPart,
        case_documents.DocumentPart(document_id=case_examples.ID, number=0, content="JVBERi0=", last=True),
    ),
    (subjects.CASES_REMOVE_DOCUMENT, case_documents.RemoveDocument, R["remove_case_document"]),
    (subjects.CASES_SEARCH_DOCUMENTS, case_documents.SearchDocuments, R["search_case_documents"]),
    (subjects.CASES_VERIFY_QUOTE, case_documents.VerifyQuote, R["verify_document_quote"]),
)


def _by_the_book(behind: Behind, subject: str, reply: Message) -> Callable[[Message], Awaitable[Message]]:
    async def handle(request: Message) -> Message:
        behind.asked.append(request)
        said = behind.reply.get(subject, reply)
        if isinstance(said, Problem):
            raise ProblemError(said)
        return said

    return handle


@contextlib.asynccontextmanager
async def run_behind(nats_url: str) -> AsyncIterator[Behind]:
    behind = Behind()
    replies: dict[str, Message] = {
        subjects.SEARCH_PROVISIONS: ProvisionHits(
            hits=(), total=0, page=1, page_size=10, searched_law_types=(), prioritized=True, corpus_version=1, took_ms=1
        ),
        subjects.SEARCH_ACTS: Acts(corpus_version=1),
        subjects.SEARCH_RESOLVE: Resolution(reference="x", outcome="none", corpus_version=1),
        subjects.SEARCH_DOCUMENTS: Documents(documents=(summary(),), total=1, page=1, page_size=50, corpus_version=1),
        subjects.SEARCH_SUBJECTS: Subjects(
            letters=(Subject(name="E", documents=1), Subject(name="Å", documents=2)),
            legal_areas=(Subject(name="Leie", documents=3), Subject(name="Leie > Bolig", documents=1)),
            ministries=(Subject(name="Boligdepartementet", documents=1),),
            corpus_version=1,
        ),
        subjects.SEARCH_CITATIONS: Citations(refid=REFID, places=(), corpus_version=1),
        subjects.SEARCH_OUTLINE: Outline(document=summary(), tokens=3, corpus_version=1),
        subjects.SEARCH_STATUS: CorpusStatus(
            documents=1,
            provisions=2,
            embedded=0,
            corpus_version=1,
            stored_version=1,
            corpus_date=None,
            by_law_type={},
            sample=True,
            indexed_provisions=2,
            ready=True,
        ),
        subjects.PRACTICE_SEARCH: problem(ProblemType.NOT_CONFIGURED, "Mangler SERPER_API_KEY."),
        subjects.SEARCH_CATALOGUES: Catalogues(),
        subjects.SEARCH_PRODUCTS: ProductHits(),
        subjects.SEARCH_READ_PRODUCTS: Products(),
    }

    router = RequestRouter()

    def by_the_book(subject: str, model: type[Message]) -> None:
        async def handle(request: Message) -> Message:
            behind.asked.append(request)
            return behind.reply.get(subject, replies[subject])

        handle.__annotations__["request"] = model
        router.answer(subject, handle)

    async def read(request: ReadProvisions) -> Provisions | Problem:
        behind.asked.append(request)
        if behind.not_read:
            return behind.not_read
        known = {"§3-5", "gdpr/a5"}
        return Provisions(
            provisions=tuple(provision(r.section, 0) for r in request.refs if r.section in known),
            missing=tuple(r for r in request.refs if r.section not in known),
            corpus_version=1,
        )

    async def document(request: ReadDocument) -> Document | Problem:
        """A document of two pages, one provision each."""
        behind.asked.append(request)
        if request.refid != REFID:
            return problem(ProblemType.NOT_FOUND, "Finnes ikke.")
        first = request.after is None
        page = provision("§3-5", 0) if first else provision("§3-6", 1, "<script>alert(1)</script>")
        return Document(document=summary(), provisions=(page,), next_after=0 if first else None, corpus_version=1)

    by_the_book(subjects.SEARCH_PROVISIONS, FindProvisions)
    by_the_book(subjects.SEARCH_ACTS, FindActs)
    by_the_book(subjects.SEARCH_RESOLVE, ResolveReference)
    by_the_book(subjects.SEARCH_DOCUMENTS, ListDocuments)
    by_the_book(subjects.SEARCH_SUBJECTS, ReadSubjects)
    by_the_book(subjects.SEARCH_CITATIONS, ListCitations)
    by_the_book(subjects.SEARCH_OUTLINE, ReadOutline)
    by_the_book(subjects.SEARCH_STATUS, ReadStatus)
    by_the_book(subjects.PRACTICE_SEARCH, FindPractice)
    by_the_book(subjects.SEARCH_CATALOGUES, ReadCatalogues)
    by_the_book(subjects.SEARCH_PRODUCTS, FindProducts)
    by_the_book(subjects.SEARCH_READ_PRODUCTS, ReadProducts)
    router.answer(subjects.SEARCH_READ, read)
    router.answer(subjects.SEARCH_DOCUMENT, document)
    desk = SealedDesk(bytes(32))
    router.answer(subjects.CASES_SEALING_KEY, desk.key)
    for subject, kind, reply in CASES:
        router.answer(subject, desk.sealed(subject, kind, _by_the_book(behind, subject, reply)))
    services = ("ingest", "search", "practice", "cases", "agent")
    health = [router for name in services for router in health_routers(name, "1", lambda: behind.not_ready, Progress())]
    async with answering(nats_url, router, *health):
        yield behind


@pytest_asyncio.fixture
async def behind(nats_url: str) -> AsyncIterator[Behind]:
    """The services behind, for a test that uses this; for another in its file there are none."""
    async with run_behind(nats_url) as behind:
        yield behind


@pytest.fixture(scope="module")
def kept_behind(nats_server: str, keep_running: Any) -> Iterator[Behind]:
    with keep_running(run_behind(nats_server)) as behind:
        yield behind


@pytest.fixture
def shared_behind(kept_behind: Behind) -> Behind:
    """The services behind, started once for all tests of a file, each of which finds them as at first."""
    kept_behind.forget()
    return kept_behind
