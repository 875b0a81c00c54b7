"""Stand-ins for the store of embeddings, the queue and the embedder: for tests, and nothing else."""

import contextlib
import hashlib
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_ingest.core.embedding_ports import CutDocument, UncutDocument, Vector
from lovsvar_ingest.core.errors import EmbedderUnavailable, TextRefused
from lovsvar_ingest.core.passages import Passage, SectionText


@dataclass
class MemoryDocument:
    """A document as embedding sees it. `day` counts the days on which documents were stored."""

    content_hash: str
    sections: Sequence[SectionText]
    law_type: LawType = LawType.LOV
    day: int = 0


@dataclass
class MemoryModel:
    """What is stored of a model, in the order in which models were begun."""

    vectors: dict[str, Vector] = field(default_factory=dict)
    requests: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    complete: bool = False


class MemoryEmbeddings:
    """Documents, passages and vectors in dictionaries; `planning` yields the store itself."""

    def __init__(self) -> None:
        self.documents: dict[str, MemoryDocument] = {}
        self.models: dict[str, MemoryModel] = {}
        self.cuts: dict[str, tuple[CutDocument, int]] = {}
        self._planning = False

    @contextlib.asynccontextmanager
    async def planning(self) -> AsyncIterator["MemoryEmbeddings | None"]:
        """Hold planning while the block runs; None when another has it."""
        if self._planning:
            yield None
            return
        self._planning = True
        try:
            yield self
        finally:
            self._planning = False

    async def begin(self, model: str) -> bool:
        """Make `model` the one that is built; return whether it was another before."""
        if list(self.models)[-1:] == [model]:
            return False
        self.models[model] = self.models.pop(model, MemoryModel())
        return True

    async def uncut(self, cutting: int, limit: int) -> Sequence[UncutDocument]:
        """Return documents that changed since they were cut."""
        found = []
        for refid, document in self.documents.items():
            cut = self.cuts.get(refid)
            if cut is None or (cut[0].content_hash, cut[1]) != (document.content_hash, cutting):
                found.append(UncutDocument(refid, document.content_hash, document.sections))
        return found[:limit]

    async def store_cuts(self, documents: Sequence[CutDocument], cutting: int) -> None:
        """Replace the passages of `documents`."""
        self.cuts.update({document.refid: (document, cutting) for document in documents})

    async def drop_removed(self) -> None:
        """Delete the passages of documents that are not there."""
        self.cuts = {refid: cut for refid, cut in self.cuts.items() if refid in self.documents}

    async def missing(self, model: str, limit: int) -> Sequence[str]:
        """Return texts without a vector that nobody was asked to embed, the most urgent first."""
        state = self.models[model]
        done = state.vectors.keys() | state.requests | state.refused.keys()
        urgency: dict[str, tuple[int, int, int]] = {}
        for refid, passage in self._passages():
            document = self.documents[refid]
            key = (-document.day, LAW_TYPE_ORDER.index(document.law_type), len(passage.text))
            urgency[passage.content_hash] = min(key, urgency.get(passage.content_hash, key))
        return sorted(urgency.keys() - done, key=lambda content_hash: (*urgency[content_hash], content_hash))[:limit]

    async def note_requests(self, model: str, passages: Sequence[str]) -> None:
        """Note that these texts are asked for."""
        self.models[model].requests.update(passages)

    async def forget_requests(self, model: str) -> None:
        """Forget all that was asked for."""
        self.models[model].requests.clear()

    async def complete(self, model: str) -> None:
        """Note that `model` has every vector; delete earlier models, and vectors that no passage has."""
        state = self.models[model]
        if not state.vectors:
            return
        state.complete = True
        live = {passage.content_hash for _, passage in self._passages()}
        state.vectors = {h: vector for h, vector in state.vectors.items() if h in live}
        state.refused = {h: reason for h, reason in state.refused.items() if h in live}
        self.models = {model: state}

    async def unembedded(self, model: str, passages: Sequence[str]) -> Sequence[str]:
        """Return which of these texts have no vector."""
        state = self.models.get(model, MemoryModel())
        return [content_hash for content_hash in passages if content_hash not in state.vectors]

    async def sections_of(self, passages: Sequence[str]) -> Sequence[SectionText]:
        """Return the sections from which these texts can be cut."""
        wanted = set(passages)
        keys = {
            (refid, key)
            for refid, (cut, _) in self.cuts.items()
            for key, parts in cut.passages.items()
            if wanted & {part.content_hash for part in parts}
        }
        return [
            section
            for refid, document in self.documents.items()
            for section in document.sections
            if (refid, section.section_key) in keys
        ]

    async def store(
        self, model: str, asked: Sequence[str], vectors: Mapping[str, Vector], refused: Mapping[str, str]
    ) -> None:
        """Answer a request."""
        if (state := self.models.get(model)) is None:
            return
        state.vectors = {**vectors, **state.vectors}
        state.requests.difference_update(asked)
        state.refused.update(refused)

    def _passages(self) -> Sequence[tuple[str, Passage]]:
        return [
            (refid, passage)
            for refid, (cut, _) in self.cuts.items()
            for passages in cut.passages.values()
            for passage in passages
        ]


class MemoryQueue:
    """Requests in a list."""

    def __init__(self) -> None:
        self.requests: list[EmbeddingRequested] = []

    async def waiting(self) -> int:
        """Return how many requests are not done."""
        return len(self.requests)

    async def ask(self, request: EmbeddingRequested) -> None:
        """Add a request."""
        self.requests.append(request)

    async def clear(self) -> None:
        """Drop all requests."""
        self.requests.clear()


class FakeEmbedder:
    """Makes vectors of hashes: equal for equal texts, and for no others. Remembers what it was asked.

    `refuses` are parts of texts that it does not take; while `down` it is unavailable.
    """

    def __init__(self, model: str = "fake", dimensions: int = 8, refuses: Collection[str] = ()) -> None:
        self.model = model
        self.seen: list[str] = []
        self.down = False
        self._dimensions = dimensions
        self._refuses = refuses

    async def start(self) -> None:
        """Nothing is held."""

    async def stop(self) -> None:
        """Nothing is held."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text. Raises `EmbedderUnavailable`, `TextRefused`."""
        if self.down:
            raise EmbedderUnavailable("nede")
        if any(part in text for part in self._refuses for text in texts):
            raise TextRefused("for lang")
        self.seen += texts
        return [[byte / 255 for byte in hashlib.sha256(t.encode()).digest()[: self._dimensions]] for t in texts]
