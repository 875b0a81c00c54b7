"""Catalogues as they are stored, changed, delisted and embedded while the search service runs."""

import hashlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import asyncpg
import pytest
import pytest_asyncio

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import (
    Catalogue,
    CatalogueChanged,
    Catalogues,
    FindProducts,
    ProductHits,
    Products,
    ReadCatalogues,
    ReadProducts,
)
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import SearchMode
from lovsvar_testkit.waiting import until

Reply = TypeVar("Reply", bound=Message)

SETTLED = 60.0
DIMENSIONS = 4
BURN_OUT = {
    "product_id": "herstel",
    "name": "Herstelcoaching",
    "description": "Begeleiding bij herstel na een burn-out, in zes tot negen maanden.",
    "price": "Vanaf € 2.500",
    "amount": 2500.0,
    "url": "https://arbeidshulp.example/herstel",
    "category": "Coaching",
    "problems": ["burn-out", "opgebrand en uitgeput"],
    "attributes": {"vorm": ["online", "op locatie"]},
}
BACK = {
    "product_id": "rug",
    "name": "Fysiotherapie op de werkplek",
    "description": "Behandeling van klachten aan nek en rug.",
    "price": "Prijs op aanvraag",
    "url": "",
    "category": "Fysiek",
    "problems": ["rugklachten", "pijn in de nek"],
    "attributes": {},
}


def like(similarity: float) -> list[float]:
    """A vector that is `similarity` near to what the stub embedder makes of every question."""
    return [similarity, (1 - similarity**2) ** 0.5, 0.0, 0.0]


@dataclass
class Store:
    """Stores catalogues as ingest does."""

    connection: "asyncpg.Connection[asyncpg.Record]"

    async def sync(self, catalogue: str, *products: dict[str, Any], language: str = "nl", **definition: Any) -> int:
        """Store a version of a catalogue that holds these products and no others."""
        async with self.connection.transaction():
            version: int = await self.connection.fetchval("SELECT nextval('catalogue_versions')")
            await self.connection.execute(
                "INSERT INTO catalogues (catalogue, name, language, definition, version, synced_at, source)"
                " VALUES ($1, initcap($1), $2, $3, $4, now(), '') ON CONFLICT (catalogue) DO UPDATE SET"
                " language = $2, definition = $3, version = $4, synced_at = now(), removed_at = NULL",
                catalogue, language, json.dumps(definition), version,
            )  # fmt: skip
            await self.connection.execute(
                "UPDATE products SET removed_at = now(), version = $2 WHERE catalogue = $1 AND removed_at IS NULL"
                " AND product_id <> ALL($3)", catalogue, version, [one["product_id"] for one in products],
            )  # fmt: skip
            for one in products:
                await self._put(catalogue, version, **one)
        return version

    async def delist(self, catalogue: str) -> None:
        await self.connection.execute("UPDATE catalogues SET removed_at = now() WHERE catalogue = $1", catalogue)

    async def embed(self, similarities: dict[str, float], model: str = "stub") -> None:
        """Store vectors of texts, as near as told."""
        await self.connection.execute(
            "INSERT INTO embedding_models (model, dimensions) VALUES ($1, $2) ON CONFLICT DO NOTHING", model, DIMENSIONS
        )
        for text, similarity in similarities.items():
            await self.connection.execute(
                "INSERT INTO embeddings (model, content_hash, kind, embedding)"
                " VALUES ($1, $2, 'product', $3::text::halfvec)", model, _hash(text), str(like(similarity)),
            )  # fmt: skip

    async def _put(self, catalogue: str, version: int, **one: Any) -> None:
        values = {"amount": None} | one | {"catalogue": catalogue, "version": version, "content_hash": ""}
        values["attributes"] = json.dumps(values["attributes"])
        places = ", ".join(f"${n}" for n in range(1, len(values) + 1))
        await self.connection.execute(
            "DELETE FROM products WHERE catalogue = $1 AND product_id = $2", catalogue, one["product_id"]
        )
        await self.connection.execute(f"INSERT INTO products ({', '.join(values)}) VALUES ({places})", *values.values())
        for number, text in enumerate((f"{one['name']} {one['description']}", *one["problems"])):
            await self.connection.execute(
                "INSERT INTO product_passages VALUES ($1, $2, $3, $4, $5)",
                catalogue, one["product_id"], number, _hash(text), text,
            )  # fmt: skip


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Client:
    """Asks as other services do."""

    requester: Requester
    publish: Callable[[str, Message], Any]

    async def find(self, query: str, **more: Any) -> ProductHits:
        return await self._ask(subjects.SEARCH_PRODUCTS, FindProducts(query=query, **more), ProductHits)

    async def ids(self, query: str, **more: Any) -> list[str]:
        return [hit.product_id for hit in (await self.find(query, **more)).hits]

    async def read(self, catalogue: str, *products: str) -> Products:
        request = ReadProducts(catalogue=catalogue, product_ids=products)
        return await self._ask(subjects.SEARCH_READ_PRODUCTS, request, Products)

    async def catalogues(self) -> dict[str, Catalogue]:
        served = await self._ask(subjects.SEARCH_CATALOGUES, ReadCatalogues(), Catalogues)
        return {one.catalogue: one for one in served.catalogues}

    async def until(self, holds: Callable[[dict[str, Catalogue]], bool]) -> dict[str, Catalogue]:
        """Ask until this holds of what is served."""

        served = await self.catalogues()

        async def held() -> bool:
            nonlocal served
            served = await self.catalogues()
            return holds(served)

        await until(held, SETTLED)
        return served

    async def _ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        return await self.requester.ask(subject, request, reply, timeout=SETTLED)


@pytest_asyncio.fixture
async def catalogues(stored: Any) -> Store:
    """A database with some law, and no catalogue yet."""
    return Store(stored.connection)


@pytest_asyncio.fixture
async def client(nats_url: str) -> AsyncIterator[Client]:
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker:
        yield Client(Requester(broker), lambda subject, event: broker.publish(event, subject))


def version_of(catalogue: str, version: int) -> Callable[[dict[str, Catalogue]], bool]:
    return lambda served: catalogue in served and served[catalogue].version >= version


async def test_a_catalogue_is_served_followed_and_delisted_while_search_runs(
    serve: Any, catalogues: Store, client: Client
) -> None:
    async with serve():
        assert await client.catalogues() == {}
        version = await catalogues.sync("arbeidshulp", BURN_OUT, BACK, invented=True, no_price="Prijs op aanvraag")
        served = (await client.until(version_of("arbeidshulp", version)))["arbeidshulp"]
        assert (served.items, served.embedded, served.language) == (2, 0, "nl")
        assert served.invented
        assert served.categories == ("Coaching", "Fysiek")
        assert await client.ids("ik ben opgebrand") == ["herstel"]

        version = await catalogues.sync("arbeidshulp", BACK | {"name": "Rugtraining"})
        await client.until(version_of("arbeidshulp", version))
        assert await client.ids("ik ben opgebrand") == []
        assert [hit.name for hit in (await client.find("training voor mijn rug")).hits] == ["Rugtraining"]

        await catalogues.delist("arbeidshulp")
        await client.until(lambda served: not served)
        found = await client.find("rug", catalogues=("arbeidshulp",))
        assert (found.hits, found.searched, found.unknown) == ((), (), ("arbeidshulp",))


async def test_a_hint_brings_in_a_catalogue_at_once(serve: Any, catalogues: Store, client: Client) -> None:
    async with serve(poll=3600.0):
        version = await catalogues.sync("arbeidshulp", BACK)
        await client.publish(subjects.CATALOGUE_CHANGED, CatalogueChanged(catalogue="arbeidshulp", version=version))
        await client.until(version_of("arbeidshulp", version))


async def test_meaning_joins_words_when_vectors_come(
    serve: Any, catalogues: Store, client: Client, embedder: Any
) -> None:
    await catalogues.sync("arbeidshulp", BURN_OUT, BACK)
    async with serve(embedder=embedder):
        await client.until(version_of("arbeidshulp", 1))
        before = await client.find("batterij leeg en geen fut")
        assert (before.hits, before.words_alone) == ((), True)
        texts = {f"{BACK['name']} {BACK['description']}": 0.05, "rugklachten": 0.0, "pijn in de nek": 0.0}
        texts |= {f"{BURN_OUT['name']} {BURN_OUT['description']}": 0.15}
        texts |= {"burn-out": 0.1, "opgebrand en uitgeput": 0.7}
        await catalogues.embed(texts)
        served = await client.until(lambda served: served["arbeidshulp"].embedded == 2)
        assert served["arbeidshulp"].items == 2
        [hit] = (after := await client.find("batterij leeg en geen fut", explain=True)).hits
        assert not after.words_alone
        assert (hit.product_id, hit.matched_problems) == ("herstel", ("opgebrand en uitgeput",))
        assert hit.score_parts is not None
        assert hit.score_parts["meaning"] > 0.5
        words = await client.find("batterij leeg en geen fut", mode=SearchMode.LEXICAL)
        assert (words.hits, words.words_alone) == ((), True)


async def test_catalogues_are_searched_together_and_filtered(serve: Any, catalogues: Store, client: Client) -> None:
    await catalogues.sync("arbeidshulp", BURN_OUT, BACK)
    version = await catalogues.sync("elders", BURN_OUT | {"amount": 90.0, "category": "Boeken"})
    async with serve():
        await client.until(version_of("elders", version))
        both = await client.find("burn-out")
        assert {(hit.catalogue, hit.product_id) for hit in both.hits} == {
            ("arbeidshulp", "herstel"),
            ("elders", "herstel"),
        }
        assert both.searched == ("arbeidshulp", "elders")
        for demands, found in (
            ({"catalogues": ("elders",)}, ["elders"]),
            ({"category": "boeken"}, ["elders"]),
            ({"category": "Fysiek"}, []),
            ({"max_price": 100}, ["elders"]),
            ({"min_price": 100, "max_price": 2500}, ["arbeidshulp"]),
            ({"attributes": {"vorm": "Online"}, "min_price": 100}, ["arbeidshulp"]),
            ({"attributes": {"vorm": "schriftelijk"}}, []),
        ):
            hits = (await client.find("burn-out", **demands)).hits
            assert [hit.catalogue for hit in hits] == found, demands


async def test_products_are_read_whole(serve: Any, catalogues: Store, client: Client) -> None:
    version = await catalogues.sync("arbeidshulp", BURN_OUT, BACK)
    async with serve():
        await client.until(version_of("arbeidshulp", version))
        [back, burn_out] = (await client.read("arbeidshulp", "rug", "nergens", "herstel")).products
        assert (back.product_id, back.price, back.amount) == ("rug", "Prijs op aanvraag", None)
        assert burn_out.attributes == {"vorm": ("online", "op locatie")}
        with pytest.raises(ProblemError) as refused:
            await client.read("nergens", "rug")
        assert refused.value.problem.type is ProblemType.NOT_FOUND


async def test_a_catalogue_that_cannot_be_read_keeps_nothing_from_the_others_nor_from_the_law(
    serve: Any, catalogues: Store, client: Client
) -> None:
    await catalogues.sync("tale", BURN_OUT, language="xx")
    await catalogues.sync("vekter", BURN_OUT, weights={"words": "mye"})
    version = await catalogues.sync("arbeidshulp", BURN_OUT)
    async with serve() as search:
        served = await client.until(version_of("arbeidshulp", version))
        assert list(served) == ["arbeidshulp"]
        assert (await search.find("depositum")).total > 0
        told = {one.catalogue: one for one in (await search.status()).catalogues}
        assert (told["arbeidshulp"].items, told["arbeidshulp"].version) == (1, version)
        assert "xx" in told["tale"].trouble
        assert told["vekter"].trouble
        assert (await search.health()).ready
