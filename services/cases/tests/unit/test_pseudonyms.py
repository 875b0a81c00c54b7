"""What the gate takes out of texts: every identifier and registered name, nearly every other name; and puts back."""

import random
import re
import time

import pytest
from stdnum.no import fodselsnummer, kontonr, orgnr

from lovsvar_cases.adapters.word_lists import read_name_lists
from lovsvar_cases.core.pseudonyms.gate import Gate, Ledger, everywhere
from lovsvar_contracts.case_details import PartyKind
from lovsvar_contracts.cases import Party

LISTS = read_name_lists()

FIRST = """
Kari Ola Anne-Grete Bjørn Åse Øystein Ingrid Per Mohammed Fatima Li Jens Ragnhild Tor Máret Nils-Aslak
Elżbieta Ștefan Ioana Håkon Solveig Zahra Linh Bao Wei Ángel Søren Ane Bo Ida
"""
LAST = """
Nordmann Hansen Bråthen Ødegård Sæther Li Vik Berg Dal-Olsen Kjærstad Hætta Popescu Țîrlea Kowalczyk Abdullahi
Nguyen Østby Aasen Skjeggestad Øverås Lie Aamodt Wójcik D'Angelo Bø
"""
OTHERS = """
Marit Lunde
Jan Erik Solheim
Abdirahman Warsame
Mihai Ionescu
Gro Fjellstad
Tuva Moen
Piotr Zieliński
Liv Aune
Hodan Jama
Sverre Hauge
Ravdna Eira
Torbjørg Nygård
Omar Haddad
Else Marie Bakken
Sindre Kvamme
Oddny Rønning
Yngve Tangen
Birgitte Holst
Egil Strand
Camilla Wang Eide
Arne van der Meer
Thea Bjerke
Rolf Sandvik
Hildur Åmot
"""
COMPANIES = (
    "Nordlys Utleie AS",
    "Fjordbyen Eiendom ASA",
    "Rør og Varme Helgeland AS",
    "Sameiet Kastanjen",
    "Hansens Bil ENK",
)
STREETS = (
    "Storgata",
    "Karl Johans gate",
    "Øvre Slottsgate",
    "Kirkeveien",
    "Nedre Bakklandet",
    "Fjellveien",
    "Lillehaugen",
)
TOWNS = ("0155 Oslo", "5003 Bergen", "7011 Trondheim", "9520 Kautokeino", "1337 Sandvika")


def birth_number(dice: random.Random, d_number: bool) -> str:
    while True:
        day, month, year = dice.randint(1, 28), dice.randint(1, 12), dice.randint(50, 99)
        nine = f"{day + 40 * d_number:02}{month:02}{year:02}{dice.randint(0, 499):03}"
        first = fodselsnummer.calc_check_digit1(nine)
        number = nine + first + fodselsnummer.calc_check_digit2(nine + first)
        if fodselsnummer.is_valid(number):
            return number


def valid(dice: random.Random, kind: object, digits: int) -> str:
    while True:
        number = "".join(dice.choice("0123456789") for _ in range(digits))
        if number[0] in "89" and kind.is_valid(number):  # type: ignore[attr-defined]
            return number


def iban_of(account: str) -> str:
    return f"NO{98 - int(account + '232400') % 97:02}{account}"


def person(dice: random.Random, number: int) -> Party:
    first, last = dice.choice(FIRST.split()), dice.choice(LAST.split())
    if dice.random() < 0.2:
        first = f"{first} {dice.choice(FIRST.split())}"
    account = valid(dice, kontonr, 11)
    fields = {
        "firstName": first,
        "lastName": last,
        "birthNumber": birth_number(dice, dice.random() < 0.3),
        "address": f"{dice.choice(STREETS)} {dice.randint(1, 99)}",
        "phone": dice.choice(("", "+47 ")) + f"{dice.randint(40_000_000, 99_999_999)}",
        "email": f"post{dice.randint(10, 99)}@example.no",
        "accountNumber": account,
        "iban": iban_of(account),
    }
    return Party(party_id=f"party{number}", kind=PartyKind.PERSON, fields=fields)


def company(dice: random.Random, number: int) -> Party:
    fields = {"orgName": dice.choice(COMPANIES), "orgNumber": valid(dice, orgnr, 9)}
    return Party(party_id=f"party{number}", kind=PartyKind.ORGANISATION, fields=fields)


def spaced(dice: random.Random, digits: str, groups: tuple[int, ...]) -> str:
    parts, at = [], 0
    for size in groups:
        parts.append(digits[at : at + size])
        at += size
    return dice.choice((" ", "", ".", "\u00a0", "\n")).join(parts)


def forms(dice: random.Random, first: str, last: str) -> str:
    split = f"{last[: len(last) // 2]}-\n{last[len(last) // 2 :]}" if len(last) > 5 and "-" not in last else last
    given = re.split(r"[ -]", first)
    return dice.choice(
        (
            f"{first} {last}",
            f"{last}, {first}",
            f"{first} {last}s",
            f"{first.upper()} {last.upper()}",
            f"{first}\n{last}",
            f"{given[0][0]}. {last}",
            last,
            f"{last}s",
            first,
            f"{first} {last[0]}.",
            split,
            f"{first.lower()} {last.lower()}" if len(last) > 3 and len(first) > 3 else last,
            f"{last.upper()}",
            f"{given[0][0]}.{last[0]}.",
            f"{first}'s",
        )
    )


TEMPLATES = (
    "Jeg leier av {0}, og {1} har ikke betalt tilbake.",
    "Hei, {0} her. {1} ringte meg på {phone}.",
    "Kontrakten ble signert av {0} (fnr. {fnr}) og {1}.",
    "Send til {0}, {address}, {town}.",
    "{0} eier boligen. Konto: {account}.",
    "Ifølge {0} skal {1} flytte 12. mai 2024, jf. husleieloven § 9-6.",
    "Fra: {email}\nTil: {0}\nEmne: Klage",
    "Pengene gikk til {iban} og ikke til {0} sin konto.",
    "Vitne: {0}, tlf {phone}.",
)
OF_OTHERS = (
    "Naboen {other} så det hele.",
    "Det var {other} som ringte.",
    "Saksbehandler {other} skrev vedtaket.",
    "{other} bekreftet det.",
    "Vi møtte {other} på Oslo tingrett i mars.",
    "Jeg snakket med {other}s sønn.",
    "Med hilsen\n{other}",
    "Advokat {other} var der.",
)
OF_STRANGERS = (
    "Et vitne har fødselsnummer {fnr2}.",
    "Ring {phone2} eller skriv til x.y@firma.example.",
    "Betal 12 500 kr til {account2}.",
    "Org.nr. {org2} står på fakturaen.",
    "Han bor i {street2} {number2}, {town2}.",
    "Utenlands: +46 70 123 45 67.",
)


class Made:
    """A generated case with a document, and what of it must not be seen."""

    def __init__(self, seed: int) -> None:
        dice = self.dice = random.Random(seed)
        self.parties = (person(dice, 0), person(dice, 1), company(dice, 2))
        one, two, firm = (party.fields for party in self.parties)
        self.other = dice.choice(OTHERS.strip().splitlines())
        self.strangers = {
            "fnr2": birth_number(dice, True),
            "phone2": str(dice.randint(40_000_000, 99_999_999)),
            "account2": valid(dice, kontonr, 11),
            "org2": valid(dice, orgnr, 9),
            "street2": dice.choice(STREETS),
            "number2": str(dice.randint(100, 180)),
            "town2": dice.choice(TOWNS),
        }
        said = {
            "fnr": spaced(dice, one["birthNumber"], (6, 5)),
            "phone": spaced(dice, one["phone"][-8:], (2, 2, 2, 2)),
            "address": one["address"],
            "town": dice.choice(TOWNS),
            "account": spaced(dice, two["accountNumber"], (4, 2, 5)),
            "email": one["email"],
            "iban": spaced(dice, one["iban"], (4, 4, 4, 3)).replace("\n", " "),
        }
        lines = []
        for template in dice.sample(TEMPLATES, 6):
            names = [forms(dice, fields["firstName"], fields["lastName"]) for fields in dice.sample((one, two), 2)]
            lines.append(template.format(*names, **said))
        lines += [template.format(**self.strangers) for template in dice.sample(OF_STRANGERS, 4)]
        lines.append(dice.choice(OF_OTHERS).format(other=self.other))
        lines.append(f"Motparten er {firm['orgName']}, org.nr {spaced(dice, firm['orgNumber'], (3, 3, 3))}.")
        dice.shuffle(lines)
        self.text = "\n".join(lines)

    @property
    def numbers(self) -> list[str]:
        """Every number that identifies somebody, its signs alone."""
        fields = ("birthNumber", "phone", "accountNumber", "iban", "orgNumber")
        registered = [
            one.fields[name][-8:] if name == "phone" else one.fields[name]
            for one in self.parties
            for name in fields
            if name in one.fields
        ]
        return [*registered, *(self.strangers[name] for name in ("fnr2", "phone2", "account2", "org2"))]

    @property
    def names(self) -> list[str]:
        """Every registered name, part by part."""
        one, two, firm = (party.fields for party in self.parties)
        return [
            one["lastName"],
            two["lastName"],
            one["firstName"],
            two["firstName"],
            firm["orgName"].removesuffix(" AS"),
        ]


def leaked(made: Made, hidden: str) -> list[str]:
    """What is left in a text that was to be taken out."""
    rest = re.sub(r"\{\{[\w.]+\}\}", "\x00", hidden)
    joined = re.sub(r"[-\u00ad]?\n", "", rest)
    digits = re.sub(r"[^\w\x00]", "", rest)
    found = [number for number in made.numbers if number in digits]
    for name in made.names:
        loose = r"[\s-]*".join(map(re.escape, name))
        for text in (rest, joined):
            sensitive = 0 if len(name) <= 3 else re.IGNORECASE
            if re.search(rf"(?<![^\W\d_]){loose}(?:s|'s)?(?![^\W\d_])", text, sensitive):
                found.append(name)
    found += [one.fields["email"] for one in made.parties[:2] if one.fields["email"] in rest]
    found += [one.fields["address"] for one in made.parties[:2] if one.fields["address"] in rest]
    found += ["x.y@firma.example"] * ("firma.example" in rest)
    found += [made.strangers["street2"]] * (f"{made.strangers['street2']} {made.strangers['number2']}" in rest)
    return found


def gate_of(made: Made) -> Gate:
    return Gate(made.parties, Ledger(), LISTS)


@pytest.fixture(scope="module")
def hidden() -> list[tuple[Made, Gate, str]]:
    """Three hundred cases, each with its gate and its document behind it."""
    made = [(one, gate_of(one)) for one in map(Made, range(300))]
    return [(one, gate, gate.hidden(one.text)) for one, gate in made]


Hidden = list[tuple[Made, Gate, str]]


def test_of_three_hundred_cases_no_identifier_and_no_registered_name_gets_out(hidden: Hidden) -> None:
    leaks = [(left, text) for made, _, text in hidden if (left := leaked(made, text))]
    assert leaks == []


def test_at_least_ninety_five_of_a_hundred_other_names_are_masked(hidden: Hidden) -> None:
    kept = [
        made.other
        for made, _, text in hidden
        if any(part in text for part in re.split(r"[ -]", made.other) if len(part) > 3)
    ]
    assert len(kept) / len(hidden) <= 0.05, kept


def test_what_was_taken_out_is_put_back_for_who_may_see_it(hidden: Hidden) -> None:
    for made, gate, text in hidden:
        shown = gate.shown(text)
        for number in made.numbers[-4:]:
            assert (number in re.sub(r"\W", "", made.text)) == (number in re.sub(r"\W", "", shown))
        assert "{{" not in shown


def test_the_search_for_leaks_finds_them(hidden: Hidden) -> None:
    assert all(len(leaked(made, made.text)) > 3 for made, _, _ in hidden)


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
    made = Made(1)
    text = "\n".join([made.text] * 40) + "a" * 20_000 + "A. " * 5_000 + "1 " * 10_000
    began = time.perf_counter()
    gate_of(made).hidden(text)
    assert time.perf_counter() - began < 5
