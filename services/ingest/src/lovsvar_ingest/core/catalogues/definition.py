"""The file of a catalogue, `catalogue.toml`: its name, where its items are, and which of their fields is which."""

import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from lovsvar_contracts.catalogues import CatalogueId, CatalogueLanguage
from lovsvar_ingest.core.catalogues.links import normalised_host
from lovsvar_ingest.core.catalogues.texts import clean
from lovsvar_ingest.core.errors import CatalogueBroken

FILE = "catalogue.toml"

READER_VERSION = 2
"""Rises when the same items are read differently: the next sync then reads them again."""

LARGEST = 64_000
"""Bytes of a catalogue's file."""

NO_PRICE = {
    "nb": "Pris ikke oppgitt",
    "nn": "Pris ikkje oppgitt",
    "en": "Price on request",
    "nl": "Prijs op aanvraag",
    "de": "Preis auf Anfrage",
    "fr": "Prix sur demande",
    "sv": "Pris på förfrågan",
    "da": "Pris på forespørgsel",
}
"""The words for a missing price where the file has none, by language."""


def _sentence(text: str) -> str:
    return clean(text, 500)


def _word(text: str) -> str:
    if not (cleaned := clean(text, 100)):
        raise ValueError("kan ikke være tom")
    return cleaned


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Sentence = Annotated[str, AfterValidator(_sentence)]
Word = Annotated[str, AfterValidator(_word)]
Host = Annotated[str, AfterValidator(normalised_host)]


class _Section(BaseModel):
    """A table of the file. Types are strict: a number in quotes is a text."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Fields(_Section):
    """The names of the columns or keys of the items. Those that are not named here become free attributes.

    `attributes` are keys whose value holds attributes by name.
    """

    id: str = "id"
    name: str = "name"
    description: str = "description"
    price: str = "price"
    url: str = "url"
    category: str = "category"
    problems: str = "problems"
    attributes: Annotated[tuple[str, ...], BeforeValidator(_listed), Field(strict=False)] = ("attributes",)

    @property
    def single(self) -> tuple[str, ...]:
        """The columns that hold one field each."""
        return (self.id, self.name, self.description, self.price, self.url, self.category, self.problems)

    @property
    def written(self) -> tuple[str, ...]:
        """The columns that the file names, so that they have to be there."""
        named = [getattr(self, key) for key in ("id", "name")]
        for key in sorted(self.model_fields_set - {"id", "name"}):
            value = getattr(self, key)
            named += [value] if isinstance(value, str) else value
        return tuple(dict.fromkeys(named))


class Weights(_Section):
    """How much of a product's score is its meaning, and how much its words; together 1."""

    meaning: Annotated[float, Field(strict=False, ge=0, le=1)] = 0.7
    words: Annotated[float, Field(strict=False, ge=0, le=1)] = 0.3

    @model_validator(mode="after")
    def _together_one(self) -> "Weights":
        if abs(self.meaning + self.words - 1) > 0.001:
            raise ValueError("meaning og words må til sammen være 1, som 0.7 og 0.3")
        return self


class CatalogueDefinition(_Section):
    """A catalogue as its file describes it."""

    id: CatalogueId
    name: Word
    language: CatalogueLanguage
    items: str = Field(min_length=1, max_length=2_000)
    invented: bool = False
    private: bool = False
    link_hosts: Annotated[tuple[Host, ...], Field(strict=False, max_length=2_000)]
    no_price: Sentence = ""
    offer: Sentence = ""
    offer_words: Annotated[tuple[Word, ...], Field(strict=False, max_length=500)] = ()
    recommend: int = Field(default=3, ge=1, le=5)
    fields: Fields = Fields()
    weights: Weights = Weights()

    @property
    def without_price(self) -> str:
        """The words for a missing price."""
        return self.no_price or NO_PRICE[self.language]

    def stored(self) -> dict[str, Any]:
        """Return what is stored of it besides id, name and language, as values of JSON."""
        left = self.model_dump(mode="json", exclude={"id", "name", "language", "items", "fields"})
        return left | {"no_price": self.without_price}

    @property
    def reading(self) -> str:
        """A hash that differs when the same items would be stored differently, or the catalogue itself would."""
        parts = [READER_VERSION, self.model_dump(mode="json")]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def read_definition(content: bytes, place: str) -> CatalogueDefinition:
    """Return the catalogue that a file describes. `place` is where the file is, for the message.

    Raises `CatalogueBroken` with every error in it, and what was probably meant.
    """
    try:
        values = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as exc:
        raise CatalogueBroken(f"{place} er ikke i UTF-8. Lagre filen som UTF-8.") from exc
    except (ValueError, RecursionError) as exc:  # also of a number that is too long
        raise CatalogueBroken(f"{place} er ikke gyldig TOML: {exc}.") from exc
    try:
        return CatalogueDefinition.model_validate(values)
    except ValidationError as exc:
        errors = list(dict.fromkeys(map(_described, exc.errors(include_url=False))))
        raise CatalogueBroken(f"{place}: {'. '.join(errors)}.".replace("?.", "?")) from exc


_KEYS = {
    (): tuple(CatalogueDefinition.model_fields),
    ("fields",): tuple(Fields.model_fields),
    ("weights",): tuple(Weights.model_fields),
}

_WANTED = {
    "string_type": "må være en tekst i anførselstegn",
    "bool_type": "må være true eller false",
    "int_type": "må være et helt tall",
    "float_type": "må være et tall",
    "float_parsing": "må være et tall",
    "tuple_type": 'må være en liste, som ["a", "b"]',
    "model_type": "må være en tabell, som [fields]",
}


def _described(error: ErrorDetails) -> str:
    """Return an error in words that say what to do."""
    place = tuple(str(part) for part in error["loc"])
    key, kind, limits = ".".join(place), error["type"], error.get("ctx", {})
    match kind:
        case "extra_forbidden":
            words = f"ukjent nøkkel «{key}»{meant(place[-1], _KEYS.get(place[:-1], ()))}"
        case "missing":
            words = f"nøkkelen «{key}» mangler"
        case "literal_error":
            languages = get_args(CatalogueLanguage)
            words = f"«{key}» må være en av {', '.join(languages)}{meant(str(error['input']), languages)}"
        case "string_pattern_mismatch":
            words = f"«{key}» må være 2–40 små bokstaver a–z, tall og bindestrek, som hjelpetilbud"
        case "greater_than_equal" | "less_than_equal":
            bound = "minst" if "ge" in limits else "høyst"
            words = f"«{key}» må være {bound} {limits.get('ge', limits.get('le'))}"
        case "value_error":
            words = f"«{key}»: {limits['error']}"
        case _:
            words = f"«{key}» {_WANTED.get(kind, 'kan ikke leses (' + error['msg'] + ')')}"
    return words


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question for the name that was probably meant, or ""."""
    by_lower = {each.lower(): each for each in known}
    close: Sequence[str] = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return f"; mente du «{by_lower[close[0]]}»?" if close else ""
