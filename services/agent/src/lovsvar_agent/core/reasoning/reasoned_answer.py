"""A question answered with a language model: the loop's outcome, checked."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lovsvar_agent.core.answer_parts import completed, remark, suggested
from lovsvar_agent.core.earlier_turns import with_topic
from lovsvar_agent.core.errors import LimitReached, Misread
from lovsvar_agent.core.guidance.library import NO_GUIDANCE, Guidance
from lovsvar_agent.core.guidance.next_steps import NextSteps, background, next_steps, to_read
from lovsvar_agent.core.guidance.situations import Place
from lovsvar_agent.core.ports import LanguageModel, LegalSearch
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words, narrowed
from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.answer_blocks import not_in_force, prose_blocks
from lovsvar_agent.core.reasoning.citation_check import Cited, cite, retitled, without
from lovsvar_agent.core.reasoning.conversation import Conversation
from lovsvar_agent.core.reasoning.final import Final
from lovsvar_agent.core.reasoning.loop import Loop
from lovsvar_agent.core.reasoning.model_call import Speaker
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.reasoning.prose import markers_of, numbered_markers, plain_prose, without_marks
from lovsvar_agent.core.reasoning.prose_check import uncited_sentences, vet_quotations, vet_references
from lovsvar_agent.core.reasoning.queries import suggestions
from lovsvar_agent.core.reasoning.toolkit import Toolkit
from lovsvar_agent.core.run import Run, bounded
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_contracts.blocks import AnswerBlock, List, RemarkRole, SourceList, plain
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, RejectedCitation
from lovsvar_contracts.run_events import CitationRejected, CitationVerified, RunLimits
from lovsvar_legaltext.language import Language, language_of

WORK_SHARE = 0.75
"""Share of the wall time after which no more is searched; the rest is for the last answer."""

LAST_SHARE = 0.95
"""Share of the wall time after which no more is asked of the model; the rest is for checking."""

MAX_NEAREST = 3

Asked = TypeVar("Asked")

NOT_IN_SOURCES = "Sitatet i teksten står ikke i noen av kildene."
NOT_LOOKED_UP = "Henvisningen kunne ikke kontrolleres nå."
NOT_IN_CORPUS = "Henvisningen finnes ikke i korpuset."
NAMES_UNKNOWN = "Sitatet viser til en bestemmelse som ikke finnes i korpuset."


@dataclass(frozen=True)
class CheckedAnswer:
    """An answer whose every part was checked. `text` is its prose with ids of sources; empty when nothing holds."""

    cited: Cited
    text: str
    uncited: tuple[str, ...]
    unresolved: tuple[str, ...]
    insufficient: bool


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
    ) -> None:
        asked, limits = run.asked, run.limits
        self.model = model.name
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
        self._language: Language = language_of(asked.question, asked.locale)
        self._wording = WORDINGS[self._language]
        self._filters = asked.filters or NO_FILTERS
        law = LawAccess(narrowed(search, asked.filters), self.sources, run.limits, asked)
        self._guidance = guidance
        self._background_given = False
        self._toolkit = Toolkit(run, law, tools, self._background)
        self._speaker = Speaker(run, model)
        self._began = asyncio.get_running_loop().time()
        # The last check has little time left, so it asks once. It looks outside the question's filters too: a reference
        # in the prose exists or does not.
        checking = replace(law, search=search, limits=replace(run.limits, patience=0.0))
        self._checking = replace(checking, until=self._until(1.0))
        self._query = with_topic(asked.question, run.earlier)

    async def answer(self) -> tuple[Answer, str | None]:
        """Return the checked answer, and the limit that ended the search for it. Raises `ProblemError`."""
        direct = self._mode is Mode.DIRECT
        asked = self._run.asked
        context = prompts.context(in_words(self._filters), self._run.earlier)
        instructions = prompts.system(self._language, direct=direct, case_id=asked.case_id)
        conversation = Conversation(instructions, asked.question, context)
        loop = Loop(self._run, self._speaker, self._toolkit, conversation)
        final, limit = await self._search(loop)
        cited = await self._cite(final)
        unusable = not final.insufficient and not (final.claims and final.answer)
        if limit is None and (cited.rejected or unusable):
            final, cited = await self._repaired(loop, final, cited)
        async with self._run.step("answer", "Kontrollerer sitater og henvisninger"):
            checked = await self._check(final, cited)
            after = await self._next_steps(checked.cited.citations)
            for citation in checked.cited.citations:
                await self._run.emit(CitationVerified, citation=citation)
            for lost in checked.cited.rejected:
                await self._run.emit(CitationRejected, **lost.model_dump())
            if after and after.citation:
                await self._run.emit(CitationVerified, citation=after.citation)
        return self._compose(checked, after, limit), limit

    def _background(self) -> str:
        """Return what Lovsvar says of the situation that the law found so far belongs to; once."""
        found = [] if self._background_given else [e for e in self.sources.all if e.refid and e.section]
        situation = self._guidance.situation(self._query, _places(found)) if found else None
        self._background_given = self._background_given or situation is not None
        return prompts.background(background(situation, self._language)) if situation else ""

    async def _next_steps(self, citations: Sequence[Citation]) -> NextSteps | None:
        """Return what to do next in the situation that the answer belongs to, if it belongs to one."""
        situation = self._guidance.situation(self._query, _places(citations)) if citations else None
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
        except Misread:
            if self._mode is Mode.AGENT and (final := await self._from_sources(loop, loop.without_tools)):
                return final, None
            raise
        return await self._from_sources(loop, loop.last_word) or Final(""), bound.limit

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

    async def _cite(self, final: Final) -> Cited:
        await self._checking.fetch(self.sources.unread(claim.evidence_id for claim in final.claims))
        return cite(final.claims, self.sources)

    async def _repaired(self, loop: Loop, final: Final, cited: Cited) -> tuple[Final, Cited]:
        """Send the answer back once; return the new one, unless only the old one has something that holds."""
        again = await self._in_time(lambda: loop.again(prompts.repair(cited.rejected)))
        if again is None:
            return final, cited
        second = await self._cite(again)
        if cited.citations and not second.citations:
            return final, cited
        return again, second

    async def _check(self, final: Final, cited: Cited) -> CheckedAnswer:
        cited = await self._grounded(cited)
        prose = plain_prose(final.answer, self.sources.all, self._wording.link_removed)
        ids = self.sources.id_pattern
        prose = markers_of(numbered_markers(prose, dict(cited.places), ids), cited.numbers, ids)
        texts = [text for e in self.sources.all if (text := self.sources.text(e)) is not None]
        quotations = vet_quotations(prose, texts, self._wording, ids)
        references = await vet_references(quotations.text, self._checking, self._wording)
        lost = (
            *(RejectedCitation(evidence_id="", quote=q, reason=NOT_IN_SOURCES) for q in quotations.omitted),
            *(RejectedCitation(evidence_id="", quote=r, reason=NOT_IN_CORPUS) for r in references.unresolved),
            *(RejectedCitation(evidence_id="", quote=r, reason=NOT_LOOKED_UP) for r in references.unchecked),
        )
        holds = bool(cited.citations)
        return CheckedAnswer(
            cited=replace(cited, rejected=(*cited.rejected, *lost)),
            text=references.text if holds else "",
            uncited=uncited_sentences(references.text, ids) if holds else (),
            unresolved=(*references.unresolved, *references.unchecked),
            insufficient=final.insufficient or not holds,
        )

    async def _grounded(self, cited: Cited) -> Cited:
        """Drop citations of foreign text that name what the corpus does not hold, and mark it in their titles."""
        foreign = [c for c in cited.citations if not self.sources.proves_law(c.evidence_id)]
        texts = [without_marks(text) for c in foreign for text in (c.quote, c.title)]
        vetted = await asyncio.gather(*(vet_references(t, self._checking, self._wording) for t in texts))
        quotes, titles = vetted[::2], vetted[1::2]
        lost = [
            RejectedCitation(evidence_id=c.evidence_id, quote=c.quote, reason=NAMES_UNKNOWN)
            for c, quote in zip(foreign, quotes, strict=True)
            if quote.has_faults
        ]
        marked = {c.evidence_id: title.text for c, title in zip(foreign, titles, strict=True) if title.has_faults}
        return retitled(without(cited, lost), marked)

    def _compose(self, checked: CheckedAnswer, after: NextSteps | None, limit: str | None) -> Answer:
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
            blocks += [remark(wording.partly)] if checked.insufficient else []
            blocks += [*not_in_force(citations, wording), SourceList(title=wording.sources)]
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
            blocks,
            insufficient=checked.insufficient,
            citations=(*citations, after.citation) if after and after.citation else citations,
            rejected=checked.cited.rejected,
            uncited=checked.uncited,
            unresolved=checked.unresolved,
            suggestions=nearest,
        )


def _places(sources: Iterable[Citation | Evidence]) -> list[Place]:
    return [(one.refid, section_key(one.section)) for one in sources if one.refid and one.section]
