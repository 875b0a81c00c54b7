"""Parties of a case: which fields there are, and changes of them."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from stdnum.exceptions import ValidationError as NotANumber
from stdnum.iban import validate as check_iban
from stdnum.no import fodselsnummer, kontonr, orgnr

from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.errors import InvalidParty, UnknownParty
from lovsvar_contracts.case_details import CaseDetails, PartyContext, PartyKind
from lovsvar_contracts.cases import CaseAction, Party, SetParty

_REACHED = ("address", "postalCode", "city", "country", "email", "phone", "accountNumber", "iban", "alias")

FIELDS: Mapping[PartyKind, tuple[str, ...]] = MappingProxyType(
    {
        PartyKind.PERSON: ("firstName", "lastName", "birthNumber", "birthDate", *_REACHED),
        PartyKind.ORGANISATION: ("orgName", "orgNumber", "contactName", *_REACHED),
    }
)
"""The fields that a placeholder may name: `{{party0.lastName}}`."""

NAME_FIELDS = ("firstName", "lastName", "orgName", "contactName", "alias")
"""Those that hold names, by which a party is found."""

MOST_PARTIES = 50


def set_party(file: CaseFile, request: SetParty) -> Step:
    """Decide on a new party, or on changes of one. Raises `InvalidParty` and `UnknownParty`."""
    details = file.state.details
    known = _places(details)
    party_id = request.party_id or f"party{len(details.parties_involved_context)}"
    if request.party_id is not None and party_id not in known:
        raise UnknownParty(f"Saken har ingen part {party_id}.")
    if len(details.parties_involved_context) >= MOST_PARTIES and party_id not in known:
        raise InvalidParty(f"En sak kan ha høyst {MOST_PARTIES} parter.")
    before = details.parties_involved_context[known[party_id]] if party_id in known else PartyContext(party_id=party_id)
    kind = request.party_kind or before.kind
    fields = {name: None if value is None else checked(kind, name, value) for name, value in request.fields.items()}
    given = {*before.fields, *(name for name, value in fields.items() if value is not None)}
    after = PartyContext(
        party_id=party_id,
        kind=kind,
        role=before.role if request.role is None else request.role,
        fields=tuple(name for name in FIELDS[kind] if name in given and fields.get(name, "") is not None),
    )
    path = f"parties_involved_context.{known[party_id]}" if party_id in known else "parties_involved_context"
    body = ChangeBody(updates={path: after.model_dump(mode="json")}, about=party_id)
    return Step(CaseAction.PARTY_SET, body, fields=fields)


def remove_party(file: CaseFile, party_id: str) -> Step:
    """Decide to forget a party; its id stays taken, since drafts may name it. Raises `UnknownParty`."""
    place = _places(file.state.details).get(party_id)
    if place is None:
        raise UnknownParty(f"Saken har ingen part {party_id}.")
    left = PartyContext(party_id=party_id, removed=True).model_dump(mode="json")
    body = ChangeBody(updates={f"parties_involved_context.{place}": left}, about=party_id)
    return Step(CaseAction.PARTY_REMOVED, body, forgotten=party_id)


def _places(details: CaseDetails) -> dict[str, int]:
    """Return where in the list each party is that was not removed."""
    return {one.party_id: place for place, one in enumerate(details.parties_involved_context) if not one.removed}


def checked(kind: PartyKind, name: str, value: str) -> str:
    """Return a field's value as it is stored. Raises `InvalidParty`, whose words do not hold the value."""
    if name not in FIELDS[kind]:
        raise InvalidParty(f"En part kan ikke ha feltet «{name[:40]}». Felter: {', '.join(FIELDS[kind])}.")
    try:
        return _CHECKS.get(name, str.strip)(value)
    except (NotANumber, ValueError):
        raise InvalidParty(f"Verdien av «{name}» er ikke gyldig.") from None


def parties_of(details: CaseDetails, values: Mapping[str, Mapping[str, str]]) -> tuple[Party, ...]:
    """Return the parties with who they are, as the vault says."""
    return tuple(
        Party(party_id=one.party_id, kind=one.kind, role=one.role, fields=dict(values.get(one.party_id, {})))
        for one in details.parties_involved_context
        if not one.removed
    )


def _e_mail(value: str) -> str:
    if not re.fullmatch(r"[^@\s<>\"]{1,64}@[^@\s<>\"]{1,255}", value):
        raise ValueError
    return value


def _postal_code(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9 -]{2,12}", value):
        raise ValueError
    return value


def _phone(value: str) -> str:
    if not re.fullmatch(r"\+?[\d ().-]{5,25}", value):
        raise ValueError
    return value


_CHECKS = {
    "birthNumber": fodselsnummer.validate,
    "orgNumber": orgnr.validate,
    "accountNumber": kontonr.validate,
    "iban": check_iban,
    "email": _e_mail,
    "phone": _phone,
    "postalCode": _postal_code,
}
