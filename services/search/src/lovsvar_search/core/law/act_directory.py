"""The documents of current law by name and by number: completion of names, and counts of hits by their documents."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice

import numpy as np
from numpy.typing import NDArray

from lovsvar_contracts.facets import MAX_FACETS, Facets, FacetValue, YearSpan
from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType
from lovsvar_contracts.named_acts import FindActs, NamedAct
from lovsvar_contracts.search import Acts
from lovsvar_legaltext.act_names import Act, ActNames, fold
from lovsvar_legaltext.refids import parse_refid
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.retrieval.corpus import CorpusState
from lovsvar_search.core.retrieval.items import place_number

IN_FORCE_ORDER = (InForce.YES, InForce.UNKNOWN, InForce.NOT_YET, InForce.REPEALED)

REMEMBERED = 2_000
"""Completions that are kept: people type the same few letters."""

END = "\n"
"""What is between two names in the listing."""


class ActDirectory:
    """The documents of one corpus version. Lookups do no I/O.

    All names are one text, the likeliest first, so that the first places where something is found are the best.
    """

    def __init__(self, names: ActNames) -> None:
        self._names = names
        listed = sorted(
            (self._order(name, refid), name, refid) for name, refids in names.names() for refid in refids if name
        )
        self._refids = [refid for _, _, refid in listed]
        self._lines = [name for _, name, _ in listed]
        self._ends = list(accumulate(len(name) + len(END) for name in self._lines))
        self._listing = END + END.join((*self._lines, ""))
        self._completed: dict[tuple[str, int, LawType | None], tuple[NamedAct, ...]] = {}
        acts = list(names)
        self._rows = {place_number(act.refid): row for row, act in enumerate(acts)}
        self._law_types = _Incidence((act.law_type,) for act in acts)
        self._ministries = _Incidence(act.ministries for act in acts)
        self._legal_areas = _Incidence(act.legal_areas for act in acts)
        days = [parse_refid(act.refid) for act in acts]
        self._years = np.array([named.day.year if named else 0 for named in days], np.int64)

    def _order(self, name: str, refid: str) -> tuple[int, bool, int, int]:
        act = self._names.get(refid)
        if act is None:
            return len(IN_FORCE_ORDER), False, 0, len(name)
        return IN_FORCE_ORDER.index(act.in_force), act.amending, LAW_TYPE_ORDER.index(act.law_type), len(name)

    def complete(self, text: str, limit: int, law_type: LawType | None = None) -> tuple[NamedAct, ...]:
        """Return the documents with a name like `text`, as `Acts` orders them. A refid is a name, too.

        Where there is none, `text` is taken for the misspelling of a name.
        """
        asked = (text, limit, law_type)
        found = self._completed.get(asked)
        if found is None:
            found = self._complete(text, limit, law_type)
            if not found and (meant := self._names.like(text)):
                found = self._complete(meant, limit, law_type)
            if len(self._completed) >= REMEMBERED:
                self._completed.clear()
            self._completed[asked] = found
        return found

    def _complete(self, text: str, limit: int, law_type: LawType | None) -> tuple[NamedAct, ...]:
        found: dict[str, str] = {text.casefold(): ""} if self._names.get(text.casefold()) else {}
        typed = " ".join(fold(text))
        if typed:
            ways = (f"{END}{typed}{END}", f"{END}{typed}", f" {typed}", typed)
            for line in (line for way in ways for line in self._found(way)):
                if len(found) >= limit:
                    break
                refid = self._refids[line]
                act = self._names.get(refid)
                if act and (law_type is None or act.law_type is law_type):
                    found.setdefault(refid, self._lines[line])
        acts = ((act, name) for refid, name in found.items() if (act := self._names.get(refid)))
        return tuple(named_act(act, name) for act, name in islice(acts, limit))

    def _found(self, part: str) -> Iterator[int]:
        """Yield the lines of the listing that hold `part`, in their order."""
        at = self._listing.find(part)
        while at >= 0:
            line = bisect_right(self._ends, at)
            yield line
            at = self._listing.find(part, max(at + 1, self._ends[line]))

    def facets(self, hits: Mapping[int, int], filters: Filters, *, in_force: int, word_hits: int) -> Facets:
        """Return what a search's hits, by document number and narrowed by nothing that is counted here, come to."""
        counts = np.zeros(len(self._rows))
        for number, count in hits.items():
            if (row := self._rows.get(number)) is not None:
                counts[row] += count
        of_type = self._law_types.having(filters.law_types)
        of_ministry = self._ministries.having(filters.ministries)
        of_area = self._legal_areas.having(filters.legal_areas)
        of_years = np.ones(len(self._rows))
        if filters.years is not None:
            of_years = ((filters.years[0] <= self._years) & (self._years <= filters.years[1])).astype(float)
        law_types = dict(self._law_types.sums(counts * of_ministry * of_area * of_years))
        return Facets(
            law_types=tuple(FacetValue(value=one, hits=law_types[one]) for one in LAW_TYPE_ORDER if one in law_types),
            ministries=_most(self._ministries.sums(counts * of_type * of_area * of_years)),
            legal_areas=_most(self._legal_areas.sums(counts * of_type * of_ministry * of_years)),
            years=self._decades(counts * of_type * of_ministry * of_area),
            in_force=in_force,
            word_hits=word_hits,
        )

    def _decades(self, counts: NDArray[np.float64]) -> tuple[YearSpan, ...]:
        """Return the sums by decade, newest first; where there are many, the last is of all that are older."""
        sums = np.bincount(self._years // 10, counts) if len(self._years) else np.zeros(0)
        found = [(decade * 10, round(hits)) for decade, hits in enumerate(sums.tolist()) if decade and hits]
        spans = [YearSpan(first=year, last=year + 9, hits=hits) for year, hits in reversed(found)]
        older = spans[MAX_FACETS - 1 :]
        if len(older) > 1:
            last = YearSpan(first=older[-1].first, last=older[0].last, hits=sum(span.hits for span in older))
            spans[MAX_FACETS - 1 :] = [last]
        return tuple(spans)


class _Incidence:
    """Which documents have which values. A document with a value has those that are part of it, too, as filters do."""

    def __init__(self, values: Iterable[Collection[str]]) -> None:
        rows = list(values)
        self._size = len(rows)
        self._names = sorted({name for row in rows for name in row})
        folded = [name.casefold() for name in self._names]
        parts = {
            name: [at for at, part in enumerate(folded) if part in whole]
            for name, whole in zip(self._names, folded, strict=True)
        }
        pairs = [(row, at) for row, names in enumerate(rows) for at in {at for name in names for at in parts[name]}]
        self._documents, self._values = np.array(pairs, np.int64).reshape(-1, 2).T.copy()

    def having(self, names: Collection[str] | None) -> NDArray[np.float64]:
        """Return 1 for each document with any of some values, and 0 for the others; None is no demand."""
        if names is None:
            return np.ones(self._size)
        wanted = np.array([name in names for name in self._names], bool)
        having = np.zeros(self._size)
        having[self._documents[wanted[self._values]]] = 1.0
        return having

    def sums(self, counts: NDArray[np.float64]) -> list[tuple[str, int]]:
        """Return the values that any counted document has, with the sum of their counts, most first."""
        totals = np.bincount(self._values, counts[self._documents], len(self._names)).tolist()
        found = [(name, round(total)) for name, total in zip(self._names, totals, strict=True) if total]
        return sorted(found, key=lambda one: (-one[1], one[0]))


def find_acts(request: FindActs, directory: ActDirectory, served: CorpusState) -> Acts:
    """Return the documents that a text may be the name of."""
    return Acts(
        correlation_id=request.correlation_id,
        acts=directory.complete(request.text, request.limit, request.law_type),
        corpus_version=served.version,
        corpus_date=served.corpus_date,
    )


def named_act(act: Act, name: str = "") -> NamedAct:
    """Return a document as it is shown when it is found by `name`."""
    return NamedAct(
        refid=act.refid,
        act=act.act,
        title=act.title,
        abbreviation=act.abbreviation,
        name=name,
        law_type=act.law_type,
        in_force=act.in_force,
        url=viewer_path(act.refid),
        lovdata_url=lovdata_url(act.refid),
    )


def _most(sums: Sequence[tuple[str, int]]) -> tuple[FacetValue, ...]:
    return tuple(FacetValue(value=value, hits=hits) for value, hits in sums[:MAX_FACETS])
