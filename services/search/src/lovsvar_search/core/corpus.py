"""What the index is made of, and what is known of each document."""

from dataclasses import dataclass

from lovsvar_contracts.ingest import DATASET_SAMPLE
from lovsvar_contracts.law import InForce, LawType, ProvisionKind


@dataclass(frozen=True, slots=True)
class ActName:
    """What a document is called, and whether it is law today."""

    refid: str
    title: str
    short_title: str
    abbreviation: str
    law_type: LawType
    in_force: InForce
    ministries: tuple[str, ...] = ()

    @property
    def act(self) -> str:
        """Short title of the document, or its title."""
        return self.short_title or self.title


@dataclass(frozen=True, slots=True)
class IndexedSection:
    """One section as the index takes it. `ledd_openings` holds the first words of each ledd, in order."""

    act: ActName
    section: str
    section_key: str
    position: int
    kind: ProvisionKind
    year: int
    dataset: str
    value: str
    title: str
    path: tuple[str, ...]
    text: str
    in_force: InForce
    tokens: int
    ledd_openings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredHit:
    """What the index remembers of a section, enough to show it as a hit.

    `ledd_starts` holds for each ledd, from the first, the place in `text` where its line begins.
    """

    refid: str
    section: str
    act: str
    title: str
    law_type: LawType
    path: tuple[str, ...]
    text: str
    in_force: InForce
    tokens: int
    sample: bool
    ledd_starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CorpusState:
    """The newest version in the database. `identity` tells one database from another."""

    version: int
    identity: str


def is_sample(dataset: str) -> bool:
    """Whether `dataset` is the bundled, invented one."""
    return dataset == DATASET_SAMPLE


def heading(value: str, title: str) -> str:
    """Return a provision's heading as shown: '§ 3-5. Depositum'."""
    return ". ".join(part for part in (value, title) if part)


def status_of(document: InForce, section: InForce) -> InForce:
    """Return whether a section is law today: a section of a document that is not law is not law."""
    if document is not InForce.YES:
        return document
    return section if section is not InForce.UNKNOWN else document


def ledd_starts(text: str, openings: tuple[str, ...]) -> tuple[int, ...]:
    """Return where in `text` the line of each ledd begins; stops at the first ledd that is not found."""
    starts: list[int] = []
    after = 0
    for opening in openings:
        found = text.find(opening, after) if opening else -1
        if found < 0:
            break
        starts.append(text.rfind("\n", 0, found) + 1)
        after = found + len(opening)
    return tuple(starts)
