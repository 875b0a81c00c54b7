"""A catalogue as a collection: what of its items is searched, by what it can be narrowed, how it is ranked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lovsvar_contracts.catalogues import MAX_DESCRIPTION, CatalogueId, FindProducts, Product
from lovsvar_search.core.catalogues.definition import StoredCatalogue, Weights
from lovsvar_search.core.catalogues.languages import analyzer_of
from lovsvar_search.core.retrieval.collection import Collection, Field, FilterKind, RankProfile, convex_profile
from lovsvar_search.core.retrieval.compounds import CompoundWords
from lovsvar_search.core.retrieval.corpus import Corpus, CorpusState, IndexSnapshot
from lovsvar_search.core.retrieval.filters import Demand, Filters
from lovsvar_search.core.retrieval.items import Item

VERSION = "1"
"""Raised when anything changes that is in the index."""

EMPTY = "Katalogen er tom."

FLOOR = 0.1
"""The score below which a product does not fit. Measured in `benchmarks/catalogues.py`."""

CENTS = 100

ELLIPSIS = "..."


class StoredProduct(NamedTuple):
    """An item of a catalogue as it is stored."""

    product_id: str
    name: str
    description: str
    price: str
    amount: float | None
    url: str
    category: str
    problems: tuple[str, ...]
    attributes: Mapping[str, str | Sequence[str]]

    def product(self, catalogue: CatalogueId) -> Product:
        """Return the item as those who read it get it."""
        known = self._asdict()
        return Product(catalogue=catalogue, problem_mappings=known.pop("problems"), **known)


class IndexedProduct(NamedTuple):
    """An item as it is put into the index: with the parts of the compounds among its words."""

    product: StoredProduct
    parts: str


class ShownProduct(NamedTuple):
    """What a hit is shown from."""

    product_id: str
    name: str
    description: str
    price: str
    url: str
    category: str
    problems: tuple[str, ...]


def catalogue_collection(catalogue: CatalogueId, language: str) -> Collection:
    """Return the collection of a catalogue in `language`, with default weights. Raises `KeyError` for no language."""
    return Collection(
        name=f"catalogue-{catalogue}",
        version=f"{VERSION}-{language}",
        title=f"Katalogen {catalogue}",
        empty=EMPTY,
        analyzers={language: analyzer_of(language)},
        fields=(
            Field("name", 2),
            Field("problems", 2),
            Field("category"),
            Field("description"),
            Field("attributes"),
            Field("parts"),
        ),
        profile=profile_of(Weights()),
        item=item_of,
        load=shown_product,
        filters={"category": FilterKind.NAME, "price": FilterKind.NUMBER, "attribute": FilterKind.NAME},
    )


def profile_of(weights: Weights) -> RankProfile:
    """Return how the products of a catalogue with these weights are ranked. Raises `ValueError` when both are 0."""
    return convex_profile(weights.words, weights.meaning, floor=FLOOR, everywhere=True)


def indexed(product: StoredProduct, compounds: CompoundWords) -> IndexedProduct:
    """Return a product with the parts of the compounds that it is described by."""
    texts = (product.name, product.description, product.category, *product.problems)
    return IndexedProduct(product, compounds.parts_in(texts))


def item_of(indexed: IndexedProduct) -> Item:
    """Return a product as it is indexed. Each is a group of its own."""
    product = indexed.product
    return Item(
        group=product.product_id,
        key="",
        texts={
            "name": (product.name,),
            "problems": product.problems,
            "category": (product.category,),
            "description": (product.description,),
            "attributes": [value for _, value in _pairs(product.attributes)],
            "parts": (indexed.parts,),
        },
        filters={
            "category": (_name(product.category),) if product.category else (),
            "price": () if product.amount is None else (_cents(product.amount),),
            "attribute": [_attribute(name, value) for name, value in _pairs(product.attributes)],
        },
        stored=ShownProduct(
            product.product_id,
            product.name,
            cut(product.description),
            product.price,
            product.url,
            product.category,
            product.problems,
        ),
    )


def filters_of(request: FindProducts) -> Filters:
    """Return what a request demands of a product. One without a price is in no range of prices."""
    demands = [Demand("attribute", (_attribute(name, value),)) for name, value in request.attributes.items()]
    if request.category is not None:
        demands.append(Demand("category", (_name(request.category),)))
    if request.min_price is not None or request.max_price is not None:
        low = 0 if request.min_price is None else _cents(request.min_price)
        demands.append(Demand("price", None, low, MOST if request.max_price is None else _cents(request.max_price)))
    return Filters(own=tuple(demands))


MOST = 2**63 - 1


def cut(description: str) -> str:
    """Return the first `MAX_DESCRIPTION` characters of a description, with "..." where there are more."""
    return description if len(description) <= MAX_DESCRIPTION else description[:MAX_DESCRIPTION] + ELLIPSIS


def shown_product(data: Sequence[Any]) -> ShownProduct:
    """Return what `Item.stored` of a product says, read back."""
    shown = ShownProduct(*data)
    return shown._replace(problems=tuple(shown.problems))


def _pairs(attributes: Mapping[str, str | Sequence[str]]) -> Iterator[tuple[str, str]]:
    for name, values in attributes.items():
        for value in (values,) if isinstance(values, str) else values:
            yield name, value


def _attribute(name: str, value: str) -> str:
    return f"{_name(name)}={_name(value)}"


def _name(text: str) -> str:
    return " ".join(text.casefold().split())


def _cents(amount: float) -> int:
    return min(round(max(amount, 0.0) * CENTS), MOST)


def assemble(index: IndexSnapshot, stored: StoredCatalogue, state: CorpusState) -> Corpus:
    """Return one version of a catalogue as it is searched: with its own weights, and the compounds among its words."""
    collection = replace(
        catalogue_collection(stored.catalogue, stored.language),
        profile=profile_of(stored.definition.weights),
        expansion=stored.compounds,
    )
    return Corpus(collection, index, state, index.items, directory=stored)
