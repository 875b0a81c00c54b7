"""A call's arguments, read as they were meant.

Models write numbers as text, leave `null` in fields they do not use, wrap JSON in words or fences, and are cut off in
the middle. What can be understood is; what cannot is answered with a sentence that says what to write instead.
"""

import contextlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.question_filters import NO_FILTERS
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import QuestionFilters
from lovsvar_contracts.search import MAX_PAGE_SIZE

MAX_TEXT = 1_000
"""Characters of a query or a name that are used."""

MAX_NAME = 150
"""Characters of a document's or a section's name that are used."""

MAX_DEPTH = 8
"""Arguments that are nested deeper than this are no arguments."""

MAX_STARTS = 50
"""Braces of a text that are tried as the beginning of an object."""

_YEAR = re.compile(r"(\d{4})(?:\.0)?")


def _finite(written: str) -> float | None:
    value = float(written)
    return value if math.isfinite(value) else None


_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None, parse_float=_finite)
_LAW_TYPES = {t.value: t for t in LawType} | {"lover": LawType.LOV, "forskrifter": LawType.FORSKRIFT}


class Misunderstood(ValueError):
    """Arguments that cannot be used. Its text is a Norwegian sentence for the model."""


def read_objects(text: str, starts: int = MAX_STARTS) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in `text` that are whole, in order, none inside another; `starts` braces are tried."""
    at = text.find("{")
    while at >= 0 and starts:
        end = at + 1
        with contextlib.suppress(ValueError, RecursionError):
            value, end = _DECODER.raw_decode(text, at)
            yield _readable(value)
        at = text.find("{", end)
        starts -= 1


def read_object(text: str, starts: int = 5) -> dict[str, Any] | None:
    """Return the first JSON object in `text` that is whole, or None; the first `starts` braces are tried."""
    return next(read_objects(text, starts), None)


def read_arguments(text: str) -> dict[str, Any]:
    """Return the arguments of a call, without fields that are `null` or empty. Raises `Misunderstood`."""
    if not text.strip():
        return {}
    value = read_object(text, starts=1)
    if value is None:
        raise Misunderstood("Argumentene var ikke gyldig JSON. Skriv ett JSON-objekt med feltene verktøyet beskriver.")
    return {key: v for key, v in value.items() if v not in (None, "", [])}


def whole_characters(text: str) -> str:
    """Return `text` with halves of characters joined, those without their other half replaced, and no NUL."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "")


def text_of(arguments: Mapping[str, Any], name: str, most: int = MAX_TEXT) -> str:
    """Return a text field, trimmed and cut; numbers are taken as text. Empty when it is missing."""
    value = arguments.get(name, "")
    return " ".join(str(value).split())[:most] if isinstance(value, str | int | float) else ""


def required(arguments: Mapping[str, Any], name: str, most: int = MAX_TEXT) -> str:
    """Return a text field. Raises `Misunderstood` when it is missing."""
    if value := text_of(arguments, name, most):
        return value
    raise Misunderstood(f"Feltet {name} mangler. Oppgi det som tekst.")


def number_of(arguments: Mapping[str, Any], name: str, default: int, most: int) -> int:
    """Return a whole number from 1 to `most`; what is none is the default."""
    try:
        value = int(float(text_of(arguments, name)))
    except (ValueError, OverflowError):
        return default
    return max(1, min(value, most))


def texts_of(arguments: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of texts, without what is none; one text alone is a list of one."""
    value = arguments.get(name, ())
    items = value if isinstance(value, list) else [value]
    found = (" ".join(v.split())[:MAX_TEXT] for v in items if isinstance(v, str))
    return tuple(dict.fromkeys(v for v in found if v))


@dataclass(frozen=True)
class Search:
    """A search as the model asks for it. `ignored` says in Norwegian what of it could not be used."""

    query: str
    filters: QuestionFilters = NO_FILTERS
    page: int = 1
    page_size: int = 10
    ignored: tuple[str, ...] = ()


def read_search(arguments: Mapping[str, Any]) -> Search:
    """Return a search's arguments. Raises `Misunderstood` when there is no query."""
    ignored = []
    wanted = text_of(arguments, "lawType")
    law_type = _LAW_TYPES.get(wanted.casefold())
    if wanted and law_type is None:
        ignored.append(f"lawType «{wanted[:40]}» finnes ikke og ble ikke brukt.")
    written = text_of(arguments, "year")
    year = int(match[1]) if (match := _YEAR.fullmatch(written)) else None
    if written and (year is None or not 1600 <= year <= 3000):
        ignored.append(f"year «{written[:40]}» er ikke noe årstall og ble ikke brukt.")
        year = None
    return Search(
        query=required(arguments, "query"),
        filters=QuestionFilters(law_type=law_type, year=year, ministry=text_of(arguments, "ministry")[:200] or None),
        page=number_of(arguments, "page", 1, 1000),
        page_size=number_of(arguments, "pageSize", 10, MAX_PAGE_SIZE),
        ignored=tuple(ignored),
    )


def _readable(value: Any, depth: int = 0) -> Any:
    """Return `value` with every text in it whole. Raises `ValueError` when it is nested too deep."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    match value:
        case str():
            return whole_characters(value)
        case dict():
            return {whole_characters(str(k)): _readable(v, depth + 1) for k, v in value.items()}
        case list():
            return [_readable(v, depth + 1) for v in value]
        case _:
            return value
