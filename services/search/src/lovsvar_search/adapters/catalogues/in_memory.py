"""Catalogues in memory, as ingest would have stored them: for tests, and to measure search by."""

import hashlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from lovsvar_contracts.catalogues import CatalogueId, Product, ProductId
from lovsvar_search.adapters.catalogues.words import compounds_of
from lovsvar_search.core.catalogues.catalogue_follower import CatalogueStore
from lovsvar_search.core.catalogues.collection import IndexedProduct, StoredProduct, indexed
from lovsvar_search.core.catalogues.definition import Definition, Listed, StoredCatalogue
from lovsvar_search.core.errors import StoreUnavailable
from lovsvar_search.core.retrieval.corpus import CorpusChanges, CorpusSource, CorpusState
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.memory_vectors import Passage, Vectors

_WORDS = re.compile(r"[^\W\d_]+")


@dataclass
class StoredItems:
    """A catalogue with its items, and the ids of all that it ever had."""

    catalogue: StoredCatalogue
    products: Sequence[StoredProduct]
    ever: frozenset[ProductId]


class InMemoryCatalogues(CatalogueStore):
    """Holds catalogues. While `down` it is unavailable."""

    def __init__(self) -> None:
        self.down = False
        self.held: dict[CatalogueId, StoredItems] = {}
        self.known: dict[str, Vectors] = {}
        self._version = 0

    def sync(
        self, catalogue: CatalogueId, language: str, products: Sequence[StoredProduct], definition: Definition
    ) -> int:
        """Store a version of a catalogue that holds these products and no others; return it."""
        self._version += 1
        texts = (text for one in products for text in (one.name, one.description, one.category, *one.problems))
        compounds = compounds_of(language, sorted({word for text in texts for word in _WORDS.findall(text.lower())}))
        categories = tuple(sorted({one.category for one in products if one.category}))
        stored = StoredCatalogue(
            catalogue, catalogue.title(), language, definition, self._version, None, categories, compounds
        )
        before = self.held[catalogue].ever if catalogue in self.held else frozenset()
        ever = before.union(one.product_id for one in products)
        self.held[catalogue] = StoredItems(stored, tuple(products), ever)
        return self._version

    def embed(self, vectors: Mapping[str, Vectors]) -> None:
        """Store vectors of texts."""
        self.known |= {hash_of(text): vector for text, vector in vectors.items()}

    async def listed(self) -> Sequence[Listed]:
        self._up()
        stored = [one.catalogue for _, one in sorted(self.held.items())]
        return [Listed(one.catalogue, one.language, one.version, one.definition.private) for one in stored]

    def source(self, catalogue: CatalogueId) -> CorpusSource:
        return InMemoryCatalogue(self, catalogue)

    async def passages(self, catalogue: CatalogueId) -> Sequence[Passage]:
        self._up()
        return [
            Passage(place_number(product.product_id), number, hash_of(text))
            for product in self.held[catalogue].products
            for number, text in enumerate(texts_of(product))
        ]

    async def vectors(self, model: str, texts: Sequence[str]) -> Mapping[str, Vectors]:
        self._up()
        return {text: self.known[text] for text in texts if text in self.known}

    async def read(self, catalogue: CatalogueId, product_ids: Sequence[ProductId]) -> Sequence[Product]:
        self._up()
        held = {one.product_id: one for one in self.held[catalogue].products}
        return [held[one].product(catalogue) for one in dict.fromkeys(product_ids) if one in held]

    def _up(self) -> None:
        if self.down:
            raise StoreUnavailable("nede")


@dataclass(frozen=True)
class InMemoryCatalogue(CorpusSource):
    """One catalogue, by version."""

    store: InMemoryCatalogues
    catalogue: CatalogueId

    async def state(self) -> CorpusState:
        self.store._up()
        held = self.store.held.get(self.catalogue)
        return CorpusState(held.catalogue.version if held else 0, "memory")

    @asynccontextmanager
    async def changes(self, since: int) -> AsyncIterator["InMemoryChanges"]:
        yield InMemoryChanges(self.store.held[self.catalogue], await self.state())


@dataclass(frozen=True)
class InMemoryChanges(CorpusChanges):
    """A catalogue at one version."""

    held: StoredItems
    state: CorpusState

    async def companions(self) -> StoredCatalogue:
        return self.held.catalogue

    async def groups(self) -> Sequence[str]:
        return sorted(self.held.ever)

    async def items(self) -> AsyncIterator[Sequence[IndexedProduct]]:
        yield [indexed(product, self.held.catalogue.compounds) for product in self.held.products]


def texts_of(product: StoredProduct) -> Sequence[str]:
    """Return what is embedded of a product: name and description, then its problems."""
    return (f"{product.name}\n{product.description}", *product.problems)


def hash_of(text: str) -> str:
    """Return the hash by which a text is known."""
    return hashlib.sha256(text.encode()).hexdigest()
