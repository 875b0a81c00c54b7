"""What a stored catalogue says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lovsvar_contracts.catalogues import Catalogue, CatalogueId
from lovsvar_search.core.errors import BadCatalogue
from lovsvar_search.core.retrieval.compounds import CompoundWords


class Weights(BaseModel):
    """The parts of words and meaning in a score; only their proportion counts."""

    model_config = ConfigDict(frozen=True)

    meaning: float = Field(default=0.7, ge=0)
    words: float = Field(default=0.3, ge=0)


class Definition(BaseModel):
    """What search reads of a catalogue's definition; what it does not know it passes over."""

    model_config = ConfigDict(frozen=True)

    weights: Weights = Weights()
    no_price: str = ""
    offer: str = ""
    offer_words: tuple[str, ...] = ()
    recommend: int = Field(default=3, ge=1, le=5)
    invented: bool = False
    private: bool = False
    link_hosts: tuple[str, ...] = ()


class Listed(NamedTuple):
    """A catalogue that is to be served, by its newest version."""

    catalogue: CatalogueId
    language: str
    version: int
    private: bool = False


@dataclass(frozen=True)
class StoredCatalogue:
    """A catalogue as it is stored at one version, besides its items. `compounds` are those among its items' words."""

    catalogue: CatalogueId
    name: str
    language: str
    definition: Definition
    version: int
    synced_at: datetime | None
    categories: tuple[str, ...]
    compounds: CompoundWords

    def described(self, items: int, embedded: int) -> Catalogue:
        """Return the catalogue as those who ask are told of it."""
        own = self.definition
        return Catalogue(
            catalogue=self.catalogue,
            name=self.name,
            language=self.language,
            invented=own.invented,
            items=items,
            embedded=embedded,
            version=self.version,
            synced_at=self.synced_at,
            offer=own.offer,
            offer_words=own.offer_words,
            recommend=own.recommend,
            no_price=own.no_price,
            categories=self.categories,
            private=own.private,
            hosts=own.link_hosts,
        )


def read_definition(catalogue: CatalogueId, stored: Mapping[str, Any]) -> Definition:
    """Return a stored definition. Raises `BadCatalogue`."""
    try:
        return Definition.model_validate(stored)
    except ValidationError as exc:
        first = exc.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadCatalogue(f"Katalogen {catalogue} kan ikke leses: {place}: {first['msg']}") from exc
