"""The products that a model chose for its answer, by their ids; its own words about products do not stay."""

from dataclasses import replace

from lovsvar_agent.core.ports import ProductSearch
from lovsvar_agent.core.products.mentions import ids_in, without_products
from lovsvar_agent.core.products.offers import NAME, Offers
from lovsvar_agent.core.products.sales_talk import SalesTalk, names_in
from lovsvar_agent.core.reasoning.final import Final
from lovsvar_agent.core.reasoning.prose import numbered_markers, plain_prose
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
        self._named: tuple[str, ...] = ()

    def apart(self, final: Final, removed: str) -> Final:
        """Return an answer without what it cites and says of products: what it names by id is chosen.

        `removed` stands in place of an address.
        """
        found = self._offers.found
        if not (found or self._offered):
            return final
        pattern = self._sources.id_pattern
        prose = plain_prose(final.answer, self._sources.all, removed)
        cited = [claim.evidence_id for claim in final.claims if is_product(claim.evidence_id)]
        if cited:
            # Without those claims, the numbers of the others would be of other sources.
            ids = {place: claim.evidence_id for place, claim in enumerate(final.claims, start=1)}
            prose = numbered_markers(prose, ids, pattern)
        self._named = tuple(dict.fromkeys((*ids_in(prose), *cited)))
        claims = tuple(claim for claim in final.claims if not is_product(claim.evidence_id))
        return replace(final, answer=without_products(prose, self._talk(removed)), claims=claims)

    def _talk(self, removed: str) -> SalesTalk:
        """Return what tells sentences that offer something, by what this run found and was asked."""
        found, sources = self._offers.found, self._sources
        chosen = {e.title for e in found if e.evidence_id in self._named}
        law = [e for e in sources.all if e.source != PRODUCT.prefix]
        asked = (self._run.asked.question, *(turn.question for turn in self._run.earlier))
        known = (text for e in law for text in (sources.text(e) or e.snippet, e.act, e.title))
        return SalesTalk(
            known="\n".join((*known, *asked, *chosen)),
            removed=removed,
            unwanted={e.title for e in found if len(e.title) >= MIN_NAME} - chosen,
            told=names_in(f"- {hit.name} {hit.description}" for e in found if (hit := sources.whole(e))),
        )

    async def block(self) -> Recommendations | None:
        """Return what was chosen, as the catalogues have it; what fits the question where nothing was searched."""
        ids = self._named if self._offers.found else await self._offers.fitting()
        return await self._offers.block(ids)


def is_product(evidence_id: str) -> bool:
    """Whether an id is one of a product, whether or not there is such."""
    return evidence_id.startswith(f"{PRODUCT.prefix}-")
