"""Fakes of the store of embeddings and the queue, for tests only."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_embedder.embedder import Vector
from lovsvar_ingest.core.embedding_ports import (
    Answer,
    CutDocument,
    EmbeddingPlans,
    EmbeddingQueue,
    EmbeddingStore,
    Missing,
    UncutDocument,
)
from lovsvar_ingest.core.everyday import EverydayQuestion
from lovsvar_ingest.core.passages import Passage, SectionText


@dataclass
class MemoryDocument:
    """A document as embedding sees it. `day` is the day on which it was stored, as a number."""

    content_hash: str
    sections: Sequence[SectionText]
    law_type: LawType = LawType.LOV
    day: int = 0


@dataclass
class MemoryModel:
    """The vectors and requests of a model."""

    vectors: dict[str, Vector] = field(default_factory=dict)
    questions: dict[str, Vector] = field(default_factory=dict)
    products: dict[str, Vector] = field(default_factory=dict)
    requests: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    complete: bool = False


class MemoryEmbeddings(EmbeddingStore, EmbeddingPlans):
    """Documents, questions, passages and vectors in dictionaries; `planning` yields the store itself."""

    def __init__(self) -> None:
        self.documents: dict[str, MemoryDocument] = {}
        self.questions: list[EverydayQuestion] = []
        self.products: dict[str, str] = {}
        """The texts of products by hash, in the order in which they are to be embedded."""
        self.problems: set[str] = set()
        """The hashes of those of them that are problems."""
        self.models: dict[str, MemoryModel] = {}
        self.cuts: dict[str, tuple[CutDocument, int]] = {}
        self._planning = False

    @contextlib.asynccontextmanager
    async def planning(self) -> AsyncIterator["MemoryEmbeddings | None"]:
        if self._planning:
            yield None
            return
        self._planning = True
        try:
            yield self
        finally:
            self._planning = False

    async def begin(self, model: str) -> bool:
        if list(self.models)[-1:] == [model]:
            return False
        self.models[model] = self.models.pop(model, MemoryModel())
        return True

    async def uncut(self, cutting: int, limit: int) -> Sequence[UncutDocument]:
        cut = {refid: (document.content_hash, version) for refid, (document, version) in self.cuts.items()}
        uncut = [(r, d) for r, d in self.documents.items() if cut.get(r) != (d.content_hash, cutting)]
        return [UncutDocument(refid, d.content_hash, d.sections) for refid, d in uncut[:limit]]

    async def store_cuts(self, documents: Sequence[CutDocument], cutting: int) -> None:
        self.cuts.update({document.refid: (document, cutting) for document in documents})

    async def drop_removed(self) -> None:
        self.cuts = {refid: cut for refid, cut in self.cuts.items() if refid in self.documents}

    async def missing(self, model: str, limit: int) -> Missing:
        state = self.models[model]
        vectors = state.vectors.keys() | state.questions.keys() | state.products.keys()
        done = vectors | state.requests | state.refused.keys()
        live = {(refid, s.section_key) for refid, document in self.documents.items() for s in document.sections}
        questions = [(len(q.question), q.content_hash) for q in self.questions if live.intersection(q.targets)]
        asked_first = [content_hash for _, content_hash in sorted(questions) if content_hash not in done]
        about = Counter(target for question in self.questions for target in question.targets)
        urgency: dict[str, tuple[int, ...]] = {}
        for refid, section_key, passage in self._passages():
            document = self.documents[refid]
            order = LAW_TYPE_ORDER.index(document.law_type)
            asked = -about[refid, section_key]
            key = (-document.day, asked, int(passage.number > 0), order, len(passage.text))
            urgency[passage.content_hash] = tuple(map(min, key, urgency.get(passage.content_hash, key)))
        passages = sorted(urgency.keys() - done, key=lambda content_hash: (*urgency[content_hash], content_hash))
        products = [content_hash for content_hash in self.products if content_hash not in done]
        return Missing([*asked_first, *passages][:limit], products[:limit])

    async def law_is_done(self, model: str) -> bool:
        state = self.models[model]
        return bool(self.cuts) and not state.complete and not state.requests - self.products.keys()

    async def note_requests(self, model: str, texts: Sequence[str]) -> None:
        self.models[model].requests.update(texts)

    async def forget_requests(self, model: str) -> None:
        self.models[model].requests.clear()

    async def complete(self, model: str) -> None:
        state = self.models[model]
        if not state.vectors and not state.questions and not state.products:
            return
        state.complete = True
        passages = {passage.content_hash for _, _, passage in self._passages()}
        questions = {question.content_hash for question in self.questions}
        state.vectors = {h: vector for h, vector in state.vectors.items() if h in passages}
        state.questions = {h: vector for h, vector in state.questions.items() if h in questions}
        state.products = {h: vector for h, vector in state.products.items() if h in self.products}
        texts = passages | questions | self.products.keys()
        state.refused = {h: reason for h, reason in state.refused.items() if h in texts}
        self.models = {model: state}

    async def unembedded(self, model: str, texts: Sequence[str]) -> Sequence[str]:
        state = self.models.get(model, MemoryModel())
        done = state.vectors.keys() | state.questions.keys() | state.products.keys()
        return [h for h in texts if h not in done]

    async def questions_of(self, texts: Sequence[str]) -> Mapping[str, str]:
        return {q.content_hash: q.question for q in self.questions if q.content_hash in texts}

    async def products_of(self, texts: Sequence[str], *, asked: bool) -> Mapping[str, str]:
        wanted = self.products.keys() & set(texts)
        return {key: self.products[key] for key in wanted if (key in self.problems) is asked}

    async def sections_of(self, passages: Sequence[str]) -> Sequence[SectionText]:
        wanted = {(refid, key) for refid, key, passage in self._passages() if passage.content_hash in passages}
        sections = (section for document in self.documents.values() for section in document.sections)
        return [section for section in sections if (section.refid, section.section_key) in wanted]

    async def store(self, model: str, asked: Sequence[str], answer: Answer) -> None:
        if (state := self.models.get(model)) is None:
            return
        state.vectors = {**answer.passages, **state.vectors}
        state.questions = {**answer.questions, **state.questions}
        state.products = {**answer.products, **state.products}
        state.requests.difference_update(asked)
        state.refused.update(answer.refused)

    def _passages(self) -> Iterator[tuple[str, str, Passage]]:
        """Yield every passage with its document and section key."""
        for refid, (cut, _) in self.cuts.items():
            for section_key, passages in cut.passages.items():
                yield from ((refid, section_key, passage) for passage in passages)


class MemoryQueue(EmbeddingQueue):
    """Requests in a list."""

    def __init__(self) -> None:
        self.requests: list[EmbeddingRequested] = []

    async def waiting(self) -> int:
        return len(self.requests)

    async def ask(self, request: EmbeddingRequested) -> None:
        self.requests.append(request)

    async def clear(self) -> None:
        self.requests.clear()
