"""What the corpus holds, as a run tells of it."""

from lovsvar_agent.core.ports import LegalSearch
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import CorpusStatus, ReadStatus


async def corpus_status(search: LegalSearch, correlation_id: str) -> CorpusStatus | None:
    """Ask for the corpus's date and version; None when nobody says, since an answer without them is still one."""
    try:
        return await search.status(ReadStatus(correlation_id=correlation_id))
    except ProblemError:
        return None
