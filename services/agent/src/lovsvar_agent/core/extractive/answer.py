"""A question answered by quotes, each checked word for word."""

import asyncio
import itertools
from collections.abc import Callable

from lovsvar_agent.core.announced_search import AnnouncedSearch
from lovsvar_agent.core.composing import EXTRACTIVE_NOTICE, NO_MODEL_NOTICE, Content, Quoted, completed, compose
from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.extractive import Draft, Findings, follow_up, investigate
from lovsvar_agent.core.ports import LegalSearch
from lovsvar_agent.core.proof import Proof, Rejection, verify
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words, narrowed
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Answer, Citation, Mode, RejectedCitation
from lovsvar_contracts.run_events import AnswerDelta, CitationRejected, CitationVerified, RunLimits, UsageUpdated
from lovsvar_rendering.text import TextRenderer

MODEL = "extractive"
ROUNDS = 1
MAX_SUGGESTIONS = 3
"""How many hits are suggested when none could be read before a limit."""


class Extractive:
    """Answers a run's question by quotes. Without a language model every mode is answered so, and the answer says it.

    At a limit, the answer is made of what was found by then.
    """

    model = MODEL

    def __init__(self, run: Run, search: LegalSearch) -> None:
        self._run = run
        self._tools = AnnouncedSearch(run, narrowed(search, run.asked.filters))
        self.limits = RunLimits(rounds=ROUNDS, tool_calls=run.limits.tool_calls, seconds=run.limits.seconds)

    async def answer(self) -> tuple[Answer, str | None]:
        """Return the checked answer, and the limit that ended the search for it. Raises `ProblemError`."""
        run, limit = self._run, None
        findings = Findings(run.asked.question)
        try:
            async with asyncio.timeout(run.limits.seconds) as clock:
                await investigate(run, self._tools, findings)
                findings = await follow_up(run, self._tools, findings)
        except TimeoutError:
            if not clock.expired():
                raise
            limit = "seconds"
        except LimitReached as exc:
            limit = exc.limit
        await run.close_step()
        answer = await _give(run, findings, limit)
        await run.emit(UsageUpdated, usage=run.usage)
        return answer, limit


async def _give(run: Run, findings: Findings, limit: str | None) -> Answer:
    """Draft, check and return the answer, with an event for each."""
    async with run.step("answer", "Siterer og kontrollerer mot lovteksten"):
        draft = findings.draft()
        unchecked, _ = _quotes(run, draft, lambda quote, provision: None)
        proposed = _content(run, draft, unchecked, limit)
        renderer = TextRenderer(proposed.citations, run.evidence.all)
        for place, piece in enumerate(renderer.pieces(compose(proposed))):
            await run.emit(AnswerDelta, text=f"\n\n{piece}" if place else piece)
        quoted, rejected = _quotes(run, draft, verify)
        content = _content(run, draft, quoted, limit)
        for citation in content.citations:
            await run.emit(CitationVerified, citation=citation)
        for lost in rejected:
            await run.emit(CitationRejected, **lost.model_dump())
    return completed(
        run,
        Mode.EXTRACTIVE,
        limit,
        compose(content),
        insufficient=not content.citations,
        citations=content.citations,
        rejected=rejected,
        suggestions=content.suggestions,
    )


def _content(run: Run, draft: Draft, quoted: tuple[Quoted, ...], limit: str | None) -> Content:
    evidence = run.evidence
    remarks = draft.remarks
    nearest = tuple(evidence.of(LAW, p) for p in draft.nearest) or evidence.all[:MAX_SUGGESTIONS]
    if run.lost_earlier:
        remarks = (WORDINGS["nb"].lost_earlier, *remarks)
    if not quoted and (filters := in_words(run.asked.filters or NO_FILTERS)):
        remarks = (*remarks, f"Søket var avgrenset til {filters}.")
    if limit:
        remarks = (*remarks, WORDINGS["nb"].stopped)
    return Content(
        quoted=quoted,
        remarks=remarks,
        suggestions=() if quoted else nearest,
        sample=any(e.sample for e in evidence.all),
        notice=NO_MODEL_NOTICE if run.asked.mode in {Mode.AGENT, Mode.DIRECT} else EXTRACTIVE_NOTICE,
    )


def _quotes(
    run: Run, draft: Draft, check: Callable[[str, Provision], Proof | Rejection | None]
) -> tuple[tuple[Quoted, ...], tuple[RejectedCitation, ...]]:
    """Return the quotes of a draft that `check` does not reject, numbered from 1, and those that it does."""
    numbers = itertools.count(1)
    kept: list[Quoted] = []
    rejected: list[RejectedCitation] = []
    for provision, passages in draft.quoted:
        evidence = run.evidence.of(LAW, provision)
        held: list[Citation] = []
        for quote in (passage.text for passage in passages):
            found = check(quote, provision)
            if isinstance(found, Rejection):
                rejected.append(RejectedCitation(evidence_id=evidence.evidence_id, quote=quote, reason=found.reason))
            else:
                held.append(LAW.cite(next(numbers), evidence, quote, found, provision))
        if held:
            kept.append(Quoted(evidence, tuple(held)))
    return tuple(kept), tuple(rejected)
