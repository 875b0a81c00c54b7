"""What the gate takes out of texts: every identifier and registered name, nearly every other name; and puts back."""

import functools
import re
import time
from dataclasses import dataclass

import pytest

from lovsvar_cases.adapters.word_lists import read_name_lists
from lovsvar_cases.core.pseudonyms.gate import Gate, Ledger, everywhere
from lovsvar_contracts.case_details import PartyKind
from lovsvar_contracts.cases import Party
from lovsvar_testkit.personal_data.made_cases import MadeCase, made_cases
from lovsvar_testkit.personal_data.sightings import Kind, Secret, Watch, squeezed

LISTS = read_name_lists()


def gate_of(made: MadeCase) -> Gate:
    return Gate(made.parties, Ledger(), LISTS)


def texts_of(made: MadeCase) -> str:
    return f"{made.title}\n{made.letter}"


@dataclass
class Hidden:
    """A generated case, its texts without personal data, what was there to be seen, and what is all the same."""

    made: MadeCase
    gate: Gate
    text: str
    there: set[Secret]
    seen: set[Secret]


@pytest.fixture(scope="module", params=[100, pytest.param(300, marks=pytest.mark.slow)])
def hidden(request: pytest.FixtureRequest) -> list[Hidden]:
    """So many cases behind their gates. Their names are drawn from lists, so that many patterns are the same."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(re, "compile", functools.cache(re.compile))
        for made in made_cases(request.param, scanned_every=1_000):
            gate = gate_of(made)
            text = gate.hidden(texts_of(made))
            watch = Watch(made.secrets)
            found.append(
                Hidden(
                    made,
                    gate,
                    text,
                    there=watch.sightings(texts_of(made).encode()),
                    seen=watch.sightings(text.encode()),
                )
            )
    return found


def test_of_hundreds_of_cases_no_identifier_and_no_registered_name_gets_out(hidden: list[Hidden]) -> None:
    leaks = [(one.made.number, secret) for one in hidden for secret in one.seen if secret.kind is not Kind.OTHER]
    assert leaks == []


def test_at_least_ninety_five_of_a_hundred_other_names_are_masked(hidden: list[Hidden]) -> None:
    there = [secret for one in hidden for secret in one.there if secret.kind is Kind.OTHER]
    kept = [secret.value for one in hidden for secret in one.seen if secret.kind is Kind.OTHER]
    assert len(there) > 5 / 3 * len(hidden)
    assert len(kept) / len(there) <= 0.05, kept


def test_what_was_taken_out_is_put_back_for_who_may_see_it(hidden: list[Hidden]) -> None:
    for one in hidden:
        shown = one.gate.shown(one.text)
        assert "{{" not in shown
        assert {secret for secret in one.there if squeezed(secret.value)[-8:] not in squeezed(shown)} == set()


KARI = Party(
    party_id="party0",
    kind=PartyKind.PERSON,
    fields={"firstName": "Kari Anne", "lastName": "Nordmann", "phone": "+47 912 34 567", "address": "Storgata 1 B"},
)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Kari Anne Nordmanns krav", "{{party0.firstName}} {{party0.lastName}}s krav"),
        ("NORDMANN, KARI ANNE", "{{party0.firstName}} {{party0.lastName}}"),
        (
            "K. Nordmann og K. A. Nordmann",
            "{{party0.firstName}} {{party0.lastName}} og {{party0.firstName}} {{party0.lastName}}",
        ),
        ("Nord-\nmann sa", "{{party0.lastName}} sa"),
        ("Nordmannfamilien", "{{party0.lastName}}familien"),
        ("ring 91 23 45 67", "ring {{party0.phone}}"),
        ("ring 0047 91234567.", "ring {{party0.phone}}."),
        ("bor i storgata 1 b", "bor i {{party0.address}}"),
        ("Brev Nord- mann.pdf", "Brev {{party0.lastName}}.pdf"),
        ("Nord\u2069mann", "{{party0.lastName}}"),
        ("tlf41.23.45.67 eller mob. 41-23 45 67", "tlf{{telefon1}} eller mob. {{telefon1}}"),
        ("ring 00 47 47 28 16 29", "ring {{telefon1}}"),
        ("NO93 8601\n1117 947", "{{iban1}}"),
        ("NEDRE SKOGEN 358, H0301", "{{adresse1}}"),
        ("Saksbehandler THURAYA QASEMI skrev.", "Saksbehandler {{navn1}} skrev."),
        ("Kvamme, Sindre skrev.", "{{navn1}} skrev."),
        ("Kristbjörg Þórsdóttir kom med Þórsdóttir.", "{{navn1}} kom med {{navn2}}."),
        ("KLAGE PÅ VEDTAK OM BARNEBIDRAG\nJeg klager.", "KLAGE PÅ VEDTAK OM BARNEBIDRAG\nJeg klager."),
        ("HR-2019-1234-A, kl. 20.30-21.45, 2023-2024", "HR-2019-1234-A, kl. 20.30-21.45, 2023-2024"),
        ("9d41234567aa4123bb4123456700aa11", "9d41234567aa4123bb4123456700aa11"),
        ("fnr 151086 95088", "fnr {{fodselsnummer1}}"),
        ("konto 8601.11.17947", "konto {{kontonummer1}}"),
        ("Husleien er 12 500 kr etter husleieloven § 9-6.", "Husleien er 12 500 kr etter husleieloven § 9-6."),
        ("Kravet er 125 000 000 kroner.", "Kravet er 125 000 000 kroner."),
        ("Vi møttes i Oslo tingrett 12. mai 2024.", "Vi møttes i Oslo tingrett 12. mai 2024."),
        ("Forbrukerrådet og NAV svarte.", "Forbrukerrådet og NAV svarte."),
    ],
)
def test_forms(text: str, hidden: str) -> None:
    assert Gate((KARI,), Ledger(), LISTS).hidden(text) == hidden


def test_a_value_has_the_same_placeholder_in_every_text_and_a_new_one_the_next_number() -> None:
    first = Gate((), Ledger(), LISTS)
    assert first.hidden("Ring 41 23 45 67 eller 98765432.") == "Ring {{telefon1}} eller {{telefon2}}."
    later = Gate((), Ledger(dict(first.ledger.values)), LISTS)
    assert (
        later.hidden("Ring 98 76 54 32, 41234567 eller 40000001.")
        == "Ring {{telefon2}}, {{telefon1}} eller {{telefon3}}."
    )
    assert list(later.ledger.added) == [("telefon", 3)]
    assert (
        later.shown("{{telefon1}} {{telefon9}} {{party7.lastName}}") == "41 23 45 67 {{telefon9}} {{party7.lastName}}"
    )


def test_what_is_hidden_already_stays_as_it_is() -> None:
    gate = Gate((KARI,), Ledger(), LISTS)
    once = gate.hidden("Kari Anne Nordmann, 41 23 45 67, naboen Egil Strand")
    assert gate.hidden(once) == once


def test_texts_are_found_wherever_they_are_in_data() -> None:
    data = {"a": ["Nordmann", {"b": "Nordmann", "c": 1}], "d": None, "Nordmann": "e"}
    hidden = everywhere(Gate((KARI,), Ledger(), LISTS).hidden, data)
    name = "{{party0.lastName}}"
    assert hidden == {"a": [name, {"b": name, "c": 1}], "d": None, name: "e"}


def test_a_long_text_takes_no_long_time() -> None:
    (made,) = made_cases(1)
    text = "\n".join([texts_of(made)] * 20) + "a" * 20_000 + "A. " * 5_000 + "1 " * 10_000
    began = time.perf_counter()
    gate_of(made).hidden(text)
    assert time.perf_counter() - began < 5
