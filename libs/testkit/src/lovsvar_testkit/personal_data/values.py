"""Names, numbers and addresses of made-up people, and the forms in which people write them."""

import random
import re

from stdnum.no import fodselsnummer, kontonr, orgnr

_FIRST = """
Kari Ola Anne-Grete Bjørn Åse Øystein Ingrid Mohammed Fatima Jens Ragnhild Máret Nils-Aslak Elżbieta Ștefan Ioana
Håkon Solveig Zahra Linh Bao Wei Ángel Søren Ida Li Bo
"""
_LAST = """
Nordmann Hansen Bråthen Ødegård Sæther Dal-Olsen Kjærstad Hætta Popescu Țîrlea Kowalczyk Abdullahi Nguyen Østby
Aasen Skjeggestad Øverås Aamodt Wójcik D'Angelo Bø Lie Vik Berg
"""
FIRST, LAST = _FIRST.split(), _LAST.split()
COMPANIES = ("Nordlys Utleie AS", "Fjordbyen Eiendom ASA", "Rør og Varme Helgeland AS", "Kastanjen Bolig AS")
OTHERS = """
Marit Lunde|Jan Erik Solheim|Abdirahman Warsame|Mihai Ionescu|Gro Fjellstad|Tuva Moen|Piotr Zieliński|Liv Aune|
Hodan Jama|Sverre Hauge|Ravdna Eira|Torbjørg Nygård|Omar Haddad|Else Marie Bakken|Sindre Kvamme|Oddny Rønning|
Yngve Tangen|Birgitte Holst|Egil Strand|Camilla Wang Eide|Arne van der Meer|Thea Bjerke|Rolf Sandvik|Hildur Åmot|
Thandiwe Dlamini|Kristbjörg Þórsdóttir|Wamboi Njoroge|Thuraya Qasemi|Oluwaseun Adeyemi|Jagoda Wrzesniewska
""".replace("\n", "").split("|")
STREETS = (
    "Storgata", "Karl Johans gate", "Øvre Slottsgate", "Kirkeveien", "Nedre Bakklandet", "Fjellveien", "Lillehaugen",
    "Bjørnstjerne Bjørnsons vei", "Sjøgata",
)  # fmt: skip
TOWNS = ("0155 Oslo", "5003 Bergen", "7011 Trondheim", "9520 Kautokeino", "4006 Stavanger")
GAPS = (" ", "", ".", "\u00a0", "\n")
"""What people write between the groups of a number."""


def birth_number(dice: random.Random, *, of_a_foreigner: bool = False) -> str:
    """Return a birth number, or a D-number."""
    while True:
        day, month, year = dice.randint(1, 28), dice.randint(1, 12), dice.randint(50, 99)
        nine = f"{day + 40 * of_a_foreigner:02}{month:02}{year:02}{dice.randint(0, 499):03}"
        first = fodselsnummer.calc_check_digit1(nine)
        number: str = nine + first + fodselsnummer.calc_check_digit2(nine + first)
        if fodselsnummer.is_valid(number):
            return number


def account_number(dice: random.Random) -> str:
    """Return the number of a bank account."""
    while not kontonr.is_valid(number := f"{dice.randint(1_000_000_0000, 9_699_999_9999)}"):
        pass
    return number


def organisation_number(dice: random.Random) -> str:
    """Return the number of an organisation."""
    while not orgnr.is_valid(number := f"{dice.randint(800_000_000, 999_999_999)}"):
        pass
    return number


def phone_number(dice: random.Random) -> str:
    """Return a telephone number of eight digits."""
    return f"{dice.choice('49')}{dice.randint(0, 9_999_999):07}"


def iban_of(account: str) -> str:
    """Return the IBAN of an account."""
    return f"NO{98 - int(account + '232400') % 97:02}{account}"


def grouped(dice: random.Random, digits: str, *sizes: int, gaps: tuple[str, ...] = GAPS) -> str:
    """Return a number in groups of these sizes, with one of `gaps` between them."""
    parts, at = [], 0
    for size in sizes:
        parts.append(digits[at : at + size])
        at += size
    return dice.choice(gaps).join(parts)


def written_birth_number(dice: random.Random, digits: str) -> str:
    """Return a birth number as people write it."""
    sizes = dice.choice(((6, 5), (6, 5), (2, 2, 2, 5), (6, 3, 2)))
    return grouped(dice, digits, *sizes, gaps=(*GAPS, "-"))


def written_account(dice: random.Random, digits: str) -> str:
    """Return an account number as people write it."""
    return grouped(dice, digits, 4, 2, 5)


def written_iban(dice: random.Random, iban: str) -> str:
    """Return an IBAN as people write it."""
    return dice.choice((str, str.lower))(grouped(dice, iban, 4, 4, 4, 3, gaps=(" ", "", "\u00a0", "\n")))


def written_organisation(dice: random.Random, digits: str) -> str:
    """Return an organisation's number as people write it, with or without what says that it pays VAT."""
    number = grouped(dice, digits, 3, 3, 3)
    return dice.choice((number, f"NO {number} MVA", f"{number}MVA"))


def written_phone(dice: random.Random, digits: str) -> str:
    """Return a telephone number as people write it."""
    sizes = dice.choice(((8,), (2, 2, 2, 2), (3, 2, 3), (4, 4)))
    number = grouped(dice, digits, *sizes, gaps=(" ", " ", "\u00a0", "\n", "-", "."))
    return dice.choice(("", "", "+47 ", "+47", "0047 ", "00 47 ", "(+47) ", "tlf", "mob.")) + number


def written_address(dice: random.Random, street: str, number: int, town: str = "") -> str:
    """Return an address as people write it."""
    flat = dice.choice(("", "", " B", "C", ", H0301"))
    place = f"{dice.choice((', ', chr(10), ' '))}{dice.choice((town, town.upper()))}" if town else ""
    return f"{dice.choice((street, street, street.upper()))} {number}{flat}{place}"


def written_name(dice: random.Random, first: str, last: str) -> str:
    """Return a person's name in one of the forms that a text has it in."""
    half, given = len(last) // 2, re.split(r"[ -]", first)
    forms = [
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
        f"{last[:half]}-\n{last[half:]}" if len(last) > 5 and "-" not in last else last,
        f"{first.lower()} {last.lower()}" if min(len(first), len(last)) > 3 else f"{first} {last}",
        last.upper(),
        f"{given[0][0]}.{last[0]}.",
        f"{first}'s",
    ]
    return dice.choice(forms)


def written_other(dice: random.Random, name: str) -> str:
    """Return the name of somebody who is no party, in one of the forms that a text has it in."""
    first, last = name.split(" ", 1)
    forms = (name, name, name, name, name.upper(), f"{last}, {first}", f"{first[0]}. {last}", f"{first}\n{last}")
    return dice.choice(forms)


def mail_of(dice: random.Random, first: str, last: str) -> str:
    """Return an address for mail that says who somebody is, or does not."""
    plain = re.sub(r"[^a-z]", "", f"{first}{last}".lower())
    return f"{dice.choice((plain, 'post'))}{dice.randint(10, 999)}@{dice.choice(('firma', 'hjemme'))}.example"
