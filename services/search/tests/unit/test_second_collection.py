"""A shop's products in Dutch and German: a collection of its own, on the machinery of retrieval alone."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lovsvar_embedder.similarity import SimilarityScale, SimilarityScales
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.core.retrieval.analysis import Analyzer, Compounds
from lovsvar_search.core.retrieval.collection import WORDS, Collection, Field, FilterKind, Meanings, convex_profile
from lovsvar_search.core.retrieval.corpus import Corpus, CorpusState, IndexSnapshot
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower
from lovsvar_search.core.retrieval.filters import Demand, Filters
from lovsvar_search.core.retrieval.items import Item, place_number
from lovsvar_search.core.retrieval.matching import Found, find_items
from lovsvar_search.core.retrieval.vector_search import MeaningSearch, Near, NearPassage


class Product(NamedTuple):
    """What a shop sells; `price` in cents."""

    code: str
    name: str
    description: str
    category: str
    price: int
    language: str = "nl"
    in_stock: bool = True


class Synonyms:
    """Other words of the trade (`Expansion`)."""

    def variants(self, term: str) -> Sequence[str]:
        return ["fiet"] if term == "rijwiel" else []

    def explain(self, words: Sequence[str]) -> Meanings:
        return Meanings({"schoen": 0.8}, {"bottin"}) if "bottines" in words else Meanings({}, frozenset())


def item_of(product: Product) -> Item:
    return Item(
        group=product.code,
        key="",
        texts={"name": (product.name,), "description": (product.description,)},
        filters={"category": (product.category,), "price": (product.price,), "in_stock": (product.in_stock,)},
        prior=1.0 if product.in_stock else 0.5,
        language=product.language,
        stored=product,
    )


PRODUCTS = Collection(
    name="products",
    version="1",
    title="Produktkatalogen",
    empty="Produktkatalogen er tom.",
    analyzers={
        "nl": Analyzer("dutch", asking=frozenset(["zoek", "ik", "welke"]), compounds=Compounds(("", "s", "en"))),
        "de": Analyzer("german"),
    },
    fields=(Field("name", 4, "name"), Field("description")),
    profile=convex_profile(),
    item=item_of,
    load=lambda data: Product(*data),
    filters={"category": FilterKind.NAME, "price": FilterKind.NUMBER, "in_stock": FilterKind.FLAG},
    headline="name",
    covered=("name", WORDS),
    expansion=Synonyms(),
)

CITY, CHILD, BOOTS, COAT, SOLD_OUT, GERMAN = STOCK = (
    Product("p1", "Stadsfiets", "Een lichte fiets voor elke dag, met verlichting.", "fietsen", 59_900),
    Product("p2", "Kinderfiets", "Fiets met zijwieltjes, voor kinderen van vier tot zes jaar.", "fietsen", 19_900),
    Product("p3", "Rubberen laarzen", "Waterdichte laarzen voor regen en modder.", "schoenen", 3_900),
    Product("p4", "Regenjas", "Jas die droog houdt op de fiets.", "kleding", 7_900),
    Product("p5", "Wandelschoenen", "Stevige schoenen voor bergen.", "schoenen", 12_900, in_stock=False),
    Product("p6", "Kinderfahrrad", "Fahrräder mit Stützrädern.", "fietsen", 24_900, "de"),
)


class Shop:
    """The stock in memory (`CorpusSource`), each version with the products that changed in it."""

    def __init__(self, *versions: Sequence[Product]) -> None:
        self.versions = list(versions)

    async def state(self) -> CorpusState:
        return CorpusState(len(self.versions), "shop")

    @contextlib.asynccontextmanager
    async def changes(self, since: int) -> AsyncIterator["ShopChanges"]:
        yield ShopChanges(
            await self.state(), list({one.code: one for version in self.versions[since:] for one in version}.values())
        )


@dataclass(frozen=True)
class ShopChanges:
    """What changed in a shop (`CorpusChanges`). What costs nothing is no longer sold."""

    state: CorpusState
    changed: Sequence[Product]

    async def companions(self) -> None:
        return None

    async def groups(self) -> Sequence[str]:
        return [product.code for product in self.changed]

    async def items(self) -> AsyncIterator[Sequence[Product]]:
        yield [product for product in self.changed if product.price]


def assemble(index: IndexSnapshot, companions: None, state: CorpusState) -> Corpus:
    return Corpus(PRODUCTS, index, state, index.items)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    index = TantivyIndex(IndexFolder(tmp_path_factory.mktemp("products")), PRODUCTS)
    index.reset()
    index.add(STOCK)
    yield assemble(index.commit("shop", 1), None, CorpusState(1, "shop"))
    index.close()


SCALES = SimilarityScales(SimilarityScale(0.2, 0.6), SimilarityScale(0.2, 0.6))


def near(**cosines: float) -> Near:
    """Return vectors' findings: cosines by the code of a product, 0.2 unrelated and 0.6 the same."""
    return Near({}, {place_number(code): NearPassage(cosine, None) for code, cosine in cosines.items()}, scales=SCALES)


def products(found: Found) -> list[Product]:
    return [product for _, product in found.page]


def weighted(corpus: Corpus, words: float, meaning: float) -> Corpus:
    return replace(corpus, collection=replace(PRODUCTS, profile=convex_profile(words, meaning)))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("fietsen", [CITY, CHILD, COAT]),
        ("zoek ik laarzen", [BOOTS]),
        ('"rubberen laarzen"', [BOOTS]),
        ("fietsje -kinderen -jas", [CITY]),
        ("laarzen OR schoenen", [BOOTS, SOLD_OUT]),
        ("fiets AND verlichting", [CITY]),
        ("regen jas", [COAT, BOOTS]),
        ("rijwiel", [CITY, CHILD, COAT]),
        ("goedkope wandelbottines", []),
        ("goedkope laarzen", [BOOTS]),
        ("modderr", [BOOTS]),
    ],
)
def test_products_are_found_by_dutch_words(corpus: Corpus, query: str, found: list[Product]) -> None:
    result = find_items(query, corpus)
    assert set(products(result)) == set(found)
    assert result.total == len(found)


def test_another_language_has_its_own_stems_and_words(corpus: Corpus) -> None:
    assert products(find_items("fahrrädern", corpus, language="de")) == [GERMAN]
    assert products(find_items("fahrrädern", corpus)) == []
    assert products(find_items("fiets", corpus, language="de")) == []


def test_a_name_says_more_than_a_description(corpus: Corpus) -> None:
    first, *_ = products(find_items("regenjas fiets", corpus))
    assert first == COAT


@pytest.mark.parametrize(
    ("demands", "found"),
    [
        ((Demand("category", ("fietsen",)),), {CITY, CHILD}),
        ((Demand("category", ("fietsen", "kleding")),), {CITY, CHILD, COAT}),
        ((Demand("price", high=20_000),), {CHILD, COAT}),
        ((Demand("price", low=10_000, high=20_000),), {CHILD}),
        ((Demand("category", ("fietsen",), wanted=False),), {COAT}),
        ((Demand("in_stock", (False,)),), set()),
        ((Demand("category", ()),), set()),
    ],
)
def test_filters_hold_for_what_words_find_and_for_what_meaning_finds(
    corpus: Corpus, demands: tuple[Demand, ...], found: set[Product]
) -> None:
    everything = near(**{product.code: 0.6 for product in (CITY, CHILD, COAT)})
    for vectors in (None, everything):
        assert set(products(find_items("fiets", corpus, vectors, Filters(own=demands)))) == found
    assert set(products(find_items("", corpus, filters=Filters(own=demands)))) == set()


def test_words_and_meaning_are_a_convex_combination_of_seven_and_three_tenths(corpus: Corpus) -> None:
    found = find_items("laarzen", corpus, near(p3=0.4, p5=0.6))
    values = {product: scored.parts(PRODUCTS.profile.signals) for scored, product in found.page}
    assert values[BOOTS]["meaning"] == pytest.approx(0.375)
    assert (values[SOLD_OUT]["words"], values[SOLD_OUT]["meaning"]) == (0.0, 0.75)
    for scored, product in found.page:
        parts = values[product]
        assert scored.score == pytest.approx(0.7 * parts["words"] + 0.3 * parts["meaning"])
        assert 0.0 <= scored.score <= 1.0


def test_other_weights_change_the_order(corpus: Corpus) -> None:
    vectors = near(p3=0.3, p5=0.6)
    assert products(find_items("laarzen", weighted(corpus, 0.7, 0.3), vectors))[0] == BOOTS
    assert products(find_items("laarzen", weighted(corpus, 0.3, 0.7), vectors))[0] == SOLD_OUT


def test_without_vectors_words_count_alone(corpus: Corpus) -> None:
    alone, weak = (find_items("laarzen", one).page[0][0].score for one in (corpus, weighted(corpus, 0.1, 0.9)))
    assert alone == weak > 0.5


@pytest.mark.parametrize("query", ["tafel", "asdfqwer", "", "?", "-fiets"])
def test_nothing_is_found_when_nothing_fits(corpus: Corpus, query: str) -> None:
    for vectors in (None, near(p1=0.2, p3=0.22)):
        assert find_items(query, corpus, vectors) == Found((), 0, None)


def test_pages_follow_each_other(corpus: Corpus) -> None:
    everything = products(find_items("fiets", corpus))
    pages = [products(find_items("fiets", corpus, page=page, page_size=2)) for page in (1, 2, 3)]
    assert pages == [everything[:2], everything[2:], []]


def test_weights_that_say_nothing_are_refused() -> None:
    for words, meaning in ((0.0, 0.0), (-1.0, 2.0)):
        with pytest.raises(ValueError, match="weights"):
            convex_profile(words, meaning)


def test_a_definition_that_contradicts_itself_is_refused() -> None:
    changes: Sequence[dict[str, Any]] = ({"headline": "description"}, {"covered": ("price",)}, {"analyzers": {}})
    for change in changes:
        with pytest.raises(ValueError, match="products"):
            replace(PRODUCTS, **change)


async def served(follower: CorpusFollower, version: int) -> Corpus:
    async with asyncio.timeout(10):
        await follower.reach(version)
    return follower.served


async def test_replicas_follow_the_shop_catch_up_after_a_gap_and_agree(tmp_path: Path) -> None:
    shop = Shop(STOCK)

    def replica(folder: str) -> CorpusFollower:
        return CorpusFollower(PRODUCTS, shop, TantivyIndex(IndexFolder(tmp_path / folder), PRODUCTS), assemble, 0.01)

    one, other = replica("one"), replica("other")
    await one.start()
    assert products(find_items("laarzen", await served(one, 1))) == [BOOTS]
    await one.stop()
    shop.versions += [[BOOTS._replace(price=0)], [COAT._replace(name="Regenlaarzen")]]
    # One takes in two versions that it missed, the other begins with nothing.
    one = replica("one")
    for follower in (one, other):
        await follower.start()
    found = [products(find_items("regenlaarzen", await served(follower, 3))) for follower in (one, other)]
    assert found[0] == found[1] == [COAT._replace(name="Regenlaarzen")]
    assert {follower.served.size for follower in (one, other)} == {len(STOCK) - 1}
    for follower in (one, other):
        await follower.stop()


async def test_an_empty_shop_says_so_in_its_own_words(tmp_path: Path) -> None:
    follower = CorpusFollower(PRODUCTS, Shop(), TantivyIndex(IndexFolder(tmp_path), PRODUCTS), assemble, 0.01)
    await follower.start()
    async with asyncio.timeout(10):
        await follower.able(True)
    assert follower.not_ready() == "Produktkatalogen er tom."
    await follower.stop()


@dataclass
class ShopVectors:
    """Vectors of products (`VectorStore`)."""

    asked: list[Filters] = field(default_factory=list)

    async def serving_model(self) -> str | None:
        return "model"

    async def near(self, model: str, vector: Sequence[float], filters: Filters) -> Near:
        self.asked.append(filters)
        return near(p5=vector[0])


class ShopEmbedder:
    """Makes the same vector of every question (`QuestionEmbedder`)."""

    model = "model"

    async def embed(self, question: str) -> Sequence[float]:
        return (0.6,)


async def test_what_is_near_in_meaning_is_found_without_a_word_of_the_query(corpus: Corpus) -> None:
    vectors, filters = ShopVectors(), Filters(own=(Demand("category", ("schoenen",)),))
    meaning: MeaningSearch[Filters] = MeaningSearch(vectors, ShopEmbedder())
    found = await meaning.near(await meaning.vector("bergsport"), filters)
    assert products(find_items("bergsport", corpus, found, filters)) == [SOLD_OUT]
    assert vectors.asked == [filters]
