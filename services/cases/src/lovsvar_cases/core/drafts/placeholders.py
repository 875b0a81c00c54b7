"""Placeholders of a draft, and what they stand for."""

import re
from collections.abc import Mapping, Sequence

from lovsvar_cases.core.drafts.blocks import Block, Blocks, changed, texts
from lovsvar_cases.core.drafts.errors import Unfilled
from lovsvar_cases.core.parties import FIELDS
from lovsvar_contracts.cases import Party

ANY = re.compile(r"\{\{\s*([^{}]{0,80}?)\s*\}\}")
NAME = "name"
"""A field that every party has: the whole name."""

Numbered = Mapping[str, str]
"""What numbered placeholders (`telefon1`) stand for, by their names."""


class Meanings:
    """What the placeholders of one case stand for."""

    def __init__(self, parties: Sequence[Party], numbered: Numbered) -> None:
        self.parties = {party.party_id: party for party in parties}
        self._numbered = numbered

    def of(self, name: str) -> str | None:
        """Return what a placeholder stands for, None for one of nothing."""
        party_id, dot, field = name.partition(".")
        if not dot:
            return self._numbered.get(name)
        party = self.parties.get(party_id)
        if party is None:
            return None
        return whole_name(party) or None if field == NAME else party.fields.get(field)

    def why_not(self, name: str) -> str:
        """Say why a placeholder stands for nothing, and what to do."""
        party_id, dot, field = name.partition(".")
        shown = "{{" + name + "}}"
        if not dot or not re.fullmatch(r"party\d{1,3}", party_id):
            return f"{shown} er ingen plassholder i saken."
        party = self.parties.get(party_id)
        if party is None:
            return f"{shown}: {party_id} er ingen part i saken."
        if field != NAME and field not in FIELDS[party.kind]:
            return f"{shown}: en slik part har ikke feltet {field}; felter: name, {', '.join(FIELDS[party.kind])}."
        return f"{shown}: feltet {field} er tomt for {party_id}."


def whole_name(party: Party) -> str:
    """Return the name of a person or an organisation, "" when none is known."""
    fields = party.fields
    return fields.get("orgName") or " ".join(filter(None, (fields.get("firstName"), fields.get("lastName"))))


def address_lines(party: Party) -> tuple[str, ...]:
    """Return what stands in an address block of a party, as far as it is known."""
    fields = party.fields
    place = " ".join(filter(None, (fields.get("postalCode"), fields.get("city"))))
    care = fields.get("contactName")
    lines = (whole_name(party), f"v/ {care}" if care else "", fields.get("address"), place, fields.get("country"))
    return tuple(line for line in lines if line)


def named(text: str) -> tuple[str, ...]:
    """Return the names of the placeholders in a text, each once."""
    return tuple(dict.fromkeys(found[1] for found in ANY.finditer(text)))


def filled(blocks: Sequence[Block], meanings: Meanings) -> Blocks:
    """Return the blocks with what their placeholders stand for. Raises `Unfilled`, which names all that fail."""
    names = dict.fromkeys(name for text in texts(blocks) for name in named(text))
    missing = [meanings.why_not(name) for name in names if not meanings.of(name)]
    if missing:
        raise Unfilled(missing)
    return changed(blocks, lambda text: ANY.sub(lambda found: meanings.of(found[1]) or "", text))
