"""Catalogues asked for over NATS: remembered, asked for again when they change, and kept when search is silent."""

import pytest

from lovsvar_agent.adapters import nats_products
from lovsvar_agent.adapters.nats_products import NatsProducts
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.problems import problem
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import CatalogueChanged, Catalogues, FindProducts, ProductHits, ReadCatalogues
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_testkit.running import answering


class Search:
    """What answers for search: the catalogues it serves, None while it does not know, and how often it was asked."""

    def __init__(self, *served) -> None:
        self.served: tuple | None = served
        self.asked = 0

    def router(self) -> RequestRouter:
        async def read(request: ReadCatalogues) -> Catalogues | Problem:
            self.asked += 1
            if self.served is None:
                return problem(ProblemType.NOT_READY, "Katalogene leses.")
            return Catalogues(catalogues=self.served)

        async def find(request: FindProducts) -> ProductHits:
            return ProductHits(correlation_id=request.correlation_id, searched=request.catalogues)

        router = RequestRouter()
        router.answer(subjects.SEARCH_CATALOGUES, read)
        router.answer(subjects.SEARCH_PRODUCTS, find)
        return router


@pytest.fixture
async def requester(nats_url: str):
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    await broker.connect()
    yield Requester(broker)
    await broker.stop()


async def test_what_is_served_is_asked_for_once_and_again_when_it_changes(nats_url, requester, make_catalogue) -> None:
    search, products = Search(make_catalogue()), NatsProducts(requester)
    async with answering(nats_url, search.router()):
        assert [one.catalogue for one in await products.catalogues()] == ["arbeidshulp"]
        await products.catalogues()
        await products.changed(CatalogueChanged(catalogue="arbeidshulp", version=1))
        await products.catalogues()
        assert search.asked == 1
        search.served = (make_catalogue(version=2, name="Nieuw"),)
        await products.changed(CatalogueChanged(catalogue="arbeidshulp", version=2))
        assert [one.name for one in await products.catalogues()] == ["Nieuw"]
        assert (await products.find(FindProducts(query="x", catalogues=("arbeidshulp",)))).searched == ("arbeidshulp",)


async def test_while_search_is_silent_what_it_said_last_holds(nats_url, requester, make_catalogue, monkeypatch) -> None:
    monkeypatch.setattr(nats_products, "KNOWN_SECONDS", 0.0)
    products = NatsProducts(requester)
    assert await products.catalogues() == (), "nobody answers, and nothing is known"
    search = Search(make_catalogue())
    async with answering(nats_url, search.router()):
        known = await products.catalogues()
        search.served = None
        assert await products.catalogues() == known != ()
    assert await products.catalogues() == known
    with pytest.raises(ProblemError):
        await products.find(FindProducts(query="x"))
