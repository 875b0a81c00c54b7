"""The life of a run: begun, answered by a strategy, and closed by exactly one event."""

from typing import Protocol

from lovsvar_agent.core.ports import LegalSearch
from lovsvar_agent.core.run import Run
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, Mode
from lovsvar_contracts.run_events import (
    AnswerCompleted,
    RunCompleted,
    RunFailed,
    RunLimitReached,
    RunLimits,
    RunStarted,
)
from lovsvar_contracts.search import CorpusStatus, ReadStatus


class Strategy(Protocol):
    """How the question of one run is answered: by quotes, or with a language model in one of its modes.

    It notes in the run's evidence which corpus version its answer rests on.
    """

    @property
    def mode(self) -> Mode:
        """The mode that the question is answered in."""

    @property
    def model(self) -> str:
        """What `run.started` calls the model."""

    @property
    def limits(self) -> RunLimits:
        """How far the strategy may go."""

    async def answer(self) -> tuple[Answer, str | None]:
        """Return the checked answer, and the limit that ended the search for it. Raises `ProblemError`."""


async def carry_out(run: Run, strategy: Strategy, search: LegalSearch) -> None:
    """Answer a run's question by `strategy` and emit every step, from `run.started` to one closing event.

    A strategy that fails for good ends the run as `run.failed`; one that meets a limit ends it as
    `run.limit_reached`, with the best answer so far. Raises `RunStopped` when the run is closed or taken meanwhile;
    nothing is emitted after that.
    """
    corpus = await _corpus(run, search)
    run.evidence.corpus_date = corpus.corpus_date if corpus else None
    await run.emit(
        RunStarted,
        attempt=run.attempt,
        limits=strategy.limits,
        corpus_date=corpus.corpus_date if corpus else None,
        corpus_version=corpus.corpus_version if corpus else 0,
        model=strategy.model,
        mode=strategy.mode,
    )
    # Whoever takes the run over counts this attempt.
    await run.settle()
    await run.report_earlier()
    try:
        answer, limit = await strategy.answer()
    except ProblemError as exc:
        await run.close_step()
        problem = exc.problem
        await run.emit(RunFailed, problem=problem.type, detail=problem.detail, retryable=problem.retryable)
        await run.settle()
        return
    version = run.evidence.corpus_version
    if version and (corpus is None or corpus.corpus_version != version):
        corpus = await _corpus(run, search)
    await run.emit(AnswerCompleted, answer=_dated(answer, version, corpus))
    if limit:
        await run.emit(RunLimitReached, limit=limit)
    else:
        await run.emit(RunCompleted)
    await run.settle()


async def _corpus(run: Run, search: LegalSearch) -> CorpusStatus | None:
    """Ask for the corpus's date and version; None without a reply, since an answer without them is still one."""
    try:
        return await search.status(ReadStatus(correlation_id=run.asked.correlation_id))
    except ProblemError:
        return None


def _dated(answer: Answer, version: int, corpus: CorpusStatus | None) -> Answer:
    """Return `answer` with its corpus version, date and archives: those of its citations, or all without any."""
    if corpus is None:
        return answer.model_copy(update={"corpus_version": version})
    cited = {citation.dataset for citation in answer.citations if citation.dataset}
    return answer.model_copy(
        update={
            "corpus_date": corpus.corpus_date,
            "corpus_version": version or corpus.corpus_version,
            "archives": tuple(archive for archive in corpus.archives if not cited or archive.dataset in cited),
        }
    )
