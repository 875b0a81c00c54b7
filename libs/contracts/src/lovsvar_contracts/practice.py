"""Requests and replies of the practice service."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.message import Frozen, Message


class FindPractice(Message):
    """Find court decisions and administrative practice at lovdata.no."""

    kind: Literal["find_practice"] = "find_practice"
    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]
    num: int = Field(default=10, ge=1, le=20)


class PracticeHit(Frozen):
    """One decision. `snippet` is untrusted text from a search engine."""

    title: str
    url: str
    snippet: str


class PracticeHits(Message):
    """Decisions, best first."""

    kind: Literal["practice_hits"] = "practice_hits"
    hits: tuple[PracticeHit, ...]
    cached: bool = False
    took_ms: float
