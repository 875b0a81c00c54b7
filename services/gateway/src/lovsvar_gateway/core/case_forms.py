"""Forms of the pages of cases: what their fields say, as the routes take it."""

from collections.abc import Mapping, Sequence
from typing import Any

from lovsvar_contracts.case_details import PartyKind
from lovsvar_gateway.core.errors import FormIncomplete
from lovsvar_gateway.core.question_form import cleaned

MOST_WORDS = 8_000

FACT = ("fact", "timestamp", "source")
LISTS: Mapping[str, Sequence[str]] = {"facts": FACT, "objectives": ("words",), "internal_notes": ("words",)}
"""The lists of a case that a person writes in, and the fields of an item; the first is needed."""

_EVERYBODY = ("address", "postalCode", "city", "country", "email", "phone", "accountNumber", "iban")
PARTY_FIELDS: Mapping[PartyKind, Sequence[str]] = {
    PartyKind.PERSON: ("firstName", "lastName", "birthNumber", "birthDate", *_EVERYBODY, "alias"),
    PartyKind.ORGANISATION: ("orgName", "orgNumber", "contactName", *_EVERYBODY, "alias"),
}
"""The fields of the form of a party."""


def updates_of(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the update that a form about details asks for, by dot notation. Raises `FormIncomplete`.

    `do` is `summarise`, or `add`, `change` or `remove`, which are about a `list` and, but for `add`, a `place` in it.
    """
    do, name, place = given.get("do"), given.get("list", ""), given.get("place", "")
    if do == "summarise":
        return {"summary.current": cleaned(given.get("summary", ""), MOST_WORDS)}
    if name not in LISTS or not (do == "add" or (place.isascii() and place.isdecimal())):
        raise FormIncomplete("case_form_unknown", "do")
    if do == "remove":
        return {f"{name}.{int(place)}": None}
    fields = {one: cleaned(given.get(one, ""), MOST_WORDS) or None for one in LISTS[name]}
    first = LISTS[name][0]
    if fields[first] is None:
        raise FormIncomplete("case_words_missing", first)
    item: Any = fields if len(fields) > 1 else fields[first]
    return {name: [item]} if do == "add" else {f"{name}.{int(place)}": item}


def party_of(given: Mapping[str, str]) -> dict[str, Any]:
    """Return a party as a form describes it: a field that is empty is forgotten, or was never known."""
    kind = PartyKind.ORGANISATION if given.get("kind") == PartyKind.ORGANISATION else PartyKind.PERSON
    fields = {name: cleaned(given[name], 1_000) or None for name in PARTY_FIELDS[kind] if name in given}
    if not given.get("party_id"):
        fields = {name: value for name, value in fields.items() if value}
        if not fields:
            raise FormIncomplete("case_party_empty", PARTY_FIELDS[kind][0])
    return {"kind": kind, "role": cleaned(given.get("role", ""), 100), "fields": fields}


def draft_of(given: Mapping[str, str]) -> dict[str, Any]:
    """Return a draft as a form describes it: its text, or a template and what that asks for; its name, its head.

    The head is left to the service where the form has none.
    """
    template = given.get("template", "")
    made: dict[str, Any] = {"name": cleaned(given.get("name", ""), 120) or None}
    if template:
        asked = {name.removeprefix("value-"): value for name, value in given.items() if name.startswith("value-")}
        made |= {"template": template, "values": {name: text for name, text in asked.items() if text.strip()}}
    else:
        made["markdown"] = given.get("markdown", "").replace("\r\n", "\n")
        if not made["markdown"].strip():
            raise FormIncomplete("case_words_missing", "markdown")
    return made | {"head": _head(given)}


def _head(given: Mapping[str, str]) -> dict[str, Any]:
    lines = [cleaned(line, 120) for line in given.get("recipient_lines", "").splitlines() if line.strip()]
    signatures = [cleaned(line, 120) for line in given.get("signatures", "").splitlines() if line.strip()]
    return {
        "layout": given.get("layout") or "letter",
        "sender": given.get("sender") or None,
        "recipient": given.get("recipient") or None,
        "recipient_lines": lines,
        "reference": cleaned(given.get("reference", ""), 100),
        "place": cleaned(given.get("place", ""), 60),
        "dated": given.get("dated") or None,
        "signatures": signatures,
    }
