"""What is wrong with a request, in Norwegian."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator
from pydantic_core import PydanticCustomError

from lovsvar_contracts.questions import MAX_QUESTION

OWN = "lovsvar."  # begins the type of every error whose message is already a whole sentence for the client

DEEPEST = 20  # levels of JSON data that is stored as it is given

_FOREIGN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

_WORDS: Mapping[str, str] = {
    "missing": "mangler",
    "string_type": "må være tekst",
    "string_too_short": "må ha minst {min_length} tegn",
    "string_too_long": "kan ha høyst {max_length} tegn",
    "string_pattern_mismatch": "har feil form",
    "string_unicode": "er ikke gyldig Unicode",
    "int_parsing": "må være et heltall",
    "int_type": "må være et heltall",
    "int_from_float": "må være et heltall",
    "int_parsing_size": "er for stort",
    "bool_parsing": "må være true eller false",
    "bool_type": "må være true eller false",
    "iso_date": "må være en dato, som 2026-01-31",
    "greater_than_equal": "må være minst {ge}",
    "less_than_equal": "kan være høyst {le}",
    "enum": "må være en av {expected}",
    "literal_error": "må være en av {expected}",
    "extra_forbidden": "er ukjent",
    "too_short": "må ha minst {min_length} elementer",
    "too_long": "kan ha høyst {max_length} elementer",
    "list_type": "må være en liste",
    "tuple_type": "må være en liste",
    "model_attributes_type": "må være et JSON-objekt (Content-Type: application/json)",
    "model_type": "må være et JSON-objekt",
}


class WrongField(BaseModel):
    """One field of a request that is wrong."""

    field: str
    detail: str


def describe(errors: Iterable[Mapping[str, Any]]) -> tuple[str, list[WrongField]]:
    """Return one sentence for all of pydantic's `errors`, and each by its field. The input is never repeated."""
    found = [WrongField(field=_field(e["loc"]), detail=_words(e)) for e in errors]
    own = [e["msg"] for e in errors if str(e["type"]).startswith(OWN)]
    if own:
        return " ".join(own), found
    return "; ".join(f"{e.field} {e.detail}" for e in found[:5]) + ".", found


def _field(loc: Sequence[str | int]) -> str:
    # The first part says where it was: body, query, path, header.
    return ".".join(str(part) for part in loc[1:]) or "forespørselen"


def _words(error: Mapping[str, Any]) -> str:
    if str(error["type"]).startswith(OWN):
        return str(error["msg"])
    context = error.get("ctx") or {}
    if "expected" in context:  # pydantic's list: "'lov', 'forskrift' or 'vedtak'"
        context = {**context, "expected": str(context["expected"]).replace("' or '", "' eller '")}
    return _WORDS.get(error["type"], "er ugyldig").format_map(context)


def _checked_question(value: str) -> str:
    question = value.strip()
    if not question:
        raise PydanticCustomError(f"{OWN}question_empty", "Spørsmålet er tomt.")
    if len(question) > MAX_QUESTION:
        raise PydanticCustomError(
            f"{OWN}question_long",
            "Spørsmålet er for langt: {length} tegn, høyst {limit}.",
            {"length": len(question), "limit": MAX_QUESTION},
        )
    return question


def _plain(value: str) -> str:
    if _FOREIGN.search(value):
        raise PydanticCustomError(f"{OWN}foreign", "Teksten har styretegn eller ugyldige tegn, som ikke kan brukes.")
    return value


def _plain_data(value: Any) -> Any:
    for text in _texts(value):
        _plain(text)
    return value


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    if depth > DEEPEST:
        raise PydanticCustomError(f"{OWN}deep", "Verdiene ligger for dypt inni hverandre.")
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _texts(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, depth + 1)


def _iso_date(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return date.fromisoformat(value)
    except ValueError as exc:
        raise PydanticCustomError("iso_date", "not an ISO 8601 date") from exc


Plain = AfterValidator(_plain)
"""Text that UTF-8, PostgreSQL and terminals can take: no control characters, no lone surrogates."""

PlainData = AfterValidator(_plain_data)
"""JSON data of such texts alone."""

IsoDate = BeforeValidator(_iso_date)
"""A day by its ISO 8601 name; pydantic alone would also take a number, as seconds since 1970."""

CheckedQuestion = Annotated[str, AfterValidator(_checked_question), Plain]
"""A question within its limits, with error messages of its own."""
