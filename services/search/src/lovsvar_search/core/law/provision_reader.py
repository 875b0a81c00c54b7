"""Use cases: read provisions, outlines and documents, list documents, return the state of the corpus."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol

import orjson

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.ingest import ArchiveOrigin
from lovsvar_contracts.law import DocumentSummary, LawType, StructureKind
from lovsvar_contracts.listings import Citing, Documents, ListDocuments, ReadSubjects, Subject, Subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.search import (
    CorpusStatus,
    Document,
    Outline,
    OutlineEntry,
    OutlineNode,
    Provisions,
    ReadDocument,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
)
from lovsvar_search.core.errors import NotFound, ReplyTooLarge
from lovsvar_search.core.law.sections import is_sample
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower

MAX_REPLY = 800_000
"""Bytes of provisions in one reply; NATS carries 1 MB."""

Key = tuple[str, str]
"""A refid and a section key."""


@dataclass(frozen=True, slots=True)
class ReadProvision:
    """A provision as read: its place in the document, and itself as it is sent, the JSON of a `Provision`.

    Nothing here looks into it, and to make an object of it and JSON of that takes longer than to fetch it.
    """

    position: int
    json: bytes


@dataclass(frozen=True, slots=True)
class WithProvisions:
    """A reply without its provisions, and those."""

    reply: Provisions | Document
    provisions: Sequence[ReadProvision]

    def encode(self) -> bytes:
        """Return the reply as it is sent: JSON in UTF-8."""
        fields = self.reply.model_dump(mode="json")
        return orjson.dumps(fields | {"provisions": [orjson.Fragment(read.json) for read in self.provisions]})


class Counts(NamedTuple):
    """How much is stored, by the names that a `CorpusStatus` has."""

    stored_version: int
    corpus_date: date | None
    provisions: int
    by_law_type: dict[LawType, int]
    by_dataset: dict[str, int]
    embedded: int = 0
    archives: tuple[ArchiveOrigin, ...] = ()


@dataclass(frozen=True, slots=True)
class Division:
    """A division as stored; `parent` is the position of the enclosing one."""

    position: int
    parent: int | None
    kind: StructureKind
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A section and the position of the innermost division that holds it."""

    division: int | None
    entry: OutlineEntry


class ProvisionStore(Protocol):
    """The stored corpus, read as it is now. Every method raises `StoreUnavailable`."""

    async def read(self, keys: Sequence[Key]) -> Mapping[Key, ReadProvision]:
        """Return those of the provisions that exist, in one round trip."""

    async def existing(self, keys: Sequence[Key]) -> Mapping[Key, tuple[str, str]]:
        """Return section name and heading ('§ 3-5. Depositum') of those that exist."""

    async def summary(self, refid: str) -> DocumentSummary | None:
        """Return a document without its provisions, or None."""

    async def outline(self, refid: str) -> tuple[Sequence[Division], Sequence[Placed]]:
        """Return a document's divisions and sections, each in reading order."""

    async def document_page(self, refid: str, after: int, size: int) -> Sequence[ReadProvision]:
        """Return sections after position `after` in reading order, at least one if any, within `size` bytes."""

    async def list_documents(self, request: ListDocuments) -> tuple[Sequence[DocumentSummary], int]:
        """Return a page of documents by refid, and how many there are in all."""

    async def subjects(self, series: str) -> Mapping[str, Sequence[Subject]]:
        """Return by what the documents of a series can be browsed: by "letter", "legal_area" and "ministry"."""

    async def links_to(self, refid: str) -> Sequence[tuple[Citing, str]]:
        """Return the law's own links to a document from others, each with its target as Lovdata writes it."""

    async def counts(self) -> Counts:
        """Return how much is stored; zeros where nothing has been stored yet."""


@dataclass(frozen=True)
class ProvisionReader:
    """Reads what is stored now. Replies name the version that `follower` serves; without one they raise `NotReady`."""

    store: ProvisionStore
    follower: CorpusFollower

    async def read(self, request: ReadProvisions) -> WithProvisions:
        """Read provisions by name, in the order asked, and name those that are missing.

        Raises `NotFound` when none of them exists, `ReplyTooLarge` when they are too many for one reply.
        """
        common = self._common(request)
        keys = [(ref.refid.strip(), section_key(ref.section)) for ref in request.refs]
        found = await self.store.read(keys)
        if not found:
            raise await self._nothing_read(request)
        provisions = [found[key] for key in keys if key in found]
        if sum(len(read.json) for read in provisions) > MAX_REPLY:
            raise ReplyTooLarge("Bestemmelsene er for lange til å leses samlet. Be om færre om gangen.")
        missing = tuple(ref for ref, key in zip(request.refs, keys, strict=True) if key not in found)
        return WithProvisions(Provisions(provisions=(), missing=missing, **common), provisions)

    async def outline(self, request: ReadOutline) -> Outline:
        """Read a document's table of contents. Raises `NotFound`."""
        common = self._common(request)
        document, (divisions, sections) = await asyncio.gather(
            self._existing(request.refid), self.store.outline(request.refid)
        )
        provisions, children = build_outline(divisions, sections)
        tokens = sum(section.entry.tokens for section in sections)
        return Outline(document=document, provisions=provisions, children=children, tokens=tokens, **common)

    async def document(self, request: ReadDocument) -> WithProvisions:
        """Read a page of a document, in reading order. Raises `NotFound`."""
        common = self._common(request)
        document = await self._existing(request.refid)
        after = -1 if request.after is None else request.after
        page = await self.store.document_page(request.refid, after, MAX_REPLY)
        last = page[-1].position if page else after
        more = bool(page) and bool(await self.store.document_page(request.refid, last, 0))
        reply = Document(document=document, provisions=(), next_after=last if more else None, **common)
        return WithProvisions(reply, page)

    async def documents(self, request: ListDocuments) -> Documents:
        """List documents, a page at a time."""
        common = self._common(request)
        documents, total = await self.store.list_documents(request)
        page = {"page": request.page, "page_size": request.page_size}
        return Documents(documents=tuple(documents), total=total, **page, **common)

    async def subjects(self, request: ReadSubjects) -> Subjects:
        """Return by what the documents of a series can be browsed."""
        common = self._common(request)
        found = await self.store.subjects(request.series)
        letters, areas, ministries = (tuple(found.get(kind, ())) for kind in ("letter", "legal_area", "ministry"))
        return Subjects(letters=letters, legal_areas=areas, ministries=ministries, **common)

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Return what is stored, and what this replica serves of it; also while nothing is served."""
        counts = await self.store.counts()
        version, indexed = self.follower.served_counts
        return CorpusStatus(
            correlation_id=request.correlation_id,
            documents=sum(counts.by_law_type.values()),
            corpus_version=version,
            sample=bool(counts.by_dataset) and all(map(is_sample, counts.by_dataset)),
            indexed_provisions=indexed,
            ready=version > 0,
            **counts._asdict(),
        )

    def _common(self, request: Message) -> dict[str, Any]:
        """Return the fields that every reply has."""
        served = self.follower.served.state
        return {
            "correlation_id": request.correlation_id,
            "corpus_version": served.version,
            "corpus_date": served.corpus_date,
        }

    async def _nothing_read(self, request: ReadProvisions) -> NotFound:
        if len(request.refs) > 1:
            return NotFound("Ingen av bestemmelsene finnes i samlingen.")
        ref = request.refs[0]
        document = await self._existing(ref.refid.strip())
        name = document.short_title or document.title
        return NotFound(f"{name} ({ref.refid}) finnes, men har ingen bestemmelse {ref.section}.")

    async def _existing(self, refid: str) -> DocumentSummary:
        document = await self.store.summary(refid)
        if document is None:
            raise NotFound(f"Dokumentet {refid} finnes ikke i samlingen.")
        return document


def build_outline(
    divisions: Sequence[Division], sections: Sequence[Placed]
) -> tuple[tuple[OutlineEntry, ...], tuple[OutlineNode, ...]]:
    """Return the sections outside any division, and the outermost divisions with all they hold.

    All are in reading order. A section or division whose parent is missing counts as outermost: nothing is lost.
    """
    known = {division.position for division in divisions}
    entries: dict[int | None, list[OutlineEntry]] = defaultdict(list)
    for section in sections:
        entries[section.division if section.division in known else None].append(section.entry)
    children: dict[int | None, list[Division]] = defaultdict(list)
    for division in divisions:
        # A parent always comes before what it holds; anything else would make a circle.
        inside = division.parent in known and division.parent is not None and division.parent < division.position
        children[division.parent if inside else None].append(division)

    def node(division: Division) -> OutlineNode:
        inner = tuple(node(child) for child in children[division.position])
        own = tuple(entries[division.position])
        tokens = sum(entry.tokens for entry in own) + sum(child.tokens for child in inner)
        return OutlineNode(
            kind=division.kind, name=division.name, title=division.title, tokens=tokens, provisions=own, children=inner
        )

    return tuple(entries[None]), tuple(node(division) for division in children[None])
