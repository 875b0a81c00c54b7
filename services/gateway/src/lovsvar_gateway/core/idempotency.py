"""Asking the same twice with one `Idempotency-Key`: draft-ietf-httpapi-idempotency-key-header-07."""

import hashlib

from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunAccepted

MOST_ATTEMPTS = 8
"""Runs that one key may begin, each after the one before failed and might not fail again."""


def keyed(asked: QuestionAsked, caller: str, key: str, attempt: int = 0) -> QuestionAsked:
    """Return `asked` with the run that belongs to `key` of `caller`; its message id too is the same each time.

    `attempt` counts the runs of that key that failed before.
    """
    name = f"{caller}\0{key}" + (f"\0{attempt}" if attempt else "")
    run_id = hashlib.sha256(name.encode()).hexdigest()[:32]
    return asked.model_copy(update={"run_id": run_id, "event_id": run_id})


def is_same(first: RunAccepted, asked: QuestionAsked) -> bool:
    """Return whether a run was begun by the question that is `asked`."""
    told = (first.question, first.mode, first.locale, first.filters, first.follows)
    return told == (asked.question, asked.mode, asked.locale, asked.filters, asked.follows)
