"""`spor`: asking the agent, with its steps as progress."""

import contextlib
from typing import Annotated

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from lovsvar_contracts.message import Token
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import CLOSING, RunEvent, RunFailed, StepStarted, ToolCalled, ToolResult
from lovsvar_gateway.adapters.runs import CallerRuns
from lovsvar_gateway.core.errors import GatewayError
from lovsvar_gateway.core.mcp.results import Answered
from lovsvar_gateway.core.phrases import CheckedQuestion
from lovsvar_gateway.core.question_form import filters_of
from lovsvar_gateway.mcp.arguments import DocType, Ministry, Year
from lovsvar_gateway.mcp.calls import READ_ONLY, Unanswerable, answer, caller
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_gateway.trace_headers import correlation_id
from lovsvar_rendering.markdown import MarkdownRenderer
from lovsvar_rendering.selection import blocks_of, with_sources

CANCEL_SECONDS = 3.0


def add(server: MCPServer, law: CachedLaw, runs: CallerRuns) -> None:
    """Add the tool to `server`."""

    @server.tool(
        title="Spør Lovsvar",
        annotations=READ_ONLY.model_copy(update={"idempotent_hint": False, "open_world_hint": True}),
    )
    async def spor(
        ctx: Context,
        sporsmal: Annotated[CheckedQuestion, Field(description="Spørsmålet, på vanlig norsk.")],
        mode: Annotated[
            Mode,
            Field(description="Med språkmodell som søker selv (agent) eller får ett søk (direct), eller med sitater."),
        ]
        | None = None,
        doc_type: DocType | None = None,
        ministry: Ministry | None = None,
        year: Year | None = None,
        follows: Annotated[Token, Field(description="`run_id` for spørsmålet som dette følger opp.")] | None = None,
    ) -> Annotated[CallToolResult, Answered]:
        """Still et spørsmål om norsk rett til Lovsvars egen agent, som søker, leser og svarer med kontrollerte sitater.

        Tar fra sekunder til et par minutter; stegene meldes som framdrift.
        """
        filters = filters_of(doc_type, year, ministry)
        asked = QuestionAsked(
            correlation_id=correlation_id(), question=sporsmal, mode=mode, filters=filters, follows=follows
        )
        return await ask(law, runs, ctx, asked)


async def ask(law: CachedLaw, runs: CallerRuns, context: Context, asked: QuestionAsked) -> CallToolResult:
    """Return the agent's answer, telling of each step. A caller that leaves cancels the run."""
    runs = runs.seen_by(caller())
    await runs.accept(asked)
    failure = ""
    try:
        async with contextlib.aclosing(runs.follow(asked.run_id, 0)) as events:
            async for event in events:
                if said := _said(event):
                    await context.report_progress(event.id, None, said)
                if isinstance(event, RunFailed):
                    failure = event.detail
                if event.type in CLOSING:
                    break
    except BaseException:
        with anyio.move_on_after(CANCEL_SECONDS, shield=True), contextlib.suppress(ProblemError, GatewayError):
            await runs.cancel(asked.run_id)
        raise
    found = await runs.snapshot(asked.run_id)
    if found.status not in {RunStatus.COMPLETED, RunStatus.LIMIT_REACHED}:
        raise Unanswerable(f"Spørsmålet ble ikke besvart. {failure}".strip())
    stamp = await law.stamp(found if found.corpus_version else None, sample=found.sample)
    return answer(as_answered(found), Answered.of(found, answer=found.answer_text, stamp=stamp))


def _said(event: RunEvent) -> str:
    if isinstance(event, StepStarted):
        return event.title
    if isinstance(event, ToolCalled):
        return f"{event.name} …"
    if isinstance(event, ToolResult):
        return event.error or f"{event.name}: {event.hits} treff"
    return ""


def as_answered(found: Answer) -> str:
    """Return an answer as Markdown, with its sources and their addresses."""
    blocks = with_sources(blocks_of(found), "Kilder")
    return MarkdownRenderer(found.citations, found.evidence).render(blocks) or "Ingen svar."
