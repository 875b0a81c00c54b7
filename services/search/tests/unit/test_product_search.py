"""Finding products: what is shown of them, what fits, and in which order. The index is the real one."""

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from lovsvar_contracts.catalogues import FindProducts, ProductHit, ProductHits, ReadCatalogues, ReadProducts
from lovsvar_contracts.search import SearchMode
from lovsvar_embedder.similarity import SimilarityScale, SimilarityScales
from lovsvar_search.adapters.catalogues.in_memory import InMemoryCatalogues, texts_of
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.core.catalogues.catalogue_follower import CatalogueFollower, EmbeddingModel
from lovsvar_search.core.catalogues.collection import StoredProduct
from lovsvar_search.core.catalogues.definition import Definition, Weights
from lovsvar_search.core.catalogues.product_search import ProductSearch
from lovsvar_search.core.errors import MeaningUnavailable, NotFound
from lovsvar_testkit.waiting import until

SCALES = SimilarityScales(SimilarityScale(0.0, 0.8), SimilarityScale(0.0, 0.8))
RECOMMENDED = Definition(no_price="Prijs op aanvraag", recommend=2)


def product(name: str, problems: Sequence[str] = (), **more: Any) -> StoredProduct:
    known: dict[str, Any] = {
        "product_id": name.split(maxsplit=1)[0].lower(),
        "description": "",
        "price": "Prijs op aanvraag",
        "amount": None,
        "url": f"https://arbeidshulp.example/{name.split(maxsplit=1)[0].lower()}",
        "category": "",
        "attributes": {},
    }
    return StoredProduct(name=name, problems=tuple(problems), **known | more)


COACHING = product(
    "Herstelcoaching",
    ["burn-out", "opgebrand en uitgeput"],
    description="Begeleiding bij herstel. " * 20,
    price="Vanaf € 2.500",
    amount=2500.0,
    category="Coaching",
    attributes={"vorm": ["online", "op locatie"]},
)
PHYSIO = product("Fysiotherapie", ["rugklachten", "pijn in de nek"], category="Fysiek", price="€ 60", amount=60.0)
CHAIR = product(
    "Bureaustoel op maat",
    ["rugpijn door zitten", "klachten door een slechte stoel"],
    category="Fysiek",
    price="€ 900",
    amount=900.0,
)
MEDIATION = product("Mediation", ["ruzie met een collega"])
STOCK = (COACHING, PHYSIO, CHAIR, MEDIATION)


@dataclass
class KnownQuestions:
    """Knows the vectors of some questions, and makes one that is near nothing of others (`QuestionEmbedder`)."""

    model: str = "model"
    vectors: dict[str, Sequence[float]] = field(default_factory=dict)
    down: bool = False

    async def embed(self, question: str) -> Sequence[float]:
        if self.down:
            raise MeaningUnavailable("nede")
        return self.vectors.get(question, axis(9))


def axis(*numbers: int) -> list[float]:
    """A vector that is half, a third … each of these directions."""
    vector = np.zeros(10)
    vector[list(numbers)] = 1.0
    return list(vector / np.linalg.norm(vector))


@dataclass
class World:
    """A catalogue or more, served."""

    store: InMemoryCatalogues
    embedder: KnownQuestions
    follower: CatalogueFollower
    search: ProductSearch

    async def served(self, version: int, embedded: int = 0) -> None:
        """Wait until this version is served of some catalogue, and as many items have vectors."""

        async def done() -> bool:
            counts = self.follower.counts()
            newest = max((one.version for one in counts), default=0)
            return newest >= version and sum(one.embedded for one in counts) >= embedded

        await until(done)

    async def find(self, query: str, **more: Any) -> ProductHits:
        return await self.search.find(FindProducts(query=query, **more))

    async def ids(self, query: str, **more: Any) -> list[str]:
        return [hit.product_id for hit in (await self.find(query, **more)).hits]


@contextlib.asynccontextmanager
async def world(embeds: bool = False) -> AsyncIterator[World]:
    store, embedder = InMemoryCatalogues(), KnownQuestions()
    follower = CatalogueFollower(
        store,
        lambda collection: TantivyIndex(IndexFolder(None), collection),
        EmbeddingModel(embedder, SCALES) if embeds else None,
        poll_seconds=0.01,
    )
    await follower.start()
    yield World(store, embedder, follower, ProductSearch(follower, store))
    await follower.stop()


@contextlib.asynccontextmanager
async def stocked(*products: StoredProduct, definition: Definition = RECOMMENDED) -> AsyncIterator[World]:
    """The stock, searched by words."""
    async with world() as one:
        await one.served(one.store.sync("arbeidshulp", "nl", products or STOCK, definition))
        yield one


@contextlib.asynccontextmanager
async def embedded(
    vectors: Mapping[str, Sequence[float]], definition: Definition = RECOMMENDED, without: Sequence[str] = ()
) -> AsyncIterator[World]:
    """The stock with vectors, those that are not named near nothing; no text of the products `without` has one."""
    async with world(embeds=True) as one:
        texts = {text: one_of for one_of in STOCK if one_of.product_id not in without for text in texts_of(one_of)}
        one.store.embed({text: np.array(vectors.get(text, axis(8)), np.float32) for text in texts})
        version = one.store.sync("arbeidshulp", "nl", STOCK, definition)
        await one.served(version, len(STOCK) - len(without))
        yield one


async def hit_of(one: World, query: str, **more: Any) -> ProductHit:
    return (await one.find(query, **more)).hits[0]


async def test_a_description_is_cut_at_200_characters_and_says_so() -> None:
    async with stocked() as one:
        hit = await hit_of(one, "burn-out")
        assert len(hit.description) == 203
        assert hit.description == COACHING.description[:200] + "..."
        assert (await hit_of(one, "rugklachten")).description == PHYSIO.description


async def test_similarity_has_two_decimals_and_is_a_share() -> None:
    async with stocked() as one:
        for query in ("burn-out", "opgebrand", "pijn", "klachten door lang zitten op kantoor"):
            for hit in (await one.find(query)).hits:
                assert 0.0 < hit.similarity <= 1.0
                assert round(hit.similarity, 2) == hit.similarity


async def test_a_price_is_in_the_catalogues_words_or_its_words_for_none() -> None:
    async with stocked() as one:
        assert (await hit_of(one, "burn-out")).price == "Vanaf € 2.500"
        assert (await hit_of(one, "ruzie met mijn collega")).price == "Prijs op aanvraag"


async def test_a_hit_has_the_link_the_category_and_the_problems_of_the_item() -> None:
    async with stocked() as one:
        hit = await hit_of(one, "ik ben opgebrand")
        assert (hit.catalogue, hit.product_id, hit.name) == ("arbeidshulp", "herstelcoaching", "Herstelcoaching")
        assert (hit.url, hit.category, hit.problem_mappings) == (COACHING.url, "Coaching", COACHING.problems)
        assert hit.matched_problems == ("opgebrand en uitgeput",)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("behandeling van rugklachten", "fysiotherapie"),
        ("pijn aan mijn rug door het zitten", "bureaustoel"),
        ("ik heb last van mijn nek", "fysiotherapie"),
        ("nekpijn", "fysiotherapie"),
        ("collega's maken ruzie", "mediation"),
        ("welke bureaustoelen zijn er", "bureaustoel"),
    ],
)
async def test_dutch_words_meet_their_other_forms_and_the_compounds_they_are_in(query: str, first: str) -> None:
    async with stocked() as one:
        assert (await one.ids(query))[0] == first


@pytest.mark.parametrize("query", ["zonnepanelen", "wie won het wereldkampioenschap", "?!", "de het een"])
async def test_nothing_that_fits_gives_no_hits(query: str) -> None:
    async with stocked() as one:
        found = await one.find(query)
        assert (found.hits, found.searched) == ((), ("arbeidshulp",))
    async with embedded({}) as one:
        assert (await one.find(query)).hits == ()


@pytest.mark.parametrize(
    ("demands", "found"),
    [
        ({}, {"fysiotherapie", "bureaustoel"}),
        ({"category": " fysiek "}, {"fysiotherapie", "bureaustoel"}),
        ({"category": "Coaching"}, set()),
        ({"max_price": 60}, {"fysiotherapie"}),
        ({"min_price": 60.01}, {"bureaustoel"}),
        ({"min_price": 100, "max_price": 200}, set()),
        ({"attributes": {"vorm": "online"}}, set()),
    ],
)
async def test_a_product_must_meet_every_demand(demands: dict[str, Any], found: set[str]) -> None:
    async with stocked() as one:
        assert set(await one.ids("klachten", **demands)) == found
    every = {text: axis(1) for each in STOCK for text in texts_of(each)}
    async with embedded(every) as one:
        one.embedder.vectors["x"] = axis(1)
        by_meaning = set(await one.ids("x", **demands))
        assert by_meaning >= found
        if "category" in demands or "max_price" in demands or "min_price" in demands:
            assert by_meaning <= found | {"herstelcoaching"}


async def test_an_attribute_of_several_values_meets_a_demand_for_any() -> None:
    async with stocked() as one:
        for value in ("online", "Op locatie"):
            assert await one.ids("burn-out", attributes={"vorm": value}) == ["herstelcoaching"]
        assert await one.ids("burn-out", attributes={"vorm": "online", "duur": "kort"}) == []


async def test_a_product_without_a_price_is_in_no_range_of_prices() -> None:
    async with stocked() as one:
        assert await one.ids("ruzie") == ["mediation"]
        assert await one.ids("ruzie", min_price=0) == []


async def test_the_best_are_returned_and_no_more_than_asked_for() -> None:
    async with stocked(*(product(f"Cursus{n} timmeren", ["timmeren"]) for n in range(20))) as one:
        assert len(await one.ids("timmeren")) == 5
        assert len(await one.ids("timmeren", limit=10)) == 10
        assert await one.ids("timmeren", limit=1) == (await one.ids("timmeren"))[:1]


async def test_a_problem_that_is_near_what_is_asked_finds_its_product_without_a_word_of_it() -> None:
    async with embedded({"opgebrand en uitgeput": axis(1), "burn-out": axis(1, 2, 3, 4, 5)}) as one:
        one.embedder.vectors["batterij leeg"] = axis(1)
        found = await one.find("batterij leeg", explain=True)
        [hit] = found.hits
        assert not found.words_alone
        assert (hit.product_id, hit.matched_problems) == ("herstelcoaching", ("opgebrand en uitgeput",))
        assert hit.score_parts == {"words": 0.0, "meaning": pytest.approx(0.7)}
        assert hit.similarity == 0.49


async def test_what_is_only_somewhat_near_a_problem_has_to_meet_its_words_too() -> None:
    async with embedded({"pijn in de nek": axis(1, 2, 3)}) as one:
        one.embedder.vectors |= dict.fromkeys(["batterij leeg", "nek pijn"], axis(1))
        assert await one.ids("batterij leeg") == []
        assert await one.ids("nek pijn") == ["fysiotherapie"]
        assert await one.ids("batterij leeg", mode=SearchMode.VECTOR) == ["fysiotherapie"]


async def test_weights_of_the_catalogue_decide_between_words_and_meaning() -> None:
    vectors = {"ruzie met een collega": axis(1), "pijn in de nek": axis(1, 2)}
    for weights, first in ((Weights(meaning=0.9, words=0.1), "mediation"), (Weights(meaning=0.1, words=0.9), "fysio")):
        async with embedded(vectors, Definition(weights=weights)) as one:
            one.embedder.vectors["nek pijn"] = axis(1)
            best = await hit_of(one, "nek pijn", explain=True)
            assert best.product_id.startswith(first)
            assert best.score_parts is not None
            parts = weights.words * best.score_parts["words"] + weights.meaning * best.score_parts["meaning"]
            assert best.similarity == pytest.approx(parts, abs=0.006)


async def test_words_alone_are_searched_where_vectors_are_missing_and_that_is_said() -> None:
    async with stocked() as one:
        assert (await one.find("ruzie")).words_alone
    async with embedded({}) as one:
        assert not (await one.find("ruzie")).words_alone
        assert (await one.find("ruzie", mode=SearchMode.LEXICAL)).words_alone
        one.embedder.down = True
        found = await one.find("ruzie")
        assert (found.words_alone, [hit.product_id for hit in found.hits]) == (True, ["mediation"])


async def test_an_item_without_a_vector_yet_is_ranked_by_its_words() -> None:
    async with embedded({"rugpijn door zitten": axis(1, 2, 3, 4)}, without=["fysiotherapie"]) as one:
        one.embedder.vectors["rugklachten"] = axis(1)
        hit = await hit_of(one, "rugklachten", explain=True)
        assert hit.product_id == "fysiotherapie"
        assert hit.score_parts is not None
        assert hit.similarity == round(hit.score_parts["words"], 2)


async def test_meaning_alone_finds_nothing_by_words() -> None:
    async with embedded({"ruzie met een collega": axis(1)}) as one:
        one.embedder.vectors["rugklachten"] = axis(1)
        assert await one.ids("rugklachten", mode=SearchMode.VECTOR) == ["mediation"]


async def test_several_catalogues_are_searched_as_one_and_the_unknown_are_named() -> None:
    async with stocked() as one:
        await one.served(one.store.sync("elders", "nl", [PHYSIO, MEDIATION], RECOMMENDED))
        both = await one.find("rugklachten")
        assert {hit.catalogue for hit in both.hits} == {"arbeidshulp", "elders"}
        assert [hit.similarity for hit in both.hits] == sorted((hit.similarity for hit in both.hits), reverse=True)
        some = await one.find("rugklachten", catalogues=("elders", "nergens", "nergens"))
        assert ({hit.catalogue for hit in some.hits}, some.unknown) == ({"elders"}, ("nergens",))
        assert some.searched == ("elders",)


async def test_a_catalogue_is_described_by_its_own_settings() -> None:
    async with stocked() as one:
        [described] = (await one.search.catalogues(ReadCatalogues())).catalogues
        assert (described.items, described.no_price, described.recommend) == (4, "Prijs op aanvraag", 2)
        assert described.categories == ("Coaching", "Fysiek")


async def test_products_are_read_whole_and_only_of_what_is_served() -> None:
    async with stocked() as one:
        asked = ReadProducts(catalogue="arbeidshulp", product_ids=("mediation", "nergens", "herstelcoaching"))
        read = (await one.search.read(asked)).products
        assert [one_of.product_id for one_of in read] == ["mediation", "herstelcoaching"]
        assert read[1].description == COACHING.description
        with pytest.raises(NotFound, match="nergens"):
            await one.search.read(ReadProducts(catalogue="nergens", product_ids=("mediation",)))


Holds = Callable[[World], bool]


async def becomes(one: World, holds: Holds) -> None:
    async def held() -> bool:
        return holds(one)

    await until(held)


async def test_a_catalogue_that_is_delisted_or_changes_its_language_is_followed() -> None:
    async with stocked() as one:
        version = one.store.sync("arbeidshulp", "nb", [product("Ryggskole", ["vondt i ryggen"])], RECOMMENDED)
        await one.served(version)
        assert await one.ids("ryggvondt") == ["ryggskole"]
        del one.store.held["arbeidshulp"]
        await becomes(one, lambda one: not one.follower.counts())
        assert (await one.find("ryggvondt", catalogues=("arbeidshulp",))).unknown == ("arbeidshulp",)


async def test_what_is_served_stays_served_while_the_database_does_not_answer() -> None:
    async with stocked() as one:
        one.store.down = True
        await becomes(one, lambda one: bool(one.follower._trouble))
        assert await one.ids("ruzie") == ["mediation"]
        one.store.down = False
        await one.served(one.store.sync("arbeidshulp", "nl", [PHYSIO], RECOMMENDED))
        assert await one.ids("ruzie") == []


async def test_a_catalogue_in_no_known_language_says_why_and_keeps_nothing_from_the_others() -> None:
    async with stocked() as one:
        held = one.store.held["arbeidshulp"]
        stored = held.catalogue
        one.store.held["tale"] = type(held)(
            type(stored)(**{**vars(stored), "catalogue": "tale", "language": "xx"}), (), frozenset()
        )
        await becomes(one, lambda one: len(one.follower.counts()) == 2)
        assert "xx" in {count.catalogue: count.trouble for count in one.follower.counts()}["tale"]
        assert await one.ids("ruzie") == ["mediation"]


async def test_vectors_that_cannot_be_taken_in_keep_nothing_from_the_other_catalogues() -> None:
    async with world(embeds=True) as one:
        odd = product("Odd", ["a", "b"])
        sizes = {text: np.ones(size, np.float32) for size, text in enumerate(texts_of(odd), 1)}
        one.store.embed(sizes | {text: np.array(axis(8), np.float32) for text in texts_of(PHYSIO)})
        one.store.sync("a-odd", "nl", [odd], RECOMMENDED)
        await one.served(one.store.sync("arbeidshulp", "nl", [PHYSIO], RECOMMENDED), embedded=1)
        assert {count.catalogue: count.embedded for count in one.follower.counts()} == {"a-odd": 0, "arbeidshulp": 1}
