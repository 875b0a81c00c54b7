"""An invented case, with letters that not every font has: for tests and benchmarks."""

from datetime import UTC, datetime
from typing import Any

from lovsvar_cases.core.drafts.placeholders import Meanings
from lovsvar_contracts.case_details import PartyKind
from lovsvar_contracts.case_drafts import Draft, DraftHead
from lovsvar_contracts.cases import Party

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)

TENANT = Party(
    party_id="party0",
    kind=PartyKind.PERSON,
    role="leier",
    fields={
        "firstName": "Máret Ánne",
        "lastName": "Đorđe-Ŋilas Ștefan",
        "birthDate": "1.2.1990",
        "address": "Šibergvegen 1 ž ă",
        "postalCode": "9845",
        "city": "Deatnu",
        "email": "maret@example.no",
    },
)
LANDLORD = Party(
    party_id="party1",
    kind=PartyKind.ORGANISATION,
    role="utleier",
    fields={"orgName": "Bolig #1 AS", "contactName": "Ola Hansen", "address": "Storgata 2"},
)
MEANINGS = Meanings((TENANT, LANDLORD), {"telefon1": "41 23 45 67"})


def draft(markdown: str, **more: Any) -> Draft:
    """Return a revision with this text."""
    fields = {"head": DraftHead(sender="party0", recipient="party1", place="Deatnu"), **more}
    return Draft.model_validate(
        {
            "case_id": "4bf92f3577b34da6a3ce929d0e0e4736", "draft_id": "d1", "revision": 1, "name": "Utkast",
            "made_at": NOW, "made_by": "kari", "case_version": 3, "markdown": markdown, **fields,
        }
    )  # fmt: skip
