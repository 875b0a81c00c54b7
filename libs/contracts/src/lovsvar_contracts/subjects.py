"""The names of NATS subjects and JetStream streams; a stream's configuration is where it is declared."""

from collections.abc import Callable

PREFIX = "lovsvar"

QUESTION_ASKED = f"{PREFIX}.question.asked"
QUESTION_ASKED_BY_ANY = f"{PREFIX}.question.asked.*"
QUESTION_CANCEL_ANY = f"{PREFIX}.question.cancel.*"
ANSWER_ANY = f"{PREFIX}.answer.*"
ANSWER_STORED_ANY = f"{PREFIX}.stored.*"
AGENT_ASK = f"{PREFIX}.agent.ask"

SEARCH_PROVISIONS = f"{PREFIX}.search.provisions"
SEARCH_READ = f"{PREFIX}.search.read"
SEARCH_OUTLINE = f"{PREFIX}.search.outline"
SEARCH_DOCUMENT = f"{PREFIX}.search.document"
SEARCH_ACTS = f"{PREFIX}.search.acts"
SEARCH_RESOLVE = f"{PREFIX}.search.resolve"
SEARCH_DOCUMENTS = f"{PREFIX}.search.documents"
SEARCH_SUBJECTS = f"{PREFIX}.search.subjects"
SEARCH_CITATIONS = f"{PREFIX}.search.citations"
SEARCH_STATUS = f"{PREFIX}.search.status"
SEARCH_PRODUCTS = f"{PREFIX}.search.products"
SEARCH_READ_PRODUCTS = f"{PREFIX}.search.read_products"
SEARCH_CATALOGUES = f"{PREFIX}.search.catalogues"

PRACTICE_SEARCH = f"{PREFIX}.practice.search"

CASES_SEALING_KEY = f"{PREFIX}.cases.sealing_key"
CASES_OPEN = f"{PREFIX}.cases.open"
CASES_LIST = f"{PREFIX}.cases.list"
CASES_READ = f"{PREFIX}.cases.read"
CASES_HISTORY = f"{PREFIX}.cases.history"
CASES_UPDATE = f"{PREFIX}.cases.update"
CASES_MOVE = f"{PREFIX}.cases.move"
CASES_PARTIES = f"{PREFIX}.cases.parties"
CASES_SET_PARTY = f"{PREFIX}.cases.set_party"
CASES_REMOVE_PARTY = f"{PREFIX}.cases.remove_party"
CASES_SET_TIER = f"{PREFIX}.cases.set_tier"
CASES_TEXTS = f"{PREFIX}.cases.texts"
CASES_QUOTA = f"{PREFIX}.cases.quota"
CASES_SUBSCRIBE = f"{PREFIX}.cases.subscribe"
CASES_PAYMENT = f"{PREFIX}.cases.payment"
CASES_TICKET = f"{PREFIX}.cases.ticket"
CASES_TICKETS = f"{PREFIX}.cases.tickets"
CASES_RESOLVE = f"{PREFIX}.cases.resolve"
CASES_MESSAGE = f"{PREFIX}.cases.message"
CASES_SHOW = f"{PREFIX}.cases.show"
CASES_GRANT = f"{PREFIX}.cases.grant"
CASES_ACCESSES = f"{PREFIX}.cases.accesses"
CASES_ERASE = f"{PREFIX}.cases.erase"
CASES_USE_TOOL = f"{PREFIX}.cases.use_tool"
CASES_ROTATE_KEYS = f"{PREFIX}.cases.rotate_keys"
CASES_TEMPLATES = f"{PREFIX}.cases.templates"
CASES_WRITE_DRAFT = f"{PREFIX}.cases.write_draft"
CASES_DRAFTS = f"{PREFIX}.cases.drafts"
CASES_READ_DRAFT = f"{PREFIX}.cases.read_draft"
CASES_RENDER_DRAFT = f"{PREFIX}.cases.render_draft"
CASES_ADD_DOCUMENT_PART = f"{PREFIX}.cases.add_document_part"
CASES_FINISH_DOCUMENT = f"{PREFIX}.cases.finish_document"
CASES_READ_DOCUMENT = f"{PREFIX}.cases.read_document"
CASES_DOCUMENTS = f"{PREFIX}.cases.documents"
CASES_READ_PAGES = f"{PREFIX}.cases.read_pages"
CASES_READ_DOCUMENT_PART = f"{PREFIX}.cases.read_document_part"
CASES_REMOVE_DOCUMENT = f"{PREFIX}.cases.remove_document"
CASES_SEARCH_DOCUMENTS = f"{PREFIX}.cases.search_documents"
CASES_VERIFY_QUOTE = f"{PREFIX}.cases.verify_quote"

CASE_CHANGED_ANY = f"{PREFIX}.case.changed.*"

INGEST_REQUESTED = f"{PREFIX}.ingest.requested"
INGEST_PROGRESS_ANY = f"{PREFIX}.ingest.progress.*"
DOCUMENT_ADDED = f"{PREFIX}.document.added"
DOCUMENT_CHANGED = f"{PREFIX}.document.changed"
DOCUMENT_REMOVED = f"{PREFIX}.document.removed"
DOCUMENT_ANY = f"{PREFIX}.document.*"
EMBEDDING_REQUESTED = f"{PREFIX}.embedding.requested"
EMBEDDING_STORED = f"{PREFIX}.embedding.stored"
CATALOGUE_CHANGED = f"{PREFIX}.catalogue.changed"
SAVED_ANY = f"{PREFIX}.saved.*"
AUDIT_ANY = f"{PREFIX}.audit.*"
DEAD_ANY = f"{PREFIX}.dead.*"

STREAM_QUESTIONS = "QUESTIONS"
STREAM_ANSWERS = "ANSWERS"
STREAM_INGEST = "INGEST"
STREAM_INGEST_EVENTS = "INGEST_EVENTS"
STREAM_DOCUMENTS = "DOCUMENTS"
STREAM_EMBEDDING = "EMBEDDING"
STREAM_SAVED = "SAVED_ANSWERS"
STREAM_AUDIT = "AUDIT"
STREAM_DEAD = "DEAD"

KEPT = {
    QUESTION_ASKED: STREAM_QUESTIONS,
    f"{PREFIX}.answer": STREAM_ANSWERS,
    INGEST_REQUESTED: STREAM_INGEST,
    f"{PREFIX}.ingest.progress": STREAM_INGEST_EVENTS,
    f"{PREFIX}.document": STREAM_DOCUMENTS,
    EMBEDDING_REQUESTED: STREAM_EMBEDDING,
    f"{PREFIX}.saved": STREAM_SAVED,
    f"{PREFIX}.audit": STREAM_AUDIT,
    f"{PREFIX}.dead": STREAM_DEAD,
}
"""The stream of each subject, or of the subjects with one more token."""

CONSUMER_QUESTIONS = "agent"
"""The durable consumer by which agents share the questions of `QUESTIONS`."""


def stream_of(subject: str) -> str:
    """Return the stream of `subject`. Raises `KeyError` for a subject without a stream."""
    return KEPT.get(subject) or KEPT[subject.rpartition(".")[0]]


def _subjects(pattern: str) -> Callable[[str], str]:
    """Return the function that makes a subject of `pattern` and one token."""
    return f"{PREFIX}.{pattern}".format


question_asked = _subjects("question.asked.{}")
"""The questions of one asker, so that they can be counted."""
question_cancel = _subjects("question.cancel.{}")
"""Asks the agent of a run to stop."""
answer = _subjects("answer.{}")
"""The events of one run."""
answer_stored = _subjects("stored.{}")
"""The stream repeats the events of one run here once they are stored."""
case_changed = _subjects("case.changed.{}")
"""Says that a case has a new version, and nothing of what it is."""
ingest_progress = _subjects("ingest.progress.{}")
"""The progress of one sync."""
saved = _subjects("saved.{}")
"""The saved answer of one run."""
audit = _subjects("audit.{}")
"""Audit records, by action."""
dead = _subjects("dead.{}")
"""Dead-lettered messages of a stream."""
tool_list = _subjects("tool.{}.list")
"""A service says which tools it offers to the agent."""
tool_call = _subjects("tool.{}.call")
"""A service carries out calls of its tools."""
health = _subjects("health.{}")
"""The health of a service."""


def unready(subject: str) -> str:
    """Subject on which requests of `subject` get a problem while no replica is ready."""
    return f"{PREFIX}.unready.{subject.removeprefix(f'{PREFIX}.')}"
