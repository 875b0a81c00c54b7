"""Use case: what refers to a document and its provisions.

Lovdata's data links one mention of a section in twenty, and does not say under which law a regulation is made. The
others are found in the texts: mentions of a section right after the document's name, and the document's own.
"""

import asyncio
import re
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from lovsvar_contracts.identifiers import section_key, viewer_path
from lovsvar_contracts.law import LawType
from lovsvar_contracts.listings import Citations, CitedPlace, Citing, CitingDocument, ListCitations
from lovsvar_legaltext.act_names import ActNames, fold
from lovsvar_legaltext.mentions import Mention, find_mentions
from lovsvar_search.core.errors import NotFound
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.law.provision_reader import ProvisionStore
from lovsvar_search.core.law.sections import StoredHit
from lovsvar_search.core.retrieval.corpus import Corpus, IndexSnapshot
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower
from lovsvar_search.core.retrieval.query import QueryPlan

MOST_SECTIONS = 5_000
"""Sections that are looked through for a document's own mentions, and for each of its names."""

MOST_REGULATIONS = 200
REMEMBERED = 64
"""Documents of which what was found is kept, until another version is served."""

_NAME = re.compile(r"(?:loven|forskriften|forordningen|ordningen|instruksen)$")
_BASIS = re.compile(r"\b(?:hjemmel|hjemla|heimel|heimla|medhold|hjemlet)\b[^.;:§]{0,120}$", re.IGNORECASE)

Place = str | None
"""The key of a section; None for the whole document."""


@dataclass(slots=True)
class _Found:
    """What refers to each place of a document, in the order found, each once."""

    places: dict[Place, dict[tuple[str, str], Citing]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, place: Place, citing: Citing) -> None:
        known = self.places[place].setdefault((citing.refid, citing.section), citing)
        if citing.basis and not known.basis:
            self.places[place][citing.refid, citing.section] = citing

    def all(self) -> Iterator[Citing]:
        for citing in self.places.values():
            yield from citing.values()


@dataclass
class CitationFinder:
    """Finds citations in the version that `follower` serves; what was found is kept for the next who asks."""

    store: ProvisionStore
    follower: CorpusFollower
    _kept: OrderedDict[tuple[int, str], tuple[Mapping[Place, str], _Found]] = field(default_factory=OrderedDict)

    async def citations(self, request: ListCitations) -> Citations:
        """Return what refers to a document. Raises `NotFound`."""
        corpus = self.follower.served
        if corpus.names.get(request.refid) is None:
            raise NotFound(f"Dokumentet {request.refid} finnes ikke i samlingen.")
        sections, found = await self._found(request.refid, corpus)
        wanted = None if request.section is None else section_key(request.section)
        # In the document's reading order, itself first.
        places = (None, *sections) if wanted is None else (wanted,)
        regulations = [] if request.section else list(_regulations(found, corpus.names))
        return Citations(
            correlation_id=request.correlation_id,
            refid=request.refid,
            places=tuple(
                CitedPlace(
                    section=None if place is None else sections.get(place, place),
                    total=len(found.places[place]),
                    citing=tuple(_in_order(found.places[place].values())[: request.most]),
                )
                for place in places
                if found.places.get(place)
            ),
            regulations=tuple(regulations[:MOST_REGULATIONS]),
            regulations_total=len(regulations),
            corpus_version=corpus.state.version,
            corpus_date=corpus.state.corpus_date,
        )

    async def _found(self, refid: str, corpus: Corpus) -> tuple[Mapping[str | None, str], _Found]:
        key = (corpus.state.version, refid)
        if key not in self._kept:
            links, by_text = await asyncio.gather(
                self.store.links_to(refid), asyncio.to_thread(find_in_texts, refid, corpus)
            )
            sections, found = by_text
            for citing, ref in links:
                section = ref.removeprefix(refid).removeprefix("/").partition("/")[0]
                found.add(section_key(section) if section_key(section) in sections else None, citing)
            self._kept[key] = sections, found
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def find_in_texts(refid: str, corpus: Corpus) -> tuple[Mapping[str | None, str], _Found]:
    """Return the names of a document's sections by their keys, and what texts of current law say refers to it."""
    found = _Found()
    own = _hits(QueryPlan(()), Filters(groups=(refid,)), corpus.index)
    sections: dict[str | None, str] = {section_key(hit.section): hit.section for hit in own}
    for hit in own:
        for mention in find_mentions(hit.text) if "§" in hit.text else ():
            place = _place(mention, sections)
            if mention.own and place and place != section_key(hit.section):
                found.add(place, _citing(hit))
    names = {name for name in corpus.names.names_of(refid) if _NAME.search(name[-1])}
    for hit in _naming(names, corpus.index):
        if hit.refid != refid:
            _read(hit, names, sections, found)
    return sections, found


def _naming(names: Set[tuple[str, ...]], index: IndexSnapshot) -> Iterable[StoredHit]:
    """Return the sections that have one of the names, each once."""
    hits: dict[tuple[str, str], StoredHit] = {}
    for terms in dict.fromkeys(tuple(index.analyze(" ".join(name))) for name in names):
        for hit in _hits(QueryPlan((), phrases=(terms,)), Filters(), index):
            hits.setdefault((hit.refid, hit.section), hit)
    return hits.values()


def _hits(plan: QueryPlan, filters: Filters, index: IndexSnapshot) -> Sequence[StoredHit]:
    return index.fetch(index.best(plan, filters, MOST_SECTIONS))


def _read(hit: StoredHit, names: Set[tuple[str, ...]], sections: Mapping[str | None, str], found: _Found) -> None:
    placed = False
    for mention in find_mentions(hit.text) if "§" in hit.text else ():
        if mention.act and fold(mention.act) in names and (place := _place(mention, sections)):
            basis = not hit.refid.startswith("lov/") and bool(
                _BASIS.search(hit.text, max(0, mention.start - 160), mention.start)
            )
            found.add(place, _citing(hit, basis=basis))
            placed = True
    if not placed and any(name[-1].removesuffix("en") in hit.text.casefold() for name in names):
        found.add(None, _citing(hit))


def _place(mention: Mention, sections: Mapping[str | None, str]) -> str | None:
    return next((key for number in mention.numbers if (key := section_key(f"§{number}")) in sections), None)


def _citing(hit: StoredHit, *, basis: bool = False) -> Citing:
    return Citing(
        refid=hit.refid,
        section=hit.section,
        act=hit.act,
        title=hit.title,
        law_type=hit.law_type,
        in_force=hit.in_force,
        basis=basis,
        url=viewer_path(hit.refid, hit.section),
    )


def _in_order(citing: Iterable[Citing]) -> Sequence[Citing]:
    """Return acts before regulations, and what is made under the place first of these."""
    return sorted(citing, key=lambda one: (one.law_type is not LawType.LOV, not one.basis, one.refid))


def _regulations(found: _Found, names: ActNames) -> Iterator[CitingDocument]:
    provisions: dict[str, set[str]] = defaultdict(set)
    based = set()
    for citing in found.all():
        if citing.refid.startswith("forskrift/"):
            provisions[citing.refid].add(citing.section)
            based |= {citing.refid} if citing.basis else set()
    for refid in sorted(provisions, key=lambda one: (one not in based, -len(provisions[one]), one)):
        if act := names.get(refid):
            yield CitingDocument(
                refid=refid,
                act=act.act,
                law_type=act.law_type,
                in_force=act.in_force,
                provisions=len(provisions[refid]),
                basis=refid in based,
                url=viewer_path(refid),
            )
