"""The catalogues of one asker, searched: nothing of other catalogues comes back, and nothing that cannot be shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from lovsvar_agent.core.ports import ProductSearch
from lovsvar_agent.core.products.item_text import address_of, name_of
from lovsvar_contracts.catalogues import MAX_PRODUCTS, Catalogue, CatalogueId, FindProducts, ProductHit
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.search import MAX_QUERY


@dataclass(frozen=True)
class CatalogueAccess:
    """The catalogues that the asker of a question may see, and the search of them."""

    search: ProductSearch
    catalogues: tuple[Catalogue, ...]
    correlation_id: str | None = None

    def named(self, catalogue: CatalogueId | None) -> Catalogue | None:
        """Return one of them by its id."""
        return next((one for one in self.catalogues if one.catalogue == catalogue), None)

    async def find(
        self, query: str, among: Sequence[CatalogueId] = (), limit: int = MAX_PRODUCTS
    ) -> tuple[ProductHit, ...]:
        """Return products that fit, best first, `among` some of the catalogues or of all. Raises `ProblemError`."""
        ids = tuple(one.catalogue for one in self.catalogues if not among or one.catalogue in among)
        if not ids:
            return ()
        request = FindProducts(query=query[:MAX_QUERY], catalogues=ids, limit=limit, correlation_id=self.correlation_id)
        hits = (await self.search.find(request)).hits
        return tuple(shown for hit in hits if hit.catalogue in ids and (shown := self._shown(hit)))

    def _shown(self, hit: ProductHit) -> ProductHit | None:
        """Return a hit without an address that leads elsewhere than to its catalogue's hosts; None without a name."""
        catalogue = self.named(hit.catalogue)
        url = address_of(hit.url, catalogue.hosts if catalogue else ())
        return hit.model_copy(update={"url": url}) if name_of(hit.name, url) else None


async def access_of(asked: QuestionAsked, search: ProductSearch | None) -> CatalogueAccess | None:
    """Return the catalogues that the asker may see; None where there are none."""
    served = await search.catalogues() if search else ()
    shown = tuple(one for one in served if one.items and one.is_shown_to(asked.catalogues))
    return CatalogueAccess(search, shown, asked.correlation_id) if search and shown else None
