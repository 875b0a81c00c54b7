"""A question answered by quotes, each checked word for word."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lovsvar_agent.core import composing
from lovsvar_agent.core.announced_search import AnnouncedSearch
from lovsvar_agent.core.composing import Content, Paragraph, Quoted
from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.extractive import Draft, Findings, follow_up, investigate
from lovsvar_agent.core.ports import LegalSearch
from lovsvar_agent.core.proof import Rejection, verify
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words, narrowed
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import (
    Answer,
    Citation,
    Mode,
    RejectedCitation,
    RunStatus,
)
from lovsvar_contracts.run_events import (
    AnswerDelta,
    CitationRejected,
    CitationVerified,
    RunLimits,
    UsageUpdated,
)

MODEL = "extractive"
ROUNDS = 1
LOST_EARLIER = "Spørsmålet som dette følger opp, er ikke lagret lenger, så det er besvart for seg."
MAX_SUGGESTIONS = 3
"""How many hits are suggested when none could be read before a limit."""


@dataclass(frozen=True)
class CheckedQuotes:
    """Quotes that hold, by provision, and those that do not."""

    quoted: tuple[Quoted, ...]
    rejected: tuple[RejectedCitation, ...]

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The quotes that hold, in the order of their numbers."""
        return tuple(citation for quoted in self.quoted for citation in quoted.citations)


class Extractive:
    """Answers a run's question by quotes. Without a language model every mode is answered so, and the answer says it.

    What was found before a limit is answered with.
    """

    model = MODEL

    def __init__(self, run: Run, search: LegalSearch) -> None:
        self._run = run
        self._search = search
        self.limits = RunLimits(rounds=ROUNDS, tool_calls=run.limits.tool_calls, seconds=run.limits.seconds)
        self.corpus_version = 0

    async def answer(self) -> tuple[Answer, str | None]:
        """Return the checked answer, and the limit that ended the search for it. Raises `ProblemError`."""
        run = self._run
        findings, limit = await _investigate_within_limits(run, self._search)
        self.corpus_version = findings.corpus_version
        answer = await _give(run, findings, limit)
        await run.emit(UsageUpdated, usage=run.usage)
        return answer, limit


async def _investigate_within_limits(run: Run, search: LegalSearch) -> tuple[Findings, str | None]:
    """Return what was found, and the limit that ended it or None. Raises `ProblemError` when a tool failed for good."""
    tools = AnnouncedSearch(run, narrowed(search, run.asked.filters))
    findings = Findings(run.asked.question)
    try:
        async with asyncio.timeout(run.limits.seconds) as clock:
            await investigate(run, tools, findings)
            findings = await follow_up(run, tools, findings)
    except TimeoutError:
        if not clock.expired():
            raise
        limit = "seconds"
    except LimitReached as exc:
        limit = exc.limit
    else:
        return findings, None
    await run.close_step()
    return findings, limit


async def _give(run: Run, findings: Findings, limit: str | None) -> Answer:
    """Draft, check and return the answer, with an event for each."""
    asked = run.asked
    async with run.step("answer", "Siterer og kontrollerer mot lovteksten"):
        draft = findings.draft()
        proposed = _propose(draft, run)
        for text in _pieces(composing.compose(_content(run, draft, proposed, limit))):
            await run.emit(AnswerDelta, text=text)
        checked = _check(proposed, draft)
        for citation in checked.citations:
            await run.emit(CitationVerified, citation=citation)
        for lost in checked.rejected:
            await run.emit(CitationRejected, **lost.model_dump())
    content = _content(run, draft, checked.quoted, limit)
    paragraphs = composing.compose(content)
    return Answer(
        correlation_id=asked.correlation_id,
        run_id=asked.run_id,
        status=RunStatus.LIMIT_REACHED if limit else RunStatus.COMPLETED,
        mode=Mode.EXTRACTIVE,
        question=asked.question,
        filters=asked.filters,
        follows=asked.follows,
        answer_html=composing.as_html(paragraphs, run.evidence.all),
        answer_text=composing.as_text(paragraphs),
        insufficient=not checked.citations,
        citations=checked.citations,
        rejected=checked.rejected,
        evidence=run.evidence.all,
        suggestions=content.suggestions,
        usage=run.usage,
        sample=content.sample,
    )


def _content(run: Run, draft: Draft, quoted: tuple[Quoted, ...], limit: str | None) -> Content:
    evidence = run.evidence
    remarks = draft.remarks
    nearest = tuple(evidence.of(LAW, p) for p in draft.nearest) or evidence.all[:MAX_SUGGESTIONS]
    if run.lost_earlier:
        remarks = (LOST_EARLIER, *remarks)
    if not quoted and (filters := in_words(run.asked.filters or NO_FILTERS)):
        remarks = (*remarks, f"Søket var avgrenset til {filters}.")
    if limit:
        remarks = (*remarks, "Arbeidet ble stanset ved en grense, og svaret bygger på det som var funnet da.")
    return Content(
        quoted=quoted,
        remarks=remarks,
        suggestions=() if quoted else nearest,
        sample=any(e.sample for e in evidence.all),
        notice=(
            composing.NO_MODEL_NOTICE if run.asked.mode in {Mode.AGENT, Mode.DIRECT} else composing.EXTRACTIVE_NOTICE
        ),
    )


def _propose(draft: Draft, run: Run) -> tuple[Quoted, ...]:
    """Return the draft's quotes as numbered citations that nobody has checked."""
    numbers = iter(range(1, 1_000))
    return tuple(
        Quoted(
            evidence=(evidence := run.evidence.of(LAW, quoting.provision)),
            citations=tuple(
                Citation(
                    number=next(numbers),
                    evidence_id=evidence.evidence_id,
                    refid=quoting.provision.refid,
                    section=quoting.provision.section,
                    ledd=passage.ledd,
                    title=composing.provision_name(evidence),
                    url=quoting.provision.url,
                    lovdata_url=quoting.provision.lovdata_url,
                    quote=passage.text,
                    verified=False,
                    in_force=quoting.provision.in_force,
                    sample=quoting.provision.sample,
                    dataset=quoting.provision.dataset,
                )
                for passage in quoting.passages
            ),
        )
        for quoting in draft.quotings
    )


def _check(proposed: Iterable[Quoted], draft: Draft) -> CheckedQuotes:
    """Verify every quote against the stored text; those that hold are numbered anew from 1."""
    provisions = {(q.provision.refid, q.provision.section): q.provision for q in draft.quotings}
    numbers = iter(range(1, 1_000))
    kept: list[Quoted] = []
    rejected: list[RejectedCitation] = []
    for quoted in proposed:
        held = tuple(_verified(quoted.citations, provisions, numbers, rejected))
        if held:
            kept.append(replace(quoted, citations=held))
    return CheckedQuotes(tuple(kept), tuple(rejected))


def _verified(
    citations: Iterable[Citation],
    provisions: dict[tuple[str, str], Provision],
    numbers: Iterator[int],
    rejected: list[RejectedCitation],
) -> Iterator[Citation]:
    for citation in citations:
        found = verify(citation.quote, provisions[citation.refid or "", citation.section or ""])
        if isinstance(found, Rejection):
            rejected.append(
                RejectedCitation(evidence_id=citation.evidence_id, quote=citation.quote, reason=found.reason)
            )
        else:
            yield citation.model_copy(
                update={
                    "verified": True,
                    "ledd": found.ledd,
                    "start": found.start,
                    "end": found.end,
                    "number": next(numbers),
                }
            )


def _pieces(paragraphs: tuple[Paragraph, ...]) -> Iterator[str]:
    """Yield the text in pieces that join to the whole."""
    for place, paragraph in enumerate(paragraphs):
        yield ("\n\n" if place else "") + paragraph.text
