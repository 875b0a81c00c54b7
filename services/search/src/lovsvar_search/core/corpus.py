"""What the index is made of, and what is known of each document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from lovsvar_contracts.ingest import DATASET_SAMPLE
from lovsvar_contracts.law import InForce, LawType, ProvisionKind
from lovsvar_legaltext.act_names import Act


@dataclass(frozen=True, slots=True)
class IndexedSection:
    """One section as the index takes it. `ledd_openings` holds the first words of each ledd, in order.

    `in_force_from` is the day from which it, or its document, is or will be in force, when one is named.
    """

    act: Act
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
    in_force_from: date | None = None
    ledd_openings: tuple[str, ...] = ()


class StoredHit(NamedTuple):
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
    ledd_starts: Sequence[int]


@dataclass(frozen=True, slots=True)
class EverydayQuestion:
    """A question as people ask it, and the place that answers it; `rank` counts a question's answers from 0."""

    question: str
    refid: str
    section_key: str
    rank: int = 0


@lru_cache(maxsize=200_000)
def place_number(refid: str, section_key: str = "") -> int:
    """Return the number by which the index knows a section, or a document when no section is named."""
    return int.from_bytes(blake2b(f"{refid}#{section_key}".encode(), digest_size=8).digest(), "big") >> 1


_CHAPTER = re.compile(r"kap(?:\.|it?tel|itlet|ittlet)?\s", re.IGNORECASE)


def chapter_heading(path: Sequence[str]) -> str:
    """Return which of the headings above a section is its chapter's (kapittel), else the outermost; "" for none."""
    return next((heading for heading in path if _CHAPTER.match(heading)), path[0] if path else "")


def chapter_number(refid: str, path: Sequence[str]) -> int:
    """Return the number by which the index knows the chapter that a section stands in; 0 when it stands in none."""
    heading = chapter_heading(path)
    return place_number(refid, " ".join(f"chapter {heading.casefold()}".split())) if heading else 0


@dataclass(frozen=True, slots=True)
class CorpusState:
    """The newest version in the database. `identity` tells one database from another.

    `corpus_date` is the day that the corpus is of; it can move without a new version, when an archive brings no change.
    """

    version: int
    identity: str
    corpus_date: date | None = field(default=None, compare=False)


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
