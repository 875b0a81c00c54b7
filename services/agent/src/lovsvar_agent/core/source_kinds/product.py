"""`product`: items of catalogues. They prove nothing about law: nothing of them can be quoted."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.products.item_text import address_of, name_of, price_of, why_of
from lovsvar_agent.core.proof import Proof, Rejection
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_contracts.catalogues import ProductHit
from lovsvar_contracts.questions import Evidence

NO_LAW = "Tilbudet er fra en katalog og beviser ikke noe om loven, så det kan ikke siteres."


@dataclass(frozen=True)
class ProductKind(SourceKind):
    """Items, found as hits. Their evidence has what is shown of them, made safe."""

    def key(self, found: ProductHit | Evidence) -> Hashable:
        """Return its catalogue and its id there."""
        return found.catalogue, found.product_id

    def fields(self, found: ProductHit) -> Mapping[str, Any]:
        """Return the fields of `Evidence`; the address is empty unless it is one that may be linked to."""
        url = address_of(found.url)
        return {
            "title": name_of(found.name, url),
            "snippet": why_of(found.description),
            "price": price_of(found.price),
            "url": url,
            "lovdata_url": url,
            "catalogue": found.catalogue,
            "product_id": found.product_id,
        }

    def is_whole(self, found: ProductHit) -> bool:
        """Whether it is kept: what a catalogue says of an item, as it says it, is what a model was told."""
        return True

    def text(self, evidence: Evidence, whole: Any) -> str | None:
        """Return nothing: no words of an item may be quoted."""
        return None

    def verify(self, quote: str, evidence: Evidence, whole: Any) -> Proof | Rejection:
        """Return that it cannot be cited."""
        return Rejection(NO_LAW)


PRODUCT = ProductKind("product", label="tilbud fra en katalog")
