"""A question answered by quotes, each checked word for word."""

import asyncio
import contextlib
import itertools
from dataclasses import dataclass

from lovsvar_agent.core.announced_search import AnnouncedSearch
from lovsvar_agent.core.answer_parts import completed
from lovsvar_agent.core.extractive.composition import Content, Quoted, compose
from lovsvar_agent.core.extractive.excerpts import Excerpt
from lovsvar_agent.core.extractive.findings import Draft, Findings, Shown
from lovsvar_agent.core.extractive.investigation import follow_up, investigate
from lovsvar_agent.core.extractive.scopes import not_for
from lovsvar_agent.core.extractive.selection import MAX_SHOWN
from lovsvar_agent.core.guidance.library import NO_GUIDANCE, Guidance
from lovsvar_agent.core.guidance.next_steps import next_steps, to_read
from lovsvar_agent.core.guidance.situations import Situation
from lovsvar_agent.core.ports import LegalSearch, ProductSearch
from lovsvar_agent.core.products.offers import Offers, beside
from lovsvar_agent.core.proof import Rejection, verify
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words, narrowed
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.run import Run, bounded
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts.blocks import Recommendations
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, Citation, Mode, RejectedCitation, Tier
from lovsvar_contracts.run_events import AnswerDelta, CitationRejected, CitationVerified, RunLimits, UsageUpdated

MODEL = "extractive"
ROUNDS = 1
MAX_SUGGESTIONS = 3
"""How many hits are suggested when none could be read before a limit."""


@dataclass(frozen=True)
class InPlaceOfModel:
    """Why an answer by quotes is given in place of a model's: the field `fallback` of the answer.

    `until` is the time of the event loop when no more is searched, `rejected` what was thrown away of the model's,
    `limit` the one that its run came to, `offered` what is recommended. With `only_related` nothing is said to answer.
    """

    mode: Mode
    why: str
    until: float
    rejected: tuple[RejectedCitation, ...] = ()
    only_related: bool = False
    limit: str | None = None
    offered: Recommendations | None = None


class Extractive:
    """Answers a run's question by quotes. Without a language model every mode is answered so, and the answer says it.

    At a limit, the answer is made of what was found by then. `instead` is given when a model was to answer and did not.
    """

    model = MODEL
    mode = Mode.EXTRACTIVE

    def __init__(
        self,
        run: Run,
        search: LegalSearch,
        guidance: Guidance = NO_GUIDANCE,
        products: ProductSearch | None = None,
        instead: InPlaceOfModel | None = None,
    ) -> None:
        self._run = run
        self._guidance = guidance
        self._offers = Offers(run, products)
        self._instead = instead
        self._tools = AnnouncedSearch(run, narrowed(search, run.asked.filters))
        self.limits = RunLimits(rounds=ROUNDS, tool_calls=run.limits.tool_calls, seconds=run.limits.seconds)

    async def answer(self) -> tuple[Answer, str | None]:
        """Return the checked answer, and the limit that ended the search for it. Raises `ProblemError`."""
        run, instead = self._run, self._instead
        findings = Findings(run.asked.question, "", self._guidance.explained_ledd, self._guidance.expected)
        async with bounded(self._clock()) as bound:
            try:
                await investigate(run, self._tools, findings)
                findings = await follow_up(run, self._tools, findings)
                await self._read_deadline(findings)
            except ProblemError:
                if not (instead and run.evidence.all):
                    raise
                bound.limit = "search"
        await run.close_step()
        if instead:
            self._complete(findings, instead, interrupted=bound.limit is not None)
            offered = instead.offered
        else:
            offered = await self._offers.block(await self._offers.fitting())
        limit = instead.limit if instead else bound.limit
        answer = await self._give(findings, limit, offered)
        await run.emit(UsageUpdated, usage=run.usage)
        return answer, limit

    def _clock(self) -> asyncio.Timeout:
        return asyncio.timeout_at(self._instead.until) if self._instead else asyncio.timeout(self._run.limits.seconds)

    def _complete(self, findings: Findings, instead: InPlaceOfModel, *, interrupted: bool) -> None:
        """Let what the model's searches found count where the question's own was interrupted before it found law."""
        findings.only_related = instead.only_related
        if interrupted and findings.select().tier is Tier.NOTHING:
            found = (self._run.evidence.whole(evidence) for evidence in self._run.evidence.all if evidence.refid)
            findings.take_in([provision for provision in found if provision][:MAX_SHOWN])

    async def _read_deadline(self, findings: Findings) -> None:
        """Read the provision that sets the deadline of what to do next, if it was not found and a call is left."""
        ref = to_read(self._situation(findings), self._run.evidence)
        if ref and self._run.tool_calls_left > 0:
            async with self._run.step("read", "Leser bestemmelsen som setter fristen"):
                with contextlib.suppress(ProblemError):
                    await self._tools.read([ref])

    def _situation(self, findings: Findings) -> Situation | None:
        selection = findings.select()
        shown = (candidate.reading.provision for candidate in (*selection.answering, *selection.related))
        asked = f"{findings.question} {findings.earlier}".strip()
        places = [(p.refid, section_key(p.section)) for p in shown if not not_for(asked, p.refid)]
        return self._guidance.situation(asked, places, sure=selection.tier is Tier.ANSWERS)

    async def _give(self, findings: Findings, limit: str | None, offered: Recommendations | None) -> Answer:
        """Draft, check and return the answer. It is shown when it is checked; what replaces a model's draft says so."""
        run, instead = self._run, self._instead
        async with run.step("answer", "Siterer og kontrollerer mot lovteksten"):
            draft = findings.draft()
            quoted, rejected = self._quotes(findings, draft)
            content = self._content(findings, draft, quoted, limit)
            for citation in content.citations:
                await run.emit(CitationVerified, citation=citation)
            for lost in rejected:
                await run.emit(CitationRejected, **lost.model_dump())
            answer = completed(
                run,
                instead.mode if instead else Mode.EXTRACTIVE,
                limit,
                beside(compose(content), offered),
                tier=content.tier,
                insufficient=content.tier is not Tier.ANSWERS,
                citations=content.citations,
                rejected=(*(instead.rejected if instead else ()), *rejected),
                suggestions=content.suggestions,
                fallback=instead.why if instead else None,
            )
            if not (instead and instead.only_related and content.tier is Tier.NOTHING):
                await run.emit(AnswerDelta, text=answer.answer_text, restart=instead is not None)
        return answer

    def _content(self, findings: Findings, draft: Draft, quoted: tuple[Quoted, ...], limit: str | None) -> Content:
        run, language = self._run, findings.language
        evidence, remarks = run.evidence, draft.remarks
        shown = {q.evidence.evidence_id for q in quoted}
        others = tuple(e for e in evidence.all if e.refid and e.evidence_id not in shown)
        nearest = tuple(evidence.of(LAW, p) for p in draft.nearest) or others[:MAX_SUGGESTIONS]
        if run.lost_earlier:
            remarks = (WORDINGS[language].lost_earlier, *remarks)
        if not quoted and (filters := in_words(run.asked.filters or NO_FILTERS)):
            remarks = (*remarks, findings.phrases.narrowed_to.format(filters=filters))
        if limit:
            remarks = (*remarks, WORDINGS[language].stopped)
        if self._instead:
            remarks = (WORDINGS[language].fallback[self._instead.why], *remarks)
        situation = self._situation(findings)
        cited = [citation for one in quoted for citation, _ in one.citations]
        after = next_steps(situation, language, evidence, cited) if situation else None
        return Content(
            language=language,
            tier=draft.tier if quoted else Tier.NOTHING,
            quoted=quoted,
            remarks=remarks,
            suggestions=nearest if not quoted or draft.tier is not Tier.ANSWERS else (),
            sample=any(e.sample for e in evidence.all),
            emergency=self._guidance.emergency(findings.question, language),
            situation=after.block if after else None,
            proof=after.citation if after else None,
            has_model=self._instead is not None or run.asked.mode not in {Mode.AGENT, Mode.DIRECT},
            meant=draft.meant,
            narrower=draft.narrower,
            follow_ups=draft.follow_ups,
        )

    def _quotes(self, findings: Findings, draft: Draft) -> tuple[tuple[Quoted, ...], tuple[RejectedCitation, ...]]:
        """Return the quotes of a draft that are in the law word for word, numbered from 1, and those that are not."""
        numbers = itertools.count(1)
        kept: list[Quoted] = []
        rejected: list[RejectedCitation] = []
        for shown in draft.shown:
            evidence = self._run.evidence.of(LAW, shown.provision)
            held: list[tuple[Citation, Excerpt]] = []
            for excerpt in shown.excerpts:
                found = verify(excerpt.text, shown.provision)
                if isinstance(found, Rejection):
                    reason = found.reason
                    rejected.append(
                        RejectedCitation(evidence_id=evidence.evidence_id, quote=excerpt.text, reason=reason)
                    )
                else:
                    held.append((LAW.cite(next(numbers), evidence, excerpt.text, found, shown.provision), excerpt))
            if held:
                kept.append(self._quoted(findings, shown, tuple(held)))
        return tuple(kept), tuple(rejected)

    def _quoted(self, findings: Findings, shown: Shown, held: tuple[tuple[Citation, Excerpt], ...]) -> Quoted:
        evidence = self._run.evidence.of(LAW, shown.provision)
        explanation = self._guidance.explanation(shown.provision, evidence.evidence_id, findings.language)
        return Quoted(evidence, held, shown.why, shown.answers, explanation)
