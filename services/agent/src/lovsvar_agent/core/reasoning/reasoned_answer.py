"""A question answered with a language model: the loop's outcome, checked."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lovsvar_agent.core.answer_parts import completed, remark, suggested
from lovsvar_agent.core.casework.case_run import CaseRun
from lovsvar_agent.core.earlier_turns import with_topic
from lovsvar_agent.core.errors import LimitReached, Misread
from lovsvar_agent.core.extractive.answer import InPlaceOfModel
from lovsvar_agent.core.guidance.library import NO_GUIDANCE, Guidance
from lovsvar_agent.core.guidance.next_steps import NextSteps, background, next_steps, places, to_read
from lovsvar_agent.core.ports import LanguageModel, LegalSearch, ProductSearch
from lovsvar_agent.core.products.chosen_offers import ChosenOffers
from lovsvar_agent.core.products.offers import beside
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words, narrowed
from lovsvar_agent.core.reasoning import phrases, prompts
from lovsvar_agent.core.reasoning.answer_blocks import excerpts, not_in_force, prose_blocks, removed
from lovsvar_agent.core.reasoning.citation_check import Cited, retitled, without
from lovsvar_agent.core.reasoning.claims import named
from lovsvar_agent.core.reasoning.clean_answer import cleaned
from lovsvar_agent.core.reasoning.conversation import Conversation
from lovsvar_agent.core.reasoning.fallback import Why, by_quotes, why
from lovsvar_agent.core.reasoning.final import Final
from lovsvar_agent.core.reasoning.judged_answer import Judged, judge, kept, rebound
from lovsvar_agent.core.reasoning.loop import Loop
from lovsvar_agent.core.reasoning.model_call import Speaker
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.reasoning.prose import without_marks
from lovsvar_agent.core.reasoning.prose_check import vet_quotations
from lovsvar_agent.core.reasoning.queries import suggestions
from lovsvar_agent.core.reasoning.reference_check import vet_references
from lovsvar_agent.core.reasoning.relevance import RelevanceSearch
from lovsvar_agent.core.reasoning.statement_check import Inquiry
from lovsvar_agent.core.reasoning.toolkit import Toolkit
from lovsvar_agent.core.run import Run, bounded
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_contracts.blocks import AnswerBlock, List, Recommendations, RemarkRole, SourceList, plain
from lovsvar_contracts.problems import Problem, ProblemError
from lovsvar_contracts.questions import Answer, Citation, FlaggedStatement, Mode, RejectedCitation
from lovsvar_contracts.run_events import CitationRejected, CitationVerified, RunLimits
from lovsvar_legaltext.language import Language, language_of

WORK_SHARE = 0.75
"""Share of the wall time after which no more is searched; the rest is for the last answer."""

LAST_SHARE = 0.95
"""Share of the wall time after which no more is asked of the model; the rest is for checking."""

MAX_NEAREST = 3

NOTHING_SAID = Final("")

Asked = TypeVar("Asked")


@dataclass(frozen=True)
class CheckedAnswer:
    """An answer whose every part was checked. `text` is its prose with ids of sources; empty when nothing holds."""

    cited: Cited
    text: str = ""
    uncited: tuple[str, ...] = ()
    flagged: tuple[FlaggedStatement, ...] = ()
    unresolved: tuple[str, ...] = ()
    insufficient: bool = True


class Reasoning:
    """Answers a run's question with a language model, in the mode agent or direct.

    At a limit the model is asked once for the best answer from what was found; so it is, without tools, when its server
    cannot read its calls.
    """

    def __init__(
        self,
        run: Run,
        mode: Mode,
        search: LegalSearch,
        model: LanguageModel,
        tools: ToolRegistry,
        guidance: Guidance = NO_GUIDANCE,
        products: ProductSearch | None = None,
    ) -> None:
        asked, limits = run.asked, run.limits
        self.model = model.name
        self.mode = mode
        self.limits = RunLimits(
            rounds=limits.rounds if mode is Mode.AGENT else 1,
            tool_calls=limits.tool_calls,
            seconds=limits.seconds,
            tokens=limits.tokens,
            cost_usd=limits.cost_usd,
        )
        self.sources = run.evidence
        self._run = run
        self._mode = mode
        self._case: CaseRun | None = None
        self._language: Language = language_of(asked.question, asked.locale)
        self._wording = WORDINGS[self._language]
        self._filters = asked.filters or NO_FILTERS
        law = LawAccess(narrowed(search, asked.filters), self.sources, run.limits, asked)
        self._guidance = guidance
        self._offers = ChosenOffers(run, products, tools)
        self._background_given = False
        self._looked_at = 0
        self._guided = ""
        self._toolkit = Toolkit(run, law, tools, self._background)
        self._speaker = Speaker(run, model)
        self._began = asyncio.get_running_loop().time()
        # The last check has little time left, so it asks once. It looks outside the question's filters too: a reference
        # in the prose exists or does not.
        checking = replace(law, search=search, limits=replace(run.limits, patience=0.0))
        self._checking = replace(checking, until=self._until(1.0))
        self._query = with_topic(asked.question, run.earlier)
        self._inquiry = Inquiry(asked.question, self._language)
        self._relevance = RelevanceSearch(self._checking, self._query)
        self._failure: Problem | None = None

    def within(self, case: CaseRun) -> "Reasoning":
        """Return itself, at work in a case."""
        self._case = self._toolkit.watch = case
        return self

    async def answer(self) -> tuple[Answer, str | None]:
        """Return the checked answer, and the limit that ended the search for it. Raises `ProblemError`."""
        try:
            return await self._answer()
        finally:
            self._relevance.stop()

    async def _answer(self) -> tuple[Answer, str | None]:
        direct = self._mode is Mode.DIRECT
        asked = self._run.asked
        context = prompts.context(in_words(self._filters), self._run.earlier)
        instructions = prompts.system(self._language, direct=direct)
        instructions += self._case.instructions if self._case and not direct else ""
        conversation = Conversation(instructions, asked.question, context)
        loop = Loop(self._run, self._speaker, self._toolkit, conversation, self._case, self._relevance.begin)
        final, limit = await self._search(loop)
        checked = CheckedAnswer(Cited())
        if final != NOTHING_SAID:
            judged = await self._judged(final)
            if limit is None and judged.needs_repair and not self._failure:
                judged = await self._repaired(loop, judged)
            async with self._run.step("answer", "Kontrollerer sitater og henvisninger"):
                checked = await self._check(judged)
                final = judged.final
                after = await self._report(checked)
            if checked.cited.citations:
                return self._compose(checked, after, await self._offers.block(), limit), limit
        if self._case and self._case.log.suffices:
            return completed(self._run, self._mode, limit, (), insufficient=False, citations=()), limit
        offered = await self._offers.block()
        reason, rejected = why(final, self._failure), checked.cited.rejected
        abstained = reason is Why.ABSTAINED
        instead = InPlaceOfModel(
            self._mode, reason, self._until(1.0), rejected, only_related=abstained, limit=limit, offered=offered
        )
        answer = await by_quotes(self._run, self._checking.search, self._guidance, instead, self._failure)
        if answer:
            return answer.model_copy(update={"flagged": checked.flagged}), limit
        return self._compose(replace(checked, cited=Cited(rejected=rejected)), None, offered, limit), limit

    async def _report(self, checked: CheckedAnswer) -> NextSteps | None:
        """Emit what holds of an answer and what does not; return what to do next."""
        after = await self._next_steps(checked.cited.citations)
        for citation in checked.cited.citations:
            await self._run.emit(CitationVerified, citation=citation)
        for lost in checked.cited.rejected:
            await self._run.emit(CitationRejected, **lost.model_dump())
        if after and after.citation:
            await self._run.emit(CitationVerified, citation=after.citation)
        return after

    def _background(self) -> str:
        """Return what Lovsvar says of the situation that the law found so far belongs to; once."""
        found = [] if self._background_given else [e for e in self.sources.all if e.refid and e.section]
        looked_at, self._looked_at = self._looked_at, len(found)
        situation = self._guidance.situation(self._query, places(found)) if len(found) > looked_at else None
        self._background_given = self._background_given or situation is not None
        self._guided = background(situation, self._language) if situation else self._guided
        return prompts.background(self._guided) if situation else ""

    async def _next_steps(self, citations: Sequence[Citation]) -> NextSteps | None:
        """Return what to do next in the situation that the answer belongs to, if it belongs to one."""
        situation = self._guidance.situation(self._query, places(citations)) if citations else None
        if situation is None:
            return None
        if ref := to_read(situation, self.sources):
            await self._run.announce(await self._checking.fetch([ref]))
        return next_steps(situation, self._language, self.sources, citations)

    async def _search(self, loop: Loop) -> tuple[Final, str | None]:
        """Return the model's answer, and the limit it was given at."""
        try:
            async with bounded(asyncio.timeout_at(self._until(WORK_SHARE))) as bound:
                if self._mode is Mode.DIRECT:
                    return await loop.search_and_ask(self._query), None
                return await loop.investigate(self._query), None
        except ProblemError as exc:
            misread = isinstance(exc, Misread) and self._mode is Mode.AGENT
            if misread and (final := await self._from_sources(loop, loop.without_tools)):
                return final, None
            self._failure = exc.problem
            await self._run.close_step()
            await self._speaker.settle()
            return NOTHING_SAID, None
        return await self._from_sources(loop, loop.last_word) or NOTHING_SAID, bound.limit

    async def _from_sources(self, loop: Loop, ask: Callable[[], Awaitable[Final]]) -> Final | None:
        """Ask the model to answer from what was found; when that is nothing, the question itself is searched first.

        None when there is nothing to answer from, or no answer came in time.
        """
        await self._run.close_step()
        await self._speaker.settle()
        if not (loop.searched and self._run.evidence.all):
            await self._in_time(lambda: loop.search(self._query))
        return await self._in_time(ask) if self._run.evidence.all else None

    async def _in_time(self, ask: Callable[[], Awaitable[Asked]]) -> Asked | None:
        """Ask for what the run can do without; None when it fails or the time is up."""
        try:
            async with asyncio.timeout_at(self._until(LAST_SHARE)) as clock:
                return await ask()
        except TimeoutError:
            if not clock.expired():
                raise
        except (ProblemError, LimitReached):
            pass
        await self._run.close_step()
        await self._speaker.settle()
        return None

    def _until(self, share: float) -> float:
        return self._began + share * self._run.limits.seconds

    async def _judged(self, final: Final) -> Judged:
        """Return an answer with its citations checked and its statements bound to them."""
        final = self._offers.apart(final, self._wording.link_removed)
        ids = (named(claim.evidence_id, self.sources) for claim in final.claims)
        await self._checking.fetch(self.sources.unread(ids))
        relevance = await self._relevance.relevance()
        clean = cleaned(final, self.sources, [self._guided], self._wording)
        judged = judge(clean.final, self.sources, self._inquiry, relevance, self._wording)
        return replace(judged, removed=clean.removed)

    async def _repaired(self, loop: Loop, judged: Judged) -> Judged:
        """Send the answer back once; return the new one if it keeps what held of the old."""
        word = prompts.repair(judged.cited.rejected, judged.bound.flagged, judged.bound.uncited)
        again = await self._in_time(lambda: loop.again(word))
        if again is None:
            return judged
        second = await self._judged(again)
        return second if kept(judged, second) else judged

    async def _check(self, judged: Judged) -> CheckedAnswer:
        cited = await self._grounded(judged.cited)
        bound = judged.bound
        if cited.numbers != judged.cited.numbers:
            bound = rebound(judged.final, cited, self.sources, self._inquiry, self._wording)
        texts = [text for e in self.sources.all if (text := self.sources.text(e)) is not None]
        quotations = vet_quotations(bound.shown(self._wording), texts, self._wording, self.sources.id_pattern)
        references = await vet_references(quotations.text, self._checking, self._wording)
        lost = (
            *judged.removed,
            *(RejectedCitation(evidence_id="", quote=q, reason=phrases.NOT_IN_SOURCES) for q in quotations.omitted),
            *(RejectedCitation(evidence_id="", quote=r, reason=phrases.NOT_IN_CORPUS) for r in references.unresolved),
            *(RejectedCitation(evidence_id="", quote=r, reason=phrases.NOT_NAMED) for r in references.unsourced),
            *(RejectedCitation(evidence_id="", quote=r, reason=phrases.NOT_LOOKED_UP) for r in references.unchecked),
        )
        holds = bool(cited.citations) and bound.answers
        return CheckedAnswer(
            cited=replace(cited, citations=cited.citations if holds else (), rejected=(*cited.rejected, *lost)),
            text=references.text if holds else "",
            uncited=bound.uncited if holds else (),
            flagged=bound.flagged,
            unresolved=(*references.unresolved, *references.unsourced, *references.unchecked),
            insufficient=judged.final.insufficient or not holds,
        )

    async def _grounded(self, cited: Cited) -> Cited:
        """Drop citations of foreign text that name what the corpus does not hold, and mark it in their titles."""
        foreign = [c for c in cited.citations if not self.sources.proves_law(c.evidence_id)]
        texts = [without_marks(text) for c in foreign for text in (c.quote, c.title)]
        vetted = await asyncio.gather(*(vet_references(t, self._checking, self._wording) for t in texts))
        quotes, titles = vetted[::2], vetted[1::2]
        lost = [
            RejectedCitation(evidence_id=c.evidence_id, quote=c.quote, reason=phrases.NAMES_UNKNOWN)
            for c, quote in zip(foreign, quotes, strict=True)
            if quote.has_faults
        ]
        marked = {c.evidence_id: title.text for c, title in zip(foreign, titles, strict=True) if title.has_faults}
        return retitled(without(cited, lost), marked)

    def _compose(
        self, checked: CheckedAnswer, after: NextSteps | None, offered: Recommendations | None, limit: str | None
    ) -> Answer:
        run, wording = self._run, self._wording
        evidence, citations = run.evidence.all, checked.cited.citations
        nearest = () if citations else tuple(e for e in evidence if e.refid)[:MAX_NEAREST]
        emergency = self._guidance.emergency(run.asked.question, self._language)
        blocks: list[AnswerBlock] = [emergency] if emergency else []
        if any(e.sample for e in evidence):
            blocks.append(remark(wording.sample, RemarkRole.SAMPLE))
        blocks += [remark(wording.lost_earlier)] if run.lost_earlier else []
        blocks += [remark(wording.stopped)] if limit else []
        if citations:
            blocks += prose_blocks(checked.text, checked.cited.numbers)
            blocks += removed(checked.flagged, wording)
            blocks += [remark(wording.partly)] if checked.insufficient else []
            blocks += [
                *not_in_force(citations, wording),
                *excerpts(citations, wording),
                SourceList(title=wording.sources),
            ]
        else:
            blocks.append(remark(wording.nothing_holds))
            blocks += [remark(wording.narrowed)] if in_words(self._filters) else []
            if searches := suggestions(run.asked.question):
                blocks += [remark(wording.try_searching), List(items=tuple(map(plain, searches)))]
            else:
                blocks.append(remark(wording.try_otherwise))
            blocks += suggested(wording.nearest, nearest)
        blocks += [after.block] if after else []
        return completed(
            run,
            self._mode,
            limit,
            beside(blocks, offered),
            insufficient=checked.insufficient,
            citations=(*citations, after.citation) if after and after.citation else citations,
            rejected=checked.cited.rejected,
            uncited=checked.uncited,
            flagged=checked.flagged,
            unresolved=checked.unresolved,
            suggestions=nearest,
        )
