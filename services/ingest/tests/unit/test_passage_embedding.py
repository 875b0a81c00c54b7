"""Planning and embedding, on stand-ins for the store, the queue and the embedder."""

import json
from typing import Any

import pytest

from lovsvar_contracts.ingest import EmbeddingRequested
from lovsvar_contracts.law import LawType
from lovsvar_embedder.errors import EmbedderUnavailable
from lovsvar_embedder.in_memory import FakeEmbedder
from lovsvar_ingest.adapters.in_memory_embeddings import MemoryDocument, MemoryEmbeddings, MemoryQueue
from lovsvar_ingest.core.embedding_ports import Answer, Missing
from lovsvar_ingest.core.errors import OtherModelWanted
from lovsvar_ingest.core.everyday import EverydayQuestion
from lovsvar_ingest.core.passage_embedding import (
    BATCH,
    FULL,
    LOW,
    Planned,
    abandon_texts,
    embed_texts,
    request_embedding,
    shared_out,
)
from lovsvar_ingest.core.passages import SectionText


class World:
    """A store, a queue and an embedder."""

    def __init__(self) -> None:
        self.store = MemoryEmbeddings()
        self.queue = MemoryQueue()
        self.embedder = FakeEmbedder()

    def put(self, refid: str, *texts: str, law_type: LawType = LawType.LOV, day: int = 0, act: str = "") -> None:
        """Store a document with one provision for each text."""
        sections = [
            SectionText(refid, f"§{n}", act or refid, f"§ {n}.", "", json.dumps([{"kind": "ledd", "text": text}]))
            for n, text in enumerate(texts, 1)
        ]
        self.store.documents[refid] = MemoryDocument(repr(texts), sections, law_type, day)

    def put_question(self, question: str, *targets: tuple[str, str]) -> EverydayQuestion:
        """Store an everyday question."""
        self.store.questions.append(EverydayQuestion("nb", question, targets))
        return self.store.questions[-1]

    async def plan(self, **fields: Any) -> Planned:
        return await request_embedding(self.embedder.model, self.store, self.queue, **fields)

    async def work(self) -> None:
        """Handle all that waits."""
        while self.queue.requests:
            await embed_texts(self.queue.requests[0], self.store, self.embedder)
            self.queue.requests.pop(0)

    @property
    def vectors(self) -> dict[str, Any]:
        return self.store.models[self.embedder.model].vectors


@pytest.fixture
def world() -> World:
    return World()


def texts(world: World) -> list[str]:
    """What was embedded, in order, without the line of context."""
    return [text.split("\n", 1)[1] for text in world.embedder.passages]


async def test_everything_is_embedded_once(world: World) -> None:
    world.put("lov/1", "Første regel.", "Andre regel.")
    assert await world.plan() is Planned.UNDER_WAY
    assert await world.plan() is Planned.UNDER_WAY
    assert len(world.queue.requests) == 1
    await world.work()
    assert await world.plan() is Planned.COMPLETE
    assert sorted(texts(world)) == ["Andre regel.", "Første regel."]
    assert world.store.models["fake"].complete


async def test_new_goes_before_old_laws_before_regulations_short_before_long(world: World) -> None:
    world.put("forskrift/1", "kort", law_type=LawType.FORSKRIFT)
    world.put("vedtak/1", "k", law_type=LawType.VEDTAK)
    world.put("lov/1", "lang " * 20, "middels lang")
    world.put("forskrift/2", "ny forskrift", law_type=LawType.FORSKRIFT, day=1)
    await world.plan()
    await world.work()
    assert texts(world) == ["ny forskrift", "middels lang", "lang " * 20, "kort", "k"]


async def test_a_text_that_stands_in_many_documents_is_embedded_once(world: World) -> None:
    for n in range(5):
        world.put(f"lov/{n}", "Samme.", act="Samme lov")
    await world.plan()
    await world.work()
    assert len(world.embedder.passages) == 1
    assert await world.plan() is Planned.COMPLETE


async def test_the_queue_is_filled_when_it_runs_low_and_not_before(world: World) -> None:
    world.put("lov/1", *(f"Regel {n}." for n in range((FULL + 30) * BATCH)))
    await world.plan()
    assert len(world.queue.requests) == FULL
    assert all(len(request.passages) == BATCH for request in world.queue.requests)
    del world.queue.requests[LOW:]
    await world.plan()
    assert len(world.queue.requests) == LOW
    del world.queue.requests[LOW - 1 :]
    await world.plan()
    assert len(world.queue.requests) == FULL
    asked = [content_hash for request in world.queue.requests for content_hash in request.passages]
    assert len(asked) == len(set(asked))


async def test_requests_that_were_lost_are_made_again(world: World) -> None:
    world.put("lov/1", "Regel.")
    await world.plan()
    await world.queue.clear()
    await world.plan()
    await world.work()
    assert await world.plan() is Planned.COMPLETE


async def test_only_what_changed_is_embedded_again_and_what_left_is_forgotten(world: World) -> None:
    world.put("lov/1", "Blir.", "Endres.")
    world.put("lov/2", "Oppheves.")
    await world.plan()
    await world.work()
    world.embedder.passages.clear()
    world.put("lov/1", "Blir.", "Endret.")
    del world.store.documents["lov/2"]
    await world.plan()
    await world.work()
    assert texts(world) == ["Endret."]
    assert await world.plan() is Planned.COMPLETE
    assert len(world.vectors) == 2


async def test_what_changed_since_it_was_asked_for_is_left_out(world: World) -> None:
    world.put("lov/1", "Gammel.", "Blir.")
    await world.plan()
    world.put("lov/1", "Ny.", "Blir.")
    await world.work()
    assert texts(world) == ["Blir."]
    await world.plan()
    await world.work()
    assert texts(world) == ["Blir.", "Ny."]


async def test_a_request_that_comes_twice_is_done_once(world: World) -> None:
    world.put("lov/1", "Regel.")
    await world.plan()
    [request] = world.queue.requests
    assert await embed_texts(request, world.store, world.embedder) == 1
    assert await embed_texts(request, world.store, world.embedder) == 0
    assert len(world.embedder.passages) == 1


async def test_an_earlier_model_serves_until_the_new_one_is_complete(world: World) -> None:
    world.put("lov/1", "Regel.", "Annen regel.")
    await world.plan()
    await world.work()
    await world.plan()
    world.embedder = FakeEmbedder("ny", dimensions=4)
    assert await world.plan() is Planned.UNDER_WAY
    assert len(world.store.models["fake"].vectors) == 2
    await world.work()
    assert set(world.store.models) == {"fake", "ny"}
    assert await world.plan() is Planned.COMPLETE
    assert set(world.store.models) == {"ny"}
    assert len(world.vectors) == 2


async def test_requests_for_an_earlier_model_are_dropped(world: World) -> None:
    world.put("lov/1", "Regel.")
    await world.plan()
    world.embedder = FakeEmbedder("ny")
    await world.plan()
    assert [request.model for request in world.queue.requests] == ["ny"]


async def test_a_worker_leaves_requests_for_another_model_alone(world: World) -> None:
    request = EmbeddingRequested(model="en annen", passages=("0" * 64,))
    with pytest.raises(OtherModelWanted, match="en annen"):
        await embed_texts(request, world.store, world.embedder)


async def test_while_a_sync_is_under_way_nothing_is_asked_for(world: World) -> None:
    for n in range(50):
        world.put(f"lov/{n}", f"Regel {n}.")
    answers = iter([False, False, True])
    assert await world.plan(paused=lambda: next(answers)) is Planned.LEFT
    assert (len(world.store.cuts), world.queue.requests) == (40, [])
    assert await world.plan(paused=lambda: True) is Planned.LEFT
    assert await world.plan() is Planned.UNDER_WAY
    assert len(world.store.cuts) == 50


async def test_one_process_plans_at_a_time(world: World) -> None:
    world.put("lov/1", "Regel.")
    async with world.store.planning():
        assert await world.plan() is Planned.LEFT
    assert await world.plan() is Planned.UNDER_WAY


async def test_a_refused_text_is_found_and_does_not_keep_the_others_back(world: World) -> None:
    world.embedder = FakeEmbedder(refuses={"Regel 11.", "Regel 30."})
    world.put("lov/1", *(f"Regel {n}." for n in range(40)))
    await world.plan()
    await world.work()
    assert len(world.vectors) == 38
    assert list(world.store.models["fake"].refused.values()) == ["for lang", "for lang"]
    assert await world.plan() is Planned.COMPLETE
    assert world.queue.requests == []


async def test_an_embedder_that_is_down_loses_nothing(world: World) -> None:
    world.put("lov/1", "Regel.")
    await world.plan()
    world.embedder.down = True
    with pytest.raises(EmbedderUnavailable):
        await world.work()
    world.embedder.down = False
    await world.work()
    assert await world.plan() is Planned.COMPLETE


async def test_passages_that_failed_each_time_are_not_asked_for_again(world: World) -> None:
    world.put("lov/1", "Regel.", "Annen regel.")
    await world.plan()
    [request] = world.queue.requests
    [first, second] = request.passages
    await world.store.store("fake", [first], Answer({first: [0.0]}))
    await abandon_texts(request, "krasjet", world.store)
    await world.queue.clear()
    assert await world.plan() is Planned.COMPLETE
    assert world.store.models["fake"].refused == {second: "krasjet"}


async def test_an_empty_corpus_completes_no_model(world: World) -> None:
    assert await world.plan() is Planned.COMPLETE
    assert not world.store.models["fake"].complete


async def test_questions_go_before_passages_short_before_long_and_are_embedded_as_questions(world: World) -> None:
    world.put("lov/1", "Regel.", day=1)
    long = world.put_question("Hva gjør jeg når naboen bråker om natten?", ("lov/1", "§1"))
    short = world.put_question("Naboen bråker", ("lov/2", "§1"), ("lov/1", "§1"))
    await world.plan()
    assert world.queue.requests[0].passages[:2] == (short.content_hash, long.content_hash)
    await world.work()
    assert world.embedder.queries == ["Naboen bråker", "Hva gjør jeg når naboen bråker om natten?"]
    assert texts(world) == ["Regel."]
    assert world.store.models["fake"].questions.keys() == {short.content_hash, long.content_hash}
    assert len(world.vectors) == 1
    assert await world.plan() is Planned.COMPLETE


async def test_a_question_is_embedded_once_what_answers_it_is_stored(world: World) -> None:
    world.put("lov/1", "Regel.")
    world.put_question("Får jeg dra tidlig?", ("lov/2", "§1"))
    await world.plan()
    await world.work()
    assert await world.plan() is Planned.COMPLETE
    assert world.embedder.queries == []
    world.put("lov/2", "Annen regel.")
    await world.plan()
    await world.work()
    assert world.embedder.queries == ["Får jeg dra tidlig?"]


async def test_vectors_of_questions_stay_until_the_questions_are_gone(world: World) -> None:
    world.put("lov/1", "Regel.")
    world.put_question("Blir dette stående?", ("lov/1", "§1"))
    world.put_question("Forsvinner dette?", ("lov/1", "§1"))
    await world.plan()
    await world.work()
    await world.plan()
    del world.store.questions[1]
    del world.store.documents["lov/1"]
    world.put("lov/2", "Regel.")
    await world.plan()
    await world.work()
    assert await world.plan() is Planned.COMPLETE
    assert world.store.models["fake"].questions.keys() == {world.store.questions[0].content_hash}


async def test_a_refused_question_does_not_keep_passages_back(world: World) -> None:
    world.embedder = FakeEmbedder(refuses={"nei"})
    world.put("lov/1", "Regel.")
    refused = world.put_question("Er nei et svar?", ("lov/1", "§1"))
    await world.plan()
    await world.work()
    assert world.store.models["fake"].refused == {refused.content_hash: "for lang"}
    assert texts(world) == ["Regel."]
    assert await world.plan() is Planned.COMPLETE


async def test_a_question_that_left_since_it_was_asked_for_is_left_out(world: World) -> None:
    world.put("lov/1", "Regel.")
    world.put_question("Er det noe i veien?", ("lov/1", "§1"))
    await world.plan()
    world.store.questions.clear()
    await world.work()
    assert world.embedder.queries == []
    assert await world.plan() is Planned.COMPLETE


async def test_problems_of_products_are_embedded_as_questions_and_a_model_with_all_of_the_law_is_complete_before(
    world: World,
) -> None:
    world.put("lov/1", "Regel.")
    world.store.products = {f"{n:064x}": f"Tilbud {n}" for n in range(BATCH + 1)}
    world.store.problems = {f"{BATCH:064x}"}
    assert await world.plan() is Planned.UNDER_WAY
    law, *products = world.queue.requests
    assert (len(law.passages), [len(request.passages) for request in products]) == (1, [BATCH, 1])
    await embed_texts(law, world.store, world.embedder)
    world.queue.requests.remove(law)
    assert not world.store.models["fake"].complete
    assert await world.plan() is Planned.UNDER_WAY
    assert world.store.models["fake"].complete
    await world.work()
    assert await world.plan() is Planned.COMPLETE
    assert world.store.models["fake"].products.keys() == world.store.products.keys()
    assert "Tilbud 7" in world.embedder.passages
    assert world.embedder.queries == [f"Tilbud {BATCH}"]


def test_one_request_in_four_is_for_products_and_what_one_kind_leaves_the_other_has() -> None:
    law = [f"l{n}" for n in range(5 * BATCH)]
    products = [f"p{n}" for n in range(3 * BATCH)]

    def kinds(missing: Missing, room: int) -> str:
        return "".join(batch[0][0] for batch in shared_out(missing, room))

    assert kinds(Missing(law, products), 50) == "lllpllpp"
    assert kinds(Missing(law, products), 4) == "lllp"
    assert (kinds(Missing(law), 50), kinds(Missing((), products), 50)) == ("lllll", "ppp")
    assert kinds(Missing(), 50) == ""
