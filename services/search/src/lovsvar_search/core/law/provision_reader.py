"""Use cases: read provisions, outlines and documents, list documents, tell the state of the corpus."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import orjson

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.ingest import ArchiveOrigin
from lovsvar_contracts.law import DocumentSummary, LawType, StructureKind
from lovsvar_contracts.search import (
    CorpusStatus,
    Document,
    Documents,
    ListDocuments,
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
from lovsvar_search.core.retrieval.corpus import CorpusState

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


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is stored, of what is served."""

    version: int
    corpus_date: date | None
    provisions: int
    by_law_type: Mapping[LawType, int]
    by_dataset: Mapping[str, int]
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
        """Return sections behind position `after` in reading order, at least one if any, within `size` bytes."""

    async def list_documents(self, request: ListDocuments) -> tuple[Sequence[DocumentSummary], int]:
        """Return a page of documents by refid, and how many there are in all."""

    async def counts(self) -> Counts:
        """Return how much is stored; zeros where nothing has been stored yet."""


async def read_provisions(request: ReadProvisions, store: ProvisionStore, served: CorpusState) -> WithProvisions:
    """Return the provisions asked for, in that order, and what is missing.

    Raises `NotFound` when a single provision was asked for and is not there, `ReplyTooLarge` when they
    are too many for one reply.
    """
    keys = [(ref.refid.strip(), section_key(ref.section)) for ref in request.refs]
    found = await store.read(keys)
    if not found:
        raise await _nothing_read(request, store)
    provisions = [found[key] for key in keys if key in found]
    if sum(len(read.json) for read in provisions) > MAX_REPLY:
        raise ReplyTooLarge("Bestemmelsene er for lange til å leses samlet. Be om færre om gangen.")
    reply = Provisions(
        correlation_id=request.correlation_id,
        provisions=(),
        missing=tuple(ref for ref, key in zip(request.refs, keys, strict=True) if key not in found),
        corpus_version=served.version,
        corpus_date=served.corpus_date,
    )
    return WithProvisions(reply, provisions)


async def _nothing_read(request: ReadProvisions, store: ProvisionStore) -> NotFound:
    if len(request.refs) > 1:
        return NotFound("Ingen av bestemmelsene finnes i samlingen.")
    ref = request.refs[0]
    document = await store.summary(ref.refid.strip())
    if document is None:
        return NotFound(f"Dokumentet {ref.refid} finnes ikke i samlingen.")
    name = document.short_title or document.title
    return NotFound(f"{name} ({ref.refid}) finnes, men har ingen bestemmelse {ref.section}.")


async def _existing(refid: str, store: ProvisionStore) -> DocumentSummary:
    document = await store.summary(refid)
    if document is None:
        raise NotFound(f"Dokumentet {refid} finnes ikke i samlingen.")
    return document


async def read_outline(request: ReadOutline, store: ProvisionStore, served: CorpusState) -> Outline:
    """Return a document's table of contents. Raises `NotFound`."""
    document = await _existing(request.refid, store)
    divisions, sections = await store.outline(request.refid)
    provisions, children = build_outline(divisions, sections)
    return Outline(
        correlation_id=request.correlation_id,
        document=document,
        provisions=provisions,
        children=children,
        tokens=sum(section.entry.tokens for section in sections),
        corpus_version=served.version,
        corpus_date=served.corpus_date,
    )


def build_outline(
    divisions: Sequence[Division], sections: Sequence[Placed]
) -> tuple[tuple[OutlineEntry, ...], tuple[OutlineNode, ...]]:
    """Return the sections outside any division, and the outermost divisions with all they hold.

    Both inputs are in reading order, and so is the result. A section or division whose parent is not
    there is treated as outermost, so that nothing is lost.
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


async def read_document(request: ReadDocument, store: ProvisionStore, served: CorpusState) -> WithProvisions:
    """Return a page of a document, in reading order. Raises `NotFound`."""
    document = await _existing(request.refid, store)
    after = -1 if request.after is None else request.after
    page = await store.document_page(request.refid, after, MAX_REPLY)
    last = page[-1].position if page else after
    more = bool(page) and bool(await store.document_page(request.refid, last, 0))
    reply = Document(
        correlation_id=request.correlation_id,
        document=document,
        provisions=(),
        next_after=last if more else None,
        corpus_version=served.version,
        corpus_date=served.corpus_date,
    )
    return WithProvisions(reply, page)


async def list_documents(request: ListDocuments, store: ProvisionStore, served: CorpusState) -> Documents:
    """Return a page of documents."""
    documents, total = await store.list_documents(request)
    return Documents(
        correlation_id=request.correlation_id,
        documents=tuple(documents),
        total=total,
        page=request.page,
        page_size=request.page_size,
        corpus_version=served.version,
        corpus_date=served.corpus_date,
    )


async def read_status(request: ReadStatus, store: ProvisionStore, served: tuple[int, int]) -> CorpusStatus:
    """Return what is stored and what this replica serves of it. `served` is (version, provisions), zeros when none."""
    counts = await store.counts()
    version, indexed = served
    return CorpusStatus(
        correlation_id=request.correlation_id,
        documents=sum(counts.by_law_type.values()),
        provisions=counts.provisions,
        embedded=counts.embedded,
        corpus_version=version,
        stored_version=counts.version,
        corpus_date=counts.corpus_date,
        by_law_type=dict(counts.by_law_type),
        by_dataset=dict(counts.by_dataset),
        archives=counts.archives,
        sample=is_only_sample(counts.by_dataset),
        indexed_provisions=indexed,
        ready=version > 0,
    )


def is_only_sample(by_dataset: Mapping[str, int]) -> bool:
    """Whether the corpus is the bundled, invented one."""
    return bool(by_dataset) and all(is_sample(dataset) for dataset in by_dataset)
