"""Catalogues of products, as a caller may see them."""

from collections.abc import Sequence
from typing import TypeVar

from lovsvar_chassis.problems import problem
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import (
    Catalogue,
    CatalogueId,
    Catalogues,
    FindProducts,
    Product,
    ProductHits,
    ProductId,
    Products,
    ReadCatalogues,
    ReadProducts,
)
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_gateway.adapters.services import Services
from lovsvar_gateway.core.errors import UnknownCatalogue, UnknownProduct
from lovsvar_gateway.trace_headers import correlation_id

Reply = TypeVar("Reply", bound=Message)

SILENT = frozenset({ProblemType.UNAVAILABLE, ProblemType.TIMEOUT, ProblemType.NOT_READY})
OUT = "Søket i kataloger svarer ikke akkurat nå. Prøv igjen om litt."


class CatalogueReader:
    """Catalogues by request/reply, in the name of the caller of `services`. What they may not see is not there.

    Every method raises `ProblemError`; `unavailable` when search does not answer.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    async def list(self) -> Catalogues:
        """Return the catalogues that the caller may see."""
        served = await self._ask(subjects.SEARCH_CATALOGUES, ReadCatalogues(), Catalogues)
        return served.model_copy(update={"catalogues": tuple(filter(self._is_shown, served.catalogues))})

    async def find(self, request: FindProducts) -> ProductHits:
        """Search the catalogues of `request`, all that the caller may see where it names none.

        Raises `UnknownCatalogue` for another.
        """
        seen = [one.catalogue for one in (await self.list()).catalogues]
        for catalogue in request.catalogues:
            _must_be(catalogue, seen)
        # Without a name, search would search every one, also those that the caller may not see.
        if not seen:
            return ProductHits(correlation_id=correlation_id())
        request = request.model_copy(update={"catalogues": request.catalogues or tuple(seen)})
        return await self._ask(subjects.SEARCH_PRODUCTS, request, ProductHits)

    async def read(self, catalogue: CatalogueId, product_id: ProductId) -> Product:
        """Return an item whole. Raises `UnknownCatalogue`, `UnknownProduct`."""
        _must_be(catalogue, [one.catalogue for one in (await self.list()).catalogues])
        request = ReadProducts(catalogue=catalogue, product_ids=(product_id,))
        products = (await self._ask(subjects.SEARCH_READ_PRODUCTS, request, Products)).products
        if not products:
            raise UnknownProduct(catalogue, product_id)
        return products[0]

    def _is_shown(self, catalogue: Catalogue) -> bool:
        return catalogue.is_shown_to(self._services.caller.catalogues)

    async def _ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        request = request.model_copy(update={"correlation_id": correlation_id()})
        try:
            return await self._services.ask(subject, request, reply)
        except ProblemError as exc:
            if exc.problem.type not in SILENT or exc.problem.retry_after is not None:
                raise
            raise ProblemError(problem(ProblemType.UNAVAILABLE, OUT)) from exc


def _must_be(catalogue: CatalogueId, seen: Sequence[CatalogueId]) -> None:
    if catalogue not in seen:
        raise UnknownCatalogue(catalogue)
