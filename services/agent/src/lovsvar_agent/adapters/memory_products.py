"""Catalogues in memory, searched by the words they share with the query. The fake of `NatsProducts`."""

from collections.abc import Iterable

from lovsvar_agent.core.ports import ProductSearch
from lovsvar_contracts.catalogues import Catalogue, FindProducts, ProductHit, ProductHits
from lovsvar_legaltext.words import words


class MemoryProducts(ProductSearch):
    """`items` of some catalogues. `asked` are the requests; `failure` is raised instead of a result."""

    def __init__(self, catalogues: Iterable[Catalogue], items: Iterable[ProductHit]) -> None:
        self.served = tuple(catalogues)
        self.items = tuple(items)
        self.asked: list[FindProducts] = []
        self.failure: Exception | None = None

    async def catalogues(self) -> tuple[Catalogue, ...]:
        return self.served

    async def find(self, request: FindProducts) -> ProductHits:
        self.asked.append(request)
        if self.failure:
            raise self.failure
        wanted = {word for word in words(request.query) if len(word) > 2}
        found = [item for item in self.items if item.catalogue in request.catalogues and wanted & _words(item)]
        ranked = sorted(found, key=lambda item: -item.similarity)
        return ProductHits(correlation_id=request.correlation_id, hits=tuple(ranked[: request.limit]))


def _words(item: ProductHit) -> set[str]:
    return set(words(" ".join((item.name, item.description, item.category, *item.problem_mappings))))
