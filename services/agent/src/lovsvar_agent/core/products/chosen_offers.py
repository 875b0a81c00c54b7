"""The products that a model chose for its answer, by their ids; its own words about products do not stay."""

from dataclasses import replace

from lovsvar_agent.core.ports import ProductSearch
from lovsvar_agent.core.products.mentions import ids_in, without_products
from lovsvar_agent.core.products.offers import NAME, Offers
from lovsvar_agent.core.products.sales_talk import SalesTalk, names_in
from lovsvar_agent.core.reasoning.citation_check import Cited
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.source_kinds.product import PRODUCT
from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_contracts.blocks import Recommendations

MIN_NAME = 4
"""Characters of a name that is looked for; a shorter one is in other words."""


class ChosenOffers:
    """The products of a run that a model answers. Where it did not search them, the agent does, by the question."""

    def __init__(self, run: Run, search: ProductSearch | None, tools: ToolRegistry) -> None:
        self._run = run
        self._sources = run.evidence
        self._offers = Offers(run, search)
        self._offered = NAME in tools.tools
        self._cited: tuple[str, ...] = ()
        self._named: tuple[str, ...] = ()

    def without_cited(self, cited: Cited) -> Cited:
        """Return citations without those of products, which are no sources: what is cited so is chosen."""
        products = {e.evidence_id for e in self._offers.found}
        self._cited = tuple(r.evidence_id for r in cited.rejected if r.evidence_id in products)
        return replace(cited, rejected=tuple(r for r in cited.rejected if r.evidence_id not in products))

    def without_named(self, prose: str, removed: str) -> str:
        """Return prose without what it says of products: what it names by id is chosen. `removed` stands for a link."""
        found = self._offers.found
        if not (found or self._offered):
            return prose
        self._named = ids_in(prose)
        chosen = {e.title for e in found if e.evidence_id in (*self._named, *self._cited)}
        law = [e for e in self._sources.all if e.source != PRODUCT.prefix]
        asked = (self._run.asked.question, *(turn.question for turn in self._run.earlier))
        known = (text for e in law for text in (self._sources.text(e) or e.snippet, e.act, e.title))
        talk = SalesTalk(
            known="\n".join((*known, *asked, *chosen)),
            removed=removed,
            unwanted={e.title for e in found if len(e.title) >= MIN_NAME} - chosen,
            told=names_in(f"- {hit.name} {hit.description}" for e in found if (hit := self._sources.whole(e))),
        )
        return without_products(prose, talk)

    async def block(self) -> Recommendations | None:
        """Return what was chosen, as the catalogues have it; what fits the question where nothing was searched."""
        ids = (*self._named, *self._cited) if self._offers.found else await self._offers.fitting()
        return await self._offers.block(ids)
