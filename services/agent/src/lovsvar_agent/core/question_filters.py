"""What a question is narrowed to holds for everything that its run finds and reads.

A search may be narrowed further, and never leaves the question's filters; a document outside them is not read. Only
whether a reference exists does not depend on them.
"""

from lovsvar_agent.core.ports import LegalSearch
from lovsvar_contracts.law import DocumentSummary
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import QuestionFilters
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    Outline,
    ProvisionHits,
    Provisions,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)
from lovsvar_legaltext.terms import PLURALS

NO_FILTERS = QuestionFilters()


def within(own: QuestionFilters, wished: QuestionFilters) -> QuestionFilters:
    """Return `wished` where it narrows `own` further, and `own` where it would leave it.

    Ministries are named by a part of their name, so that one narrows the other when it holds it.
    """
    part, longer = (own.ministry or "").casefold(), (wished.ministry or "").casefold()
    return QuestionFilters(
        law_type=own.law_type or wished.law_type,
        year=own.year or wished.year,
        ministry=(wished.ministry if part in longer else own.ministry) or None,
    )


def in_words(filters: QuestionFilters) -> str:
    """Return filters in Norwegian: 'forskrifter, år 2020, departement «Justis»'; empty when there are none."""
    said = [PLURALS[filters.law_type]] if filters.law_type else []
    said += [f"år {filters.year}"] if filters.year else []
    said += [f"departement «{filters.ministry}»"] if filters.ministry else []
    return ", ".join(said)


def narrowed(search: LegalSearch, filters: QuestionFilters | None) -> LegalSearch:
    """Return `search` as a question with `filters` may use it."""
    return NarrowedSearch(search, filters) if filters and in_words(filters) else search


class NarrowedSearch:
    """`LegalSearch` that finds and reads nothing outside a question's filters."""

    def __init__(self, search: LegalSearch, filters: QuestionFilters) -> None:
        self._search = search
        self._filters = filters
        self._inside: dict[str, bool] = {}
        self._version = 0

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Find provisions within the filters, and within those of `request` that narrow them further."""
        wished = QuestionFilters(law_type=request.law_type, year=request.year, ministry=request.ministry)
        held = within(self._filters, wished)
        hits = await self._search.find(request.model_copy(update=held.model_dump()))
        self._inside |= {hit.refid: True for hit in hits.hits}
        self._version = hits.corpus_version
        return hits

    async def read(self, request: ReadProvisions) -> Provisions:
        """Read provisions; those of documents outside the filters are listed as missing."""
        refids = dict.fromkeys(ref.refid for ref in request.refs)
        outside = {refid for refid in refids if not await self._holds(refid, request.correlation_id)}
        left_out = tuple(ref for ref in request.refs if ref.refid in outside)
        refs = tuple(ref for ref in request.refs if ref.refid not in outside)
        if not refs:
            return Provisions(
                correlation_id=request.correlation_id,
                provisions=(),
                missing=left_out,
                corpus_version=self._version,
            )
        found = await self._search.read(request.model_copy(update={"refs": refs}))
        self._version = found.corpus_version
        return found.model_copy(update={"missing": (*found.missing, *left_out)})

    async def outline(self, request: ReadOutline) -> Outline:
        """Read a table of contents. Raises `ProblemError` for a document outside the filters, as for one unknown."""
        found = await self._search.outline(request)
        if not self._note(request.refid, found.document):
            name = found.document.short_title or found.document.title
            detail = f"{name} ({request.refid}) er utenfor det spørsmålet er avgrenset til: {in_words(self._filters)}."
            raise ProblemError(Problem(type=ProblemType.NOT_FOUND, title="Utenfor avgrensningen", detail=detail))
        return found

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Look up what a written reference names, within the filters or not."""
        return await self._search.resolve(request)

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Return what the whole corpus holds."""
        return await self._search.status(request)

    async def _holds(self, refid: str, correlation_id: str) -> bool:
        """Whether a document is within the filters; one that is unknown is left for others to say so."""
        if (known := self._inside.get(refid)) is not None:
            return known
        try:
            found = await self._search.outline(ReadOutline(refid=refid, correlation_id=correlation_id))
        except ProblemError as exc:
            if exc.problem.type is ProblemType.NOT_FOUND:
                return True
            raise
        return self._note(refid, found.document)

    def _note(self, refid: str, document: DocumentSummary) -> bool:
        """Note and return whether a document is within the filters, as search sees it."""
        filters = self._filters
        part = (filters.ministry or "").casefold()
        self._inside[refid] = (
            filters.law_type in (None, document.law_type)
            and filters.year in (None, document.year)
            and (not part or any(part in ministry.casefold() for ministry in document.ministries))
        )
        return self._inside[refid]
