"""A section of the law, as it is indexed and as a hit is shown from it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from lovsvar_contracts.ingest import DATASET_SAMPLE
from lovsvar_contracts.law import InForce, LawType, ProvisionKind
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_search.core.retrieval.filters import Demand, Filters
from lovsvar_search.core.retrieval.items import place_number


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


PROVISIONS = Filters(own=(Demand("kind", (ProvisionKind.PROVISION,)),))
"""Every provision, of announcements too."""


class Companions(NamedTuple):
    """What is served with the index of sections."""

    names: ActNames
    questions: Sequence[EverydayQuestion]


_CHAPTER = re.compile(r"kap(?:\.|it?tel|itlet|ittlet)?\s", re.IGNORECASE)


def chapter_number(refid: str, path: Sequence[str]) -> int:
    """Return the number by which the index knows the chapter (kapittel) that a section is in; 0 when it is in none.

    `path` is the headings above the section; without a chapter's among them the outermost counts.
    """
    heading = next((heading for heading in path if _CHAPTER.match(heading)), path[0] if path else "")
    return place_number(refid, " ".join(f"chapter {heading.casefold()}".split())) if heading else 0


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
