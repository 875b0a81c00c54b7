"""What crosses each subject: who takes it, what it holds, what is answered. `asyncapi` makes a document of it."""

from dataclasses import dataclass
from typing import Literal, get_args

from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditRecord
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.ingest import (
    DocumentChanged,
    EmbeddingRequested,
    EmbeddingStored,
    SyncCompleted,
    SyncFailed,
    SyncProgressed,
    SyncRequested,
    SyncStarted,
)
from lovsvar_contracts.message import Message
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.questions import Answer, CancelQuestion, QuestionAsked
from lovsvar_contracts.run_events import RunEvent
from lovsvar_contracts.search import (
    CorpusStatus,
    Document,
    Documents,
    FindProvisions,
    ListDocuments,
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


@dataclass(frozen=True)
class Channel:
    """A subject, with `<name>` where a part of it varies.

    `direction` is seen from Lovsvar: it takes what others may send (`receive`), or sends what others may hear.
    `reply` is the result of a request; every request may be answered by a `Problem` too. `stream` keeps what is sent.
    """

    subject: str
    direction: Literal["receive", "send"]
    summary: str
    messages: tuple[type[Message], ...]
    reply: type[Message] | None = None
    stream: str | None = None


def _asked(subject: str, request: type[Message], reply: type[Message], summary: str) -> Channel:
    return Channel(subject, "receive", summary, (request,), reply)


RUN_EVENTS: tuple[type[Message], ...] = get_args(get_args(RunEvent)[0])
SYNC_EVENTS = (SyncStarted, SyncProgressed, SyncCompleted, SyncFailed)

CHANNELS: tuple[Channel, ...] = (
    _asked(subjects.SEARCH_PROVISIONS, FindProvisions, ProvisionHits, "Find provisions by words and by meaning."),
    _asked(subjects.SEARCH_READ, ReadProvisions, Provisions, "Read provisions whole."),
    _asked(subjects.SEARCH_OUTLINE, ReadOutline, Outline, "Read a document's table of contents."),
    _asked(subjects.SEARCH_DOCUMENT, ReadDocument, Document, "Read a document, a page at a time."),
    _asked(subjects.SEARCH_DOCUMENTS, ListDocuments, Documents, "List documents."),
    _asked(subjects.SEARCH_RESOLVE, ResolveReference, Resolution, "Find what a written reference names."),
    _asked(subjects.SEARCH_STATUS, ReadStatus, CorpusStatus, "Read what is stored and served."),
    _asked(subjects.PRACTICE_SEARCH, FindPractice, PracticeHits, "Find court decisions and administrative practice."),
    _asked(subjects.AGENT_ASK, QuestionAsked, Answer, "Ask, and wait for the answer."),
    _asked(subjects.health("<service>"), ReadHealth, ServiceHealth, "Ask a service how it is."),
    Channel(
        subjects.QUESTION_ASKED,
        "receive",
        "Ask, and follow the run's events.",
        (QuestionAsked,),
        stream=subjects.STREAM_QUESTIONS,
    ),
    Channel(
        subjects.question_asked("<asker>"),
        "receive",
        "The same, counted by asker; the gateway asks so.",
        (QuestionAsked,),
        stream=subjects.STREAM_QUESTIONS,
    ),
    Channel(subjects.question_cancel("<run_id>"), "receive", "Stop a run at once.", (CancelQuestion,)),
    Channel(
        subjects.answer("<run_id>"),
        "send",
        "The events of a run, in order.",
        RUN_EVENTS,
        stream=subjects.STREAM_ANSWERS,
    ),
    Channel(
        subjects.answer_stored("<run_id>"), "send", "The same events, told once more when they are stored.", RUN_EVENTS
    ),
    Channel(
        subjects.INGEST_REQUESTED,
        "receive",
        "Bring a data set up to date.",
        (SyncRequested,),
        stream=subjects.STREAM_INGEST,
    ),
    Channel(
        subjects.ingest_progress("<sync_id>"),
        "send",
        "The events of a sync.",
        SYNC_EVENTS,
        stream=subjects.STREAM_INGEST_EVENTS,
    ),
    *(
        Channel(subject, "send", summary, (DocumentChanged,), stream=subjects.STREAM_DOCUMENTS)
        for subject, summary in (
            (subjects.DOCUMENT_ADDED, "A document is new."),
            (subjects.DOCUMENT_CHANGED, "A document has changed."),
            (subjects.DOCUMENT_REMOVED, "A document is gone."),
        )
    ),
    Channel(
        subjects.EMBEDDING_REQUESTED,
        "receive",
        "Embed passages and everyday questions.",
        (EmbeddingRequested,),
        stream=subjects.STREAM_EMBEDDING,
    ),
    Channel(subjects.EMBEDDING_STORED, "send", "Vectors were stored.", (EmbeddingStored,)),
    Channel(
        subjects.audit("<action>"),
        "send",
        "Who asked what by the gateway, and which sources were shown.",
        (AuditRecord,),
        stream=subjects.STREAM_AUDIT,
    ),
    Channel(
        subjects.dead("<stream>"),
        "send",
        "A message that nobody could handle, as it was; headers say why.",
        (QuestionAsked, SyncRequested, EmbeddingRequested),
        stream=subjects.STREAM_DEAD,
    ),
)
