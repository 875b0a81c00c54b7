"""What the corpus holds and which archives it is from, as a run reports it."""

from collections.abc import Iterable

from lovsvar_agent.core.ports import LegalSearch
from lovsvar_contracts.ingest import ArchiveOrigin
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, Citation
from lovsvar_contracts.search import CorpusStatus, ReadStatus


async def corpus_status(search: LegalSearch, correlation_id: str) -> CorpusStatus | None:
    """Ask for the corpus's date and version; None without a reply, since an answer without them is still one."""
    try:
        return await search.status(ReadStatus(correlation_id=correlation_id))
    except ProblemError:
        return None


async def dated(answer: Answer, version: int, begun: CorpusStatus | None, search: LegalSearch) -> Answer:
    """Return `answer` with the corpus that it rests on: `version` (0: the one it began with), which may be newer."""
    corpus = begun
    if version and (begun is None or begun.corpus_version != version):
        corpus = await corpus_status(search, answer.correlation_id)
    return answer.model_copy(
        update={
            "corpus_date": corpus.corpus_date if corpus else None,
            "corpus_version": version or (corpus.corpus_version if corpus else 0),
            "archives": archives_of(corpus, answer.citations) if corpus else (),
        }
    )


def archives_of(corpus: CorpusStatus, citations: Iterable[Citation]) -> tuple[ArchiveOrigin, ...]:
    """Return the archives that `citations` are from; without any, all of them."""
    cited = {citation.dataset for citation in citations if citation.dataset}
    return tuple(archive for archive in corpus.archives if not cited or archive.dataset in cited)
