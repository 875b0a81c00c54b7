"""Audit records of requests and answers: who asked what, and which sources were shown."""

import hashlib
import hmac
from collections.abc import Iterable

from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.catalogues import FindProducts, ProductHits, Products, ReadProducts
from lovsvar_contracts.message import Message
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.questions import Answer, Citation, Evidence
from lovsvar_contracts.search import Document, FindProvisions, ProvisionHits, Provisions, ReadDocument, ReadProvisions

MAX_SOURCES = 500


def record_of(request: Message, reply: Message) -> AuditRecord | None:
    """Return the record of a request that showed text of sources, None for any other."""
    question: str | None = None
    sources: tuple[str, ...] = ()
    action = AuditAction.READ
    match request, reply:
        case FindProvisions(), ProvisionHits():
            question, action = request.query, AuditAction.SEARCHED
            sources = _named((hit.refid, hit.section) for hit in reply.hits)
        case FindPractice(), PracticeHits():
            question, action = request.query, AuditAction.SEARCHED
            sources = tuple(hit.url for hit in reply.hits)
        case ReadProvisions(), Provisions():
            sources = _named((p.refid, p.section) for p in reply.provisions)
        case FindProducts(), ProductHits():
            question, action = request.query, AuditAction.SEARCHED
            sources = _named((hit.catalogue, hit.product_id) for hit in reply.hits)
        case ReadProducts(), Products():
            sources = _named((product.catalogue, product.product_id) for product in reply.products)
        case ReadDocument(), Document():
            sources = (reply.document.refid,)
        case _:
            return None
    return AuditRecord(correlation_id=request.correlation_id, action=action, question=question, sources=sources)


def record_of_answer(answer: Answer) -> AuditRecord:
    """Return the record of an answer that is shown: what it cites, then what else it was found in."""
    shown: list[Citation | Evidence] = [*answer.citations, *answer.evidence, *answer.suggestions]
    sources = dict.fromkeys(_source(one) for one in shown)
    return AuditRecord(
        correlation_id=answer.correlation_id,
        action=AuditAction.SHOWN,
        run_id=answer.run_id,
        sources=tuple(sources)[:MAX_SOURCES],
    )


def _source(shown: Citation | Evidence) -> str:
    if shown.refid:
        return f"{shown.refid} {shown.section}"
    if isinstance(shown, Evidence) and shown.catalogue:
        return f"{shown.catalogue} {shown.product_id}"
    return shown.lovdata_url


def hashed(record: AuditRecord, secret: str) -> AuditRecord:
    """Return `record` with its question's SHA-256, keyed by `secret`, in place of the question."""
    if record.question is None:
        return record
    digest = hmac.new(secret.encode(), record.question.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
    return record.model_copy(update={"question": None, "question_hash": digest})


def _named(provisions: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{refid} {section}" for refid, section in provisions)[:MAX_SOURCES]
