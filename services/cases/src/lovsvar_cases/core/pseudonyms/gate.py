"""The gate: personal data out of a text, and back in for who may see it.

Parties become `{{party0.lastName}}`, everything else a numbered placeholder of its kind, `{{telefon1}}`, which a case's
ledger remembers, so that the same number is the same placeholder in every text.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lovsvar_cases.core.pseudonyms.identifiers import identifiers
from lovsvar_cases.core.pseudonyms.other_names import NameLists, base, other_names
from lovsvar_cases.core.pseudonyms.registered import forms_of, registered
from lovsvar_cases.core.pseudonyms.spans import Span, without_overlaps
from lovsvar_contracts.cases import Party

PLACEHOLDER = re.compile(r"\{\{\s*([a-zA-Z]+\d+)(?:\.([A-Za-z]+))?\s*\}\}")
KINDS = ("navn", "epost", "adresse", "iban", "fodselsnummer", "kontonummer", "nummer", "orgnr", "telefon")
MADE_ID = re.compile(r"(?<![0-9A-Za-z])(?=\d*[a-f])[0-9a-f]{32}(?![0-9A-Za-z])")
"""The id of a document, a draft or a run (`new_id`): digits in it are nobody's number."""

INVISIBLE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u3164"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffc]"
)
"""What no reader sees, so that a name with it in the middle looks like the name."""

Entry = tuple[str, int]
"""A kind and a number: what a placeholder names."""


@dataclass
class Ledger:
    """What numbered placeholders stand for. `added` is what was not there before."""

    values: dict[Entry, str] = field(default_factory=dict)
    added: dict[Entry, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers = {(kind, _key(kind, value)): number for (kind, number), value in self.values.items()}
        self._last: dict[str, int] = {}
        for kind, number in self.values:
            self._last[kind] = max(number, self._last.get(kind, 0))

    def placeholder(self, kind: str, value: str) -> str:
        """Return the placeholder of a value, a new one for one that is new."""
        key = (kind, _key(kind, value))
        if (number := self._numbers.get(key)) is None:
            number = self._numbers[key] = self._last[kind] = self._last.get(kind, 0) + 1
            self.values[kind, number] = self.added[kind, number] = value
        return "{{" + f"{kind}{number}" + "}}"


class Gate:
    """Takes personal data out of the texts of one case, and puts it back."""

    def __init__(self, parties: Sequence[Party], ledger: Ledger, lists: NameLists) -> None:
        self._forms = forms_of(parties)
        self._fields = {f"{one.party_id}.{name}": value for one in parties for name, value in one.fields.items()}
        self._lists = lists
        self.ledger = ledger

    def hidden(self, text: str) -> str:
        """Return `text` with placeholders in place of everything that may tell who somebody is."""
        text = INVISIBLE.sub("", unicodedata.normalize("NFC", text))
        protected = [Span(*found.span()) for kept in (PLACEHOLDER, MADE_ID) for found in kept.finditer(text)]
        spans = without_overlaps(
            (
                *protected,
                *registered(text, self._forms),
                *identifiers(text),
                *other_names(text, self._lists),
            )
        )
        parts, at = [], 0
        for span in spans:
            parts.append(text[at : span.start])
            parts.append(self._replacement(text[span.start : span.end], span))
            at = span.end
        return "".join((*parts, text[at:]))

    def _replacement(self, found: str, span: Span) -> str:
        if span.placeholder:
            return span.placeholder
        if not span.kind or not any(sign.isalnum() for sign in found):
            return found
        if (inner := found.strip(" ,.;:\n\t\u00a0")) != found:
            # What is left of an overlap begins or ends with what joined the two.
            return found.replace(inner, self._replacement(inner, span), 1)
        genitive = span.kind == "navn" and base(found) != found and len(found) > 4
        value = base(found) if genitive else found
        return self.ledger.placeholder(span.kind, value) + ("s" if genitive else "")

    def shown(self, text: str) -> str:
        """Return `text` with what its placeholders stand for; those of nothing stay."""

        def value(found: re.Match[str]) -> str:
            name, of = found[1], found[2]
            if of:
                return self._fields.get(f"{name}.{of}", found[0])
            kind, number = re.sub(r"\d+$", "", name), int(re.findall(r"\d+$", name)[0])
            return self.ledger.values.get((kind, number), found[0])

        return PLACEHOLDER.sub(value, text)


def everywhere(change: Any, data: Any) -> Any:
    """Return JSON data with `change`, a function of texts, applied to all texts in it but the names of fields."""
    if isinstance(data, str):
        return change(data)
    if isinstance(data, Mapping):
        return {key: everywhere(change, value) for key, value in data.items()}
    if isinstance(data, Iterable):
        return [everywhere(change, value) for value in data]
    return data


def _key(kind: str, value: str) -> str:
    """Return what two spellings of one value have in common."""
    kept = re.sub(r"[\s.\u00a0-]+", "" if kind not in {"navn", "adresse"} else " ", value)
    return kept.strip().casefold()
