"""Subjects of drafts → use cases."""

from collections.abc import Awaitable, Callable

from lovsvar_cases.core.drafts import drafting
from lovsvar_cases.core.drafts.errors import SourcesUnavailable, UnknownDraft, UnknownTemplate
from lovsvar_chassis.problems import ProblemTable
from lovsvar_contracts import case_drafts, subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemType

DRAFT_PROBLEMS: ProblemTable = {
    UnknownDraft: ProblemType.NOT_FOUND,
    UnknownTemplate: ProblemType.NOT_FOUND,
    SourcesUnavailable: ProblemType.UNAVAILABLE,
}

DRAFTS_SERVED: tuple[tuple[str, type[Message], Callable[..., Awaitable[Message]]], ...] = (
    (subjects.CASES_TEMPLATES, case_drafts.ReadTemplates, drafting.read_templates),
    (subjects.CASES_WRITE_DRAFT, case_drafts.WriteDraft, drafting.write_draft),
    (subjects.CASES_DRAFTS, case_drafts.ListDrafts, drafting.list_drafts),
    (subjects.CASES_READ_DRAFT, case_drafts.ReadDraft, drafting.read_draft),
    (subjects.CASES_RENDER_DRAFT, case_drafts.RenderDraft, drafting.render_draft),
)
"""What is answered on which subject, sealed, by which use case."""
