"""Asking for what is near, as far as it can be had."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from lovsvar_embedder.in_memory import FakeEmbedder
from lovsvar_search.adapters.retrieval.question_embedder import LONGEST, REMEMBERED, RememberingEmbedder
from lovsvar_search.core.errors import StoreUnavailable
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.retrieval.vector_search import MeaningSearch, Near

FOUND = Near({1: 0.9})


@dataclass
class FakeVectors:
    """Vectors of one model."""

    model: str | None = "fake"
    failure: Exception | None = None
    asked: list[tuple[str, Sequence[float], Filters]] = field(default_factory=list)

    async def serving_model(self) -> str | None:
        return self.model

    async def near(self, model: str, vector: Sequence[float], filters: Filters) -> Near:
        if self.failure:
            raise self.failure
        self.asked.append((model, vector, filters))
        return FOUND


async def ask(meaning: MeaningSearch[Filters], question: str, filters: Filters) -> Near | None:
    return await meaning.near(await meaning.vector(question), filters)


async def test_the_vectors_of_the_embedders_own_model_are_asked_under_the_filters() -> None:
    vectors, embedder, filters = FakeVectors(), FakeEmbedder(), Filters(years=(1999, 1999))
    assert await ask(MeaningSearch(vectors, RememberingEmbedder(embedder)), "depositum", filters) is FOUND
    [vector] = await FakeEmbedder().embed_queries(["depositum"])
    assert vectors.asked == [("fake", vector, filters)]


@pytest.mark.parametrize("model", [None, "another"])
async def test_without_vectors_of_that_model_nothing_is_embedded_and_words_decide(model: str | None) -> None:
    embedder = FakeEmbedder()
    meaning = MeaningSearch(FakeVectors(model), RememberingEmbedder(embedder))
    assert await ask(meaning, "depositum", Filters()) is None
    assert embedder.queries == []


async def test_without_an_embedder_words_decide() -> None:
    assert await ask(MeaningSearch(FakeVectors(), None), "depositum", Filters()) is None


async def test_while_the_embedder_or_the_store_is_down_words_decide() -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    meaning = MeaningSearch(vectors, RememberingEmbedder(embedder))
    embedder.down = True
    assert await ask(meaning, "depositum", Filters()) is None
    embedder.down, vectors.failure = False, StoreUnavailable("nede")
    assert await ask(meaning, "depositum", Filters()) is None
    vectors.failure = None
    assert await ask(meaning, "depositum", Filters()) is FOUND


async def test_a_text_that_the_embedder_refuses_is_searched_by_words() -> None:
    meaning = MeaningSearch(FakeVectors(), RememberingEmbedder(FakeEmbedder(refuses=["depositum"])))
    assert await ask(meaning, "depositum", Filters()) is None


async def test_a_question_asked_again_is_not_embedded_again_until_many_others_were_asked() -> None:
    embedder = FakeEmbedder()
    remembering = RememberingEmbedder(embedder)
    first = await remembering.embed("depositum")
    assert await remembering.embed("  depositum\n") == first
    assert embedder.queries == ["depositum"]
    for n in range(REMEMBERED):
        await remembering.embed(f"spørsmål {n}")
    await remembering.embed("depositum")
    assert embedder.queries.count("depositum") == 2


async def test_what_no_model_takes_is_left_out_of_a_question() -> None:
    embedder = FakeEmbedder()
    await RememberingEmbedder(embedder).embed("de\ud800positum " + "x" * 5_000)
    assert len(embedder.queries[0]) == LONGEST
    assert embedder.queries[0].startswith("depositum x")


async def test_a_question_that_grows_when_it_is_normalised_is_cut_after_that() -> None:
    """A native tokenizer that normalises by itself wrote past its memory."""
    embedder = FakeEmbedder()
    await RememberingEmbedder(embedder).embed("\ufdfa" * 100)
    [given] = embedder.queries
    assert len(given) == LONGEST
    assert unicodedata.is_normalized("NFKC", given)
