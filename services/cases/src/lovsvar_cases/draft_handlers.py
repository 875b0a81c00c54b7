"""Subjects of drafts → use cases."""

from collections.abc import Awaitable, Callable
from typing import Any

from lovsvar_cases.core.drafts.drafting import DraftDesk
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


def served(drafts: DraftDesk) -> tuple[tuple[str, type[Message], Callable[[Any], Awaitable[Message]]], ...]:
    """Return what is answered on which subject, sealed."""
    return (
        (subjects.CASES_TEMPLATES, case_drafts.ReadTemplates, drafts.templates),
        (subjects.CASES_WRITE_DRAFT, case_drafts.WriteDraft, drafts.write),
        (subjects.CASES_DRAFTS, case_drafts.ListDrafts, drafts.list),
        (subjects.CASES_READ_DRAFT, case_drafts.ReadDraft, drafts.read),
        (subjects.CASES_RENDER_DRAFT, case_drafts.RenderDraft, drafts.render),
    )
