"""Stand-ins for the store of embeddings and for the queue: for tests, and nothing else."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_embedder.embedder import Vector
from lovsvar_ingest.core.embedding_ports import Answer, CutDocument, UncutDocument
from lovsvar_ingest.core.everyday import EverydayQuestion
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
    questions: dict[str, Vector] = field(default_factory=dict)
    requests: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    complete: bool = False


class MemoryEmbeddings:
    """Documents, questions, passages and vectors in dictionaries; `planning` yields the store itself."""

    def __init__(self) -> None:
        self.documents: dict[str, MemoryDocument] = {}
        self.questions: list[EverydayQuestion] = []
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
        done = state.vectors.keys() | state.questions.keys() | state.requests | state.refused.keys()
        live = {(refid, s.section_key) for refid, document in self.documents.items() for s in document.sections}
        questions = [(len(q.question), q.content_hash) for q in self.questions if live.intersection(q.targets)]
        asked_first = [content_hash for _, content_hash in sorted(questions) if content_hash not in done]
        about = Counter(target for question in self.questions for target in question.targets)
        urgency: dict[str, tuple[int, ...]] = {}
        for refid, (cut, _) in self.cuts.items():
            document = self.documents[refid]
            for section_key, passages_of in cut.passages.items():
                for passage in passages_of:
                    day, order = -document.day, LAW_TYPE_ORDER.index(document.law_type)
                    key = (day, -about[refid, section_key], int(passage.number > 0), order, len(passage.text))
                    known = urgency.get(passage.content_hash, key)
                    urgency[passage.content_hash] = tuple(map(min, key, known))
        passages = sorted(urgency.keys() - done, key=lambda content_hash: (*urgency[content_hash], content_hash))
        return [*asked_first, *passages][:limit]

    async def note_requests(self, model: str, texts: Sequence[str]) -> None:
        """Note that these texts are asked for."""
        self.models[model].requests.update(texts)

    async def forget_requests(self, model: str) -> None:
        """Forget all that was asked for."""
        self.models[model].requests.clear()

    async def complete(self, model: str) -> None:
        """Note that `model` has every vector; delete earlier models, and vectors of texts that are gone."""
        state = self.models[model]
        if not state.vectors and not state.questions:
            return
        state.complete = True
        passages = {passage.content_hash for _, passage in self._passages()}
        questions = {question.content_hash for question in self.questions}
        state.vectors = {h: vector for h, vector in state.vectors.items() if h in passages}
        state.questions = {h: vector for h, vector in state.questions.items() if h in questions}
        state.refused = {h: reason for h, reason in state.refused.items() if h in passages | questions}
        self.models = {model: state}

    async def unembedded(self, model: str, texts: Sequence[str]) -> Sequence[str]:
        """Return which of these texts have no vector."""
        state = self.models.get(model, MemoryModel())
        return [h for h in texts if h not in state.vectors and h not in state.questions]

    async def questions_of(self, texts: Sequence[str]) -> Mapping[str, str]:
        """Return those of these texts that are everyday questions, by hash."""
        return {q.content_hash: q.question for q in self.questions if q.content_hash in texts}

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

    async def store(self, model: str, asked: Sequence[str], answer: Answer) -> None:
        """Answer a request."""
        if (state := self.models.get(model)) is None:
            return
        state.vectors = {**answer.passages, **state.vectors}
        state.questions = {**answer.questions, **state.questions}
        state.requests.difference_update(asked)
        state.refused.update(answer.refused)

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
