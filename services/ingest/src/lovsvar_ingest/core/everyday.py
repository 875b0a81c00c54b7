"""Everyday questions: questions in people's own words, and the provisions that answer them.

They are kept in files of lines `lang<TAB>targets<TAB>question`. `lang` is nb, nn or en. `targets` are one to
three provisions, the best first, with a space between them, each as document and section: `lov/1999-03-26-17/§9-6`,
`lov/2018-06-15-38/gdpr/a17`. Lines that begin with `#` are comments.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lovsvar_contracts.identifiers import section_key
from lovsvar_ingest.core.errors import EverydayDataBroken

LANGUAGES = ("nb", "nn", "en")
MOST_TARGETS = 3
SHORTEST, LONGEST = 10, 300
"""Characters of a question."""

MOST_SHOWN = 20
"""Faults in one message."""

_COLUMNS = 3
_TARGET = re.compile(r"([a-z]+/\d[\d-]*)/(\S+)")


@dataclass(frozen=True, slots=True)
class EverydayQuestion:
    """A question, and the provisions that answer it as (refid, section key), the best first."""

    lang: str
    question: str
    targets: tuple[tuple[str, str], ...]

    @property
    def content_hash(self) -> str:
        """SHA-256 of the question, the key of its vector."""
        return hashlib.sha256(self.question.encode()).hexdigest()


class _Fault(Exception):
    """The fault of a line, and its remedy."""


def parse_everyday(files: Mapping[str, str]) -> list[EverydayQuestion]:
    """Return the questions of `files` (text by name) in order. Raises `EverydayDataBroken` with every fault."""
    questions: list[EverydayQuestion] = []
    faults: list[str] = []
    places: dict[str, str] = {}
    for place, line in _lines(files):
        try:
            question = _question(line)
            alike = " ".join(question.question.casefold().split())
            if (earlier := places.setdefault(alike, place)) != place:
                raise _Fault(f"spørsmålet står allerede i {earlier}; slett det ene, eller slå målene sammen")
        except _Fault as fault:
            faults.append(f"{place}: {fault}")
        else:
            questions.append(question)
    if faults:
        more = [f"… og {len(faults) - MOST_SHOWN} feil til"] if len(faults) > MOST_SHOWN else []
        raise EverydayDataBroken("\n".join(["Hverdagsspørsmålene har feil:", *faults[:MOST_SHOWN], *more]))
    return questions


def checksum(questions: Sequence[EverydayQuestion]) -> str:
    """Return the checksum of the questions; comments and the division into files do not count."""
    digest = hashlib.sha256()
    for question in questions:
        digest.update(repr((question.lang, question.question, question.targets)).encode())
    return digest.hexdigest()


def _lines(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, text in files.items():
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip() and not line.startswith("#"):
                yield f"{name}, linje {number}", line.removesuffix("\r")


def _question(line: str) -> EverydayQuestion:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise _Fault(f"linjen har {len(columns)} felt; skriv språk, mål og spørsmål med én tabulator mellom")
    lang, targets, question = columns
    if lang not in LANGUAGES:
        raise _Fault(f"språket er «{lang}»; skriv nb, nn eller en")
    if question != question.strip() or not question.isprintable():
        raise _Fault("spørsmålet har blanke tegn i endene eller usynlige tegn; fjern dem")
    if not SHORTEST <= len(question) <= LONGEST:
        raise _Fault(f"spørsmålet har {len(question)} tegn; skriv {SHORTEST} til {LONGEST}")
    return EverydayQuestion(lang, question, _targets(targets))


def _targets(written: str) -> tuple[tuple[str, str], ...]:
    targets = tuple(_target(target) for target in written.split(" "))
    if len(targets) > MOST_TARGETS:
        raise _Fault(f"det er {len(targets)} mål; behold de {MOST_TARGETS} beste")
    if len(set(targets)) < len(targets):
        raise _Fault("samme mål står to ganger; slett det ene")
    return targets


def _target(written: str) -> tuple[str, str]:
    if not (match := _TARGET.fullmatch(written)):
        raise _Fault(f"målet «{written}» er ikke dokument/paragraf; skriv det som lov/1999-03-26-17/§9-6")
    return match[1], section_key(match[2])
