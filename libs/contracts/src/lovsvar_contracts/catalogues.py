"""Catalogues of products and services: what is asked of them, and what search replies."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.ingest import Dataset
from lovsvar_contracts.message import Frozen, Message
from lovsvar_contracts.search import CatalogueCounts, Query, SearchMode

MAX_PRODUCTS = 10
"""The most products of one reply."""

MAX_DESCRIPTION = 200
"""Characters of a description in a hit; a longer one is cut there and ends in "..."."""

DATASET_PREFIX = "katalog-"
"""Before the id of a catalogue in the name of its data set: `katalog-hjelpetilbud`."""

CatalogueId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{1,39}$")]
ProductId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Category = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
CatalogueLanguage = Literal["nb", "nn", "en", "nl", "de", "fr", "sv", "da"]


def dataset_of(catalogue: CatalogueId) -> Dataset:
    """Return the name of the data set by which a catalogue is synced."""
    return f"{DATASET_PREFIX}{catalogue}"


class Product(Frozen):
    """An item of a catalogue, whole. All of it was written by whoever keeps the catalogue, and is untrusted.

    `price` is in the catalogue's own words, or its words for none; `amount` is the number in it, where it has one.
    `url` is empty, or https to one of the catalogue's hosts.
    """

    catalogue: CatalogueId
    product_id: ProductId
    name: str
    description: str
    price: str
    amount: float | None = None
    url: str = ""
    category: str = ""
    problem_mappings: tuple[str, ...] = Field(default=(), description="The problems it helps with.")
    attributes: dict[str, str | tuple[str, ...]] = Field(default_factory=dict)


class FindProducts(Message):
    """Find products, by words and by meaning, in the proportion that each catalogue sets.

    `catalogues` are those to search and those that the asker may see; empty means every one that is served. A product
    must meet all filters. Nothing that fits gives no hits.
    """

    kind: Literal["find_products"] = "find_products"
    query: Query
    catalogues: tuple[CatalogueId, ...] = Field(default=(), max_length=50)
    limit: int = Field(default=5, ge=1, le=MAX_PRODUCTS)
    category: Category | None = None
    min_price: float | None = Field(default=None, ge=0)
    max_price: float | None = Field(default=None, ge=0)
    attributes: dict[str, str] = Field(default_factory=dict, max_length=10)
    mode: SearchMode = SearchMode.HYBRID
    explain: bool = Field(default=False, description="Return the score parts of each hit.")


class ProductHit(Frozen):
    """A product that fits. `similarity` is its score from 0 to 1, with two decimals; it compares all hits."""

    catalogue: CatalogueId
    product_id: ProductId
    name: str
    description: str = Field(description="At most 200 characters, then '...'.")
    price: str
    url: str
    category: str
    similarity: float
    problem_mappings: tuple[str, ...] = ()
    matched_problems: tuple[str, ...] = Field(default=(), description="Those of its problems that the query meets.")
    score_parts: dict[str, float] | None = None


class ProductHits(Message):
    """The products that fit, best first. `words_alone` tells that vectors were missing, or were not asked for."""

    kind: Literal["product_hits"] = "product_hits"
    hits: tuple[ProductHit, ...] = ()
    searched: tuple[CatalogueId, ...] = ()
    unknown: tuple[CatalogueId, ...] = Field(default=(), description="Catalogues asked for that are not served.")
    words_alone: bool = False
    took_ms: float = 0.0


class ReadProducts(Message):
    """Read products whole, by their ids."""

    kind: Literal["read_products"] = "read_products"
    catalogue: CatalogueId
    product_ids: tuple[ProductId, ...] = Field(min_length=1, max_length=50)


class Products(Message):
    """The products that were read, in the order asked for; those that are not there are left out."""

    kind: Literal["products"] = "products"
    products: tuple[Product, ...] = ()


class ReadCatalogues(Message):
    """Ask which catalogues are served."""

    kind: Literal["read_catalogues"] = "read_catalogues"


class Catalogue(Frozen):
    """A catalogue as it is served.

    `offer` says to a model when to search it; `offer_words` are those of a question that make an offer fit without a
    model. `recommend` is how many products to recommend. `invented` catalogues are shown as such. A `private` one is
    shown only to those who are allowed it by name. `hosts` are those that links may lead to, with their subdomains.
    """

    catalogue: CatalogueId
    name: str
    language: CatalogueLanguage
    invented: bool = False
    items: int
    embedded: int = Field(description="Items of which every text has a vector.")
    version: int
    synced_at: datetime | None = None
    offer: str = ""
    offer_words: tuple[str, ...] = ()
    recommend: int = Field(default=3, ge=1, le=5)
    no_price: str = ""
    categories: tuple[str, ...] = ()
    private: bool = False
    hosts: tuple[str, ...] = ()

    def is_shown_to(self, allowed: Collection[CatalogueId] | None) -> bool:
        """Whether it is shown to those who are `allowed` these catalogues; None allows all that are not private."""
        return is_shown(self, allowed)


def is_shown(catalogue: Catalogue | CatalogueCounts, allowed: Collection[CatalogueId] | None) -> bool:
    """Whether those who are `allowed` these catalogues know of one; None allows all that are not private."""
    return not catalogue.private if allowed is None else catalogue.catalogue in allowed


class Catalogues(Message):
    """The catalogues that are served, by id."""

    kind: Literal["catalogues"] = "catalogues"
    catalogues: tuple[Catalogue, ...] = ()


class CatalogueChanged(Message):
    """A catalogue has a new version, or is no longer listed. A hint: the database is the truth."""

    kind: Literal["catalogue_changed"] = "catalogue_changed"
    catalogue: CatalogueId
    version: int
