"""Asking the same twice with one `Idempotency-Key`: draft-ietf-httpapi-idempotency-key-header-07."""

import hashlib

from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunAccepted


def keyed(asked: QuestionAsked, caller: str, key: str) -> QuestionAsked:
    """Return `asked` with the run that belongs to `key` of `caller`; its message id too is the same each time."""
    run_id = hashlib.sha256(f"{caller}\0{key}".encode()).hexdigest()[:32]
    return asked.model_copy(update={"run_id": run_id, "event_id": run_id})


def is_same(first: RunAccepted, asked: QuestionAsked) -> bool:
    """Return whether a run was begun by the question that is `asked`."""
    told = (first.question, first.mode, first.locale, first.filters, first.follows)
    return told == (asked.question, asked.mode, asked.locale, asked.filters, asked.follows)
