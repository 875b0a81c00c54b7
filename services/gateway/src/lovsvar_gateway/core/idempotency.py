"""Runs by `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07)."""

import hashlib

from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunAccepted

MOST_ATTEMPTS = 8  # runs that one key may begin, each after the one before failed and might not fail again


def keyed(asked: QuestionAsked, caller: str, key: str, attempt: int = 0) -> QuestionAsked:
    """Return `asked` with the run and message id of `key`, `caller` and the number of runs that failed before."""
    name = f"{caller}\0{key}" + (f"\0{attempt}" if attempt else "")
    run_id = hashlib.sha256(name.encode()).hexdigest()[:32]
    return asked.model_copy(update={"run_id": run_id, "event_id": run_id})


def is_same(first: RunAccepted, asked: QuestionAsked) -> bool:
    """Return whether the run began with the question `asked`."""
    fields = ("question", "mode", "locale", "filters", "follows")
    return all(getattr(first, name) == getattr(asked, name) for name in fields)
