"""Made cases: parties, what the person writes, documents, and what of it all must not get out."""

import random
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage

from lovsvar_contracts.case_details import PartyKind
from lovsvar_contracts.cases import Party
from lovsvar_testkit import made_documents
from lovsvar_testkit.personal_data import values
from lovsvar_testkit.personal_data.sightings import Kind, Secret, Watch, words

TEMPLATES = """
Jeg leier av {a}, og {b} har ikke betalt tilbake.
Hei, {a} her. {b} ringte meg på {phone}.
Kontrakten ble signert av {a} (fnr. {birth}) og {b}.
Send til {a}, {address}.
{a} eier boligen. Konto: {account}.
Ifølge {a} skal {b} flytte 12. mai 2024, jf. husleieloven § 9-6.
Skriv til {mail}, så svarer {a}.
Pengene gikk til {iban} og ikke til {a} sin konto.
Vitne: {a}, {phone}. Kravet er 30 000 kr.
{firm} v/ {contact} viser til avtalen med {b}, org.nr. {org}.
Betal de 12 500 kronene til {a}, konto {account}.
""".strip().splitlines()
OF_OTHERS = (
    """
Naboen {other} så det hele.
Det var {other} som ringte.
Saksbehandler {other} skrev vedtaket.
{other} bekreftet det.
Vi møtte {other} på Oslo tingrett i mars.
Jeg snakket med {other}s sønn.
Hilsen\n{other}
Advokat {other} var der.
""".strip()
    .replace("\\n", "\n")
    .splitlines()
)
OF_STRANGERS = {
    "birth2": "Et vitne har fødselsnummer {birth2}.",
    "phone2": "Ring {phone2} i morgen.",
    "mail2": "Skriv eller svar til {mail2}.",
    "account2": "Betal 12 500 kr til {account2}.",
    "org2": "Org.nr. {org2} står på fakturaen.",
    "address2": "Han bor i {address2}.",
    "iban2": "Overfør beløpet til {iban2}.",
    "abroad2": "Utenlands: {abroad2}.",
}
SECOND = "Takk. Skriv utkastet nå"
"""What the second message begins with, by which the assistant knows it."""

_MARK_LETTERS = "aeostr"
_KINDS = ("pdf", "docx", "eml", "txt")
MARK = re.compile(rf"merke([{_MARK_LETTERS}]{{5}})[dmsixy]")


@dataclass(frozen=True)
class MadeDocument:
    """A document as it is handed in. `scanned` ones are read by OCR, which may misread."""

    name: str
    content: bytes
    mark: str
    scanned: bool = False


@dataclass
class MadeCase:
    """A generated case. `kept` names are the law's own words, and not given to anybody.

    Each text has a mark, a word of its own by which it is seen whether it reached a model. `wanted` are the secrets
    that finished letters must hold: those of the parties, and those of the texts that need no OCR.
    """

    number: int
    scanned: bool = False
    kept: frozenset[str] = frozenset()
    secrets: set[Secret] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._dice = random.Random(self.number)  # noqa: S311  made-up people
        self.parties = (self._person(0), self._person(1), self._company(2))
        self.roles = ("leietaker", "utleier", f"megler, ring {self.parties[1].fields['firstName']}")
        registered = frozenset(self.secrets)
        self.title = f"Saken mot {self._name(1)}".replace("\n", " ")
        self.description, self.message, self.issue = map(self._text, "dmi")
        self.second = f"{SECOND}: {self._text('s')}"
        self._kind = _KINDS[self.number % len(_KINDS)]
        letter = self._text("x", 8, 5)
        self.letter = _plain(letter) if self._kind == "pdf" else letter
        written = "\n".join((self.description, self.message, self.issue, self.second, self.letter))
        self.wanted = registered | Watch(self.secrets).sightings(written.encode())
        self.documents = tuple(self._documents())

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks of what a model has to be shown."""
        return (*map(self.mark, "dmsi"), *(one.mark for one in self.documents))

    def mark(self, of: str) -> str:
        """Return the mark of the text that is called so."""
        places = (self.number // len(_MARK_LETTERS) ** at % len(_MARK_LETTERS) for at in range(5))
        return f"merke{''.join(_MARK_LETTERS[place] for place in places)}{of}"

    def fields(self, number: int) -> Mapping[str, str]:
        """Return the fields of a party."""
        return self.parties[number].fields

    def _secret(self, kind: Kind, *found: str) -> None:
        self.secrets.update(Secret(kind, one) for one in found)

    def _pick(self, names: list[str]) -> str:
        return self._dice.choice([one for one in names if not words(one) & self.kept])

    def _person(self, number: int) -> Party:
        dice, (first, last) = self._dice, self._registered()
        account = values.account_number(dice)
        street, house = dice.choice(values.STREETS), dice.randint(200, 999)
        phone, mail = values.phone_number(dice), values.mail_of(dice, first, last)
        birth = values.birth_number(dice, of_a_foreigner=dice.random() < 0.3)
        town = dice.choice(values.TOWNS)
        self._secret(Kind.NUMBER, birth, phone, account, values.iban_of(account))
        self._secret(Kind.ADDRESS, f"{street} {house}")
        self._secret(Kind.MAIL, mail)
        given = {"firstName": first, "lastName": last, "birthNumber": birth, "address": f"{street} {house}"}
        given |= {"postalCode": town[:4], "city": town[5:], "phone": dice.choice(("", "+47 ")) + phone, "email": mail}
        given |= {"accountNumber": account, "iban": values.iban_of(account)}
        return Party(party_id=f"party{number}", kind=PartyKind.PERSON, fields=given)

    def _company(self, number: int) -> Party:
        name, org = self._dice.choice(values.COMPANIES), values.organisation_number(self._dice)
        self._secret(Kind.COMPANY, name.rpartition(" ")[0])
        self._secret(Kind.NUMBER, org)
        given = {"orgName": name, "orgNumber": org, "contactName": " ".join(self._registered())}
        return Party(party_id=f"party{number}", kind=PartyKind.ORGANISATION, fields=given)

    def _registered(self) -> tuple[str, str]:
        first, last = self._pick(values.FIRST), self._pick(values.LAST)
        if self._dice.random() < 0.2:
            first = f"{first} {self._pick(values.FIRST)}"
        if self._dice.random() < 0.15:
            last = f"{last} {self._pick(values.LAST)}"
        self._secret(Kind.NAME, *first.split(), *last.split())
        return first, last

    def _name(self, number: int) -> str:
        given = self.fields(number)
        return values.written_name(self._dice, given["firstName"], given["lastName"])

    def _said(self) -> dict[str, str]:
        """Return what the templates ask for of the parties, written anew each time."""
        dice, one, two, firm = self._dice, *map(self.fields, range(3))
        street, _, house = one["address"].rpartition(" ")
        whole = firm["orgName"]
        return {
            "a": self._name(0),
            "b": self._name(1),
            "firm": dice.choice((whole, whole.upper(), whole.rpartition(" ")[0])),
            "contact": firm["contactName"],
            "org": values.written_organisation(dice, firm["orgNumber"]),
            "birth": values.written_birth_number(dice, one["birthNumber"]),
            "phone": values.written_phone(dice, one["phone"][-8:]),
            "address": values.written_address(dice, street, int(house), dice.choice(values.TOWNS)),
            "account": values.written_account(dice, two["accountNumber"]),
            "mail": dice.choice((one["email"], one["email"].replace("@", " (at) "), one["email"].capitalize())),
            "iban": values.written_iban(dice, one["iban"]),
        }

    def _stranger(self, name: str) -> str:
        """Return an identifier of somebody who is no party."""
        dice = self._dice
        if name == "address2":
            street, house = dice.choice(values.STREETS), dice.randint(200, 999)
            self._secret(Kind.ADDRESS, f"{street} {house}")
            return values.written_address(dice, street, house, dice.choice(values.TOWNS))
        if name == "mail2":
            mail = f"x.y{dice.randint(10, 9999)}@utleie.example"
            self._secret(Kind.MAIL, mail)
            return mail
        made: dict[str, tuple[str, str]] = {}
        birth = values.birth_number(dice, of_a_foreigner=True)
        made["birth2"] = birth, values.written_birth_number(dice, birth)
        phone = values.phone_number(dice)
        made["phone2"] = phone, values.written_phone(dice, phone)
        account = values.account_number(dice)
        made["account2"] = account, values.written_account(dice, account)
        made["iban2"] = values.iban_of(account), values.written_iban(dice, values.iban_of(account))
        org = values.organisation_number(dice)
        made["org2"] = org, values.written_organisation(dice, org)
        abroad = f"4670{dice.randint(1_000_000, 9_999_999)}"
        made["abroad2"] = abroad, "+" + values.grouped(dice, abroad, 2, 2, 3, 2, 2, gaps=(" ",))
        self._secret(Kind.NUMBER, made[name][0])
        return made[name][1]

    def _other(self) -> str:
        name = self._pick(values.OTHERS)
        self._secret(Kind.OTHER, *(part for part in name.split() if part[0].isupper()))
        return self._dice.choice(OF_OTHERS).format(other=values.written_other(self._dice, name))

    def _text(self, of: str, parties: int = 5, strangers: int = 3) -> str:
        dice = self._dice
        lines = [template.format(**self._said()) for template in dice.sample(TEMPLATES, parties)]
        chosen = dice.sample(list(OF_STRANGERS), strangers)
        lines += [OF_STRANGERS[name].format(**{name: self._stranger(name)}) for name in chosen]
        lines.append(self._other())
        dice.shuffle(lines)
        return "\n".join((*lines, f"Saken gjelder depositum og {self.mark(of)}."))

    def _documents(self) -> Iterator[MadeDocument]:
        """Yield a document of the kind whose turn it is, and a scanned one where asked for."""
        name = f"{self._dice.choice(('Kontrakt', 'Brev'))} {self._name(1)}".replace("\n", " ").replace("/", "")
        writers: Mapping[str, Callable[[str], bytes]] = {
            "pdf": _pdf,
            "docx": made_documents.word,
            "eml": self._mail,
            "txt": str.encode,
        }
        yield MadeDocument(f"{name}.{self._kind}", writers[self._kind](self.letter), self.mark("x"))
        if self.scanned:
            one, two = self.fields(0), self.fields(1)
            lines = (
                f"Leiekontrakt {self.mark('y')}",
                f"Utleier: {_plain(two['firstName'])} {_plain(two['lastName'])}",
                f"Leier: {_plain(one['lastName']).upper()}",
                f"Telefon {one['phone'][-8:]}",
                f"Konto {two['accountNumber']}",
                self._other().replace("\n", " "),
                "Depositum er 30 000 kroner.",
            )
            yield MadeDocument("skannet.pdf", made_documents.scanned(*map(_plain, lines)), self.mark("y"), True)

    def _mail(self, text: str) -> bytes:
        one, two = self.fields(0), self.fields(1)
        mail = EmailMessage()
        mail["From"] = f"{two['firstName']} {two['lastName']} <{two['email']}>"
        mail["To"] = f"{one['firstName']} {one['lastName']} <{one['email']}>"
        mail["Subject"] = f"Depositumet, {self._name(0)}".replace("\n", " ")
        mail.set_content(text)
        return bytes(mail)


def made_cases(count: int, scanned_every: int = 10, kept: frozenset[str] = frozenset()) -> list[MadeCase]:
    """Return `count` cases, of which every so many has a scanned document too; `kept` as in `MadeCase`."""
    return [MadeCase(number, scanned=number % scanned_every == 0, kept=kept) for number in range(count)]


def number_of(letters: str) -> int:
    """Return the number of the case whose marks have these letters."""
    return sum(_MARK_LETTERS.index(letter) * len(_MARK_LETTERS) ** at for at, letter in enumerate(letters))


def _pdf(text: str) -> bytes:
    """Return a page of text that a PDF's own fonts can show; its lines are broken where a page's are."""
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, 60) or [""]]
    return made_documents.pdf(lines, size=10)


def _plain(text: str) -> str:
    """Return a text with the letters that a PDF's own fonts lack as others write them."""
    return text.translate(str.maketrans("ȘșȚțĂăÎîłŁńŃśŚęĘżźŻŹćĆŋŊđĐ", "SsTtAaIilLnNsSeEzzZZcCnNdD"))
