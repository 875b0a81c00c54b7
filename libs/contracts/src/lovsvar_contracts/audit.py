"""Audit records: who asked what, and which sources were shown."""

from enum import StrEnum

from pydantic import Field

from lovsvar_contracts.message import Message, Token
from lovsvar_contracts.questions import QuestionFilters


class AuditAction(StrEnum):
    """The kind of an action."""

    ASKED = "asked"
    SHOWN = "shown"
    SEARCHED = "searched"
    READ = "read"
    CANCELLED = "cancelled"
    SAVED = "saved"
    DELETED = "deleted"
    OPERATED = "operated"


class AuditRecord(Message):
    """One action of a user or an operator. `correlation_id` is the request's trace."""

    action: AuditAction
    key: str = Field(default="", description="The name of the key; empty where none is needed.")
    run_id: Token | None = None
    question: str | None = Field(default=None, description="What was asked or searched for, as it was written.")
    question_hash: str | None = Field(default=None, description="Its SHA-256 instead, in hexadecimal, where so set.")
    filters: QuestionFilters | None = Field(default=None, description="What the question was narrowed to.")
    follows: Token | None = Field(default=None, description="The run that the question follows up.")
    sources: tuple[str, ...] = Field(default=(), description="`refid section` of each, or a web address.")
