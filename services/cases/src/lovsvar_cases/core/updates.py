"""Updates of a case's details by dot notation: which replace, which append, and what comes of them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from lovsvar_cases.core.errors import CaseTooLarge, InvalidUpdate
from lovsvar_contracts.case_details import CaseDetails

MOST_BYTES = 400_000
"""Of all details as JSON: a reply holds them, encrypted and in base64, and may be 1 MB."""

OF_PARTIES = "parties_involved_context"
REPLACED = "legal_research."
"""Lists below this name are replaced by what is given; all other lists are appended to."""

FREE = "case_processing_state.data"
"""Below this any names may be used."""


def replacing(details: CaseDetails, updates: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths at which something that is there would be replaced. Raises `InvalidUpdate`."""
    data = details.model_dump(mode="json")
    for path in updates:
        if not _appends(path, _at(data, path)):
            yield path


def updated(details: CaseDetails, updates: Mapping[str, Any]) -> CaseDetails:
    """Return `details` with `updates`. Raises `InvalidUpdate`, whose words a person or a model can act on.

    A path is the names of fields, and places in lists from 0, with dots between.
    """
    return updated_by_all(details, (updates,))


def updated_by_all(details: CaseDetails, many: Iterable[Mapping[str, Any]]) -> CaseDetails:
    """Return `details` with one set of updates after another. They are made whole only where a later one needs it.

    What is set may lack fields that it has by default: who goes into it must find them. Raises `InvalidUpdate`.
    """
    data = details.model_dump(mode="json")
    changed: set[str] = set()
    for updates in many:
        if any(path.startswith(f"{one}.") for path in updates for one in changed):
            data, changed = _whole(data).model_dump(mode="json"), set()
        # From the back of a list, so that what is removed moves nothing that is still to be changed.
        for path, value in sorted(updates.items(), key=lambda item: _order(item[0]), reverse=True):
            _set(data, path, value)
        changed.update(updates)
    return _whole(data)


def _whole(data: dict[str, Any]) -> CaseDetails:
    try:
        made = CaseDetails.model_validate_json(json.dumps(data), extra="forbid")
    except (ValidationError, ValueError, TypeError) as exc:
        raise InvalidUpdate(_why(exc)) from None
    if len(made.model_dump_json()) > MOST_BYTES:
        raise CaseTooLarge(
            f"Saken blir for stor: høyst {MOST_BYTES // 1000} kB. Legg lange tekster ved som dokumenter."
        )
    return made


def _appends(path: str, there: Any) -> bool:
    return isinstance(there, list) and not path.startswith(REPLACED) and not path.startswith(FREE)


def _order(path: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in path.split("."))


def _at(data: Any, path: str) -> Any:
    """Return what is at `path`, None for a name that is free to be used. Raises `InvalidUpdate`."""
    for part in path.split("."):
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        elif path.startswith(f"{FREE}."):
            return None
        else:
            known = (
                ", ".join(data) if isinstance(data, dict) else f"plassene 0 til {len(data) - 1}" if data else "ingen"
            )
            raise InvalidUpdate(
                f"Det finnes ikke noe felt «{path[:100]}» (ukjent: «{part[:40]}»; her finnes: {known})."
            )
    return data


def _set(data: dict[str, Any], path: str, value: Any) -> None:
    there = _at(data, path)
    holder, _, name = path.rpartition(".")
    within = _at(data, holder) if holder else data
    if _appends(path, there):
        there.extend(value if isinstance(value, list) else [value])
    elif isinstance(within, list):
        if value is None:
            del within[int(name)]
        else:
            within[int(name)] = value
    elif isinstance(within, dict):
        within[name] = value
    else:
        raise InvalidUpdate(f"«{path[:100]}» kan ikke settes.")


def _why(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "Verdien er ikke gyldig JSON."
    said = (
        f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
        for one in error.errors(include_input=False, include_url=False, include_context=False)[:5]
    )
    return "; ".join(said)
