"""Search for provisions and court practice, and resolution of references."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StringConstraints

from lovsvar_contracts import search
from lovsvar_contracts.identifiers import Refid
from lovsvar_contracts.law import LawType
from lovsvar_contracts.named_acts import MAX_ACTS, MAX_NAME, FindActs
from lovsvar_contracts.practice import PracticeHits
from lovsvar_contracts.search import Acts, FindProvisions, ProvisionHits, Resolution, SearchMode
from lovsvar_gateway.core.phrases import IsoDate, Plain
from lovsvar_gateway.parts import GatewayParts

router = APIRouter(prefix="/v1", tags=["search"])

Year = Annotated[int, Field(ge=1600, le=3000)]
Ministry = Annotated[str, StringConstraints(max_length=200), Plain]
LegalArea = Annotated[str, StringConstraints(max_length=200), Plain]
Dataset = Annotated[str, StringConstraints(max_length=100), Plain]
ActName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME), Plain]
Reference = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), Plain]
PracticeQuery = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000), Plain]


COMPLETIONS_KEPT = "private, max-age=300"
"""How long a browser keeps the completions of a name, for its own reader: they were read with a key."""


class SearchParameters(BaseModel):
    """What to find. Without `law_type`, law types fill the answer in their order."""

    q: Annotated[search.Query, Plain] = Field(
        description='All words are preferred; `"a phrase"` must occur, `-word` must not, `OR` separates alternatives.'
    )
    law_type: LawType | None = None
    year: Year | None = Field(default=None, description="Year of the document's own date.")
    year_from: Year | None = Field(default=None, description="First year of that date.", examples=[2000])
    year_to: Year | None = Field(default=None, description="Last year of that date.", examples=[2009])
    ministry: Ministry | None = Field(default=None, description="Part of a ministry's name.")
    legal_area: LegalArea | None = Field(default=None, description="Part of a legal area's name.")
    dataset: Dataset | None = Field(default=None, description="A data set.", examples=["gjeldende-lover"])
    document: Annotated[Refid, Plain] | None = Field(
        default=None, description="Search in this document alone.", examples=["lov/1999-03-26-17"]
    )
    in_force_on: Annotated[date, IsoDate] | None = Field(
        default=None, description="Only what was or will be in force on that day.", examples=["2026-01-31"]
    )
    announcements: bool = Field(default=False, description="Search Norsk Lovtidend instead of current law.")
    mode: SearchMode = Field(
        default=SearchMode.HYBRID,
        description="Rank by words, meaning or both; the reply's `mode` says lexical while there are no vectors.",
    )
    explain: bool = Field(default=False, description="Show what the score of each hit is made of.")
    all_types: bool = Field(
        default=False, description="Search every law type, instead of filling the answer by law types in their order."
    )
    facets: bool = Field(
        default=False,
        description="Count the hits of all pages by law type, decade, ministry and legal area, and those in force.",
    )
    page: int = Field(default=1, ge=1, le=1000)
    page_size: int = Field(default=10, ge=1, le=search.MAX_PAGE_SIZE)


@router.get("/search")
async def find_provisions(parameters: Annotated[SearchParameters, Query()], parts: GatewayParts) -> ProvisionHits:
    """Find provisions by words and by meaning, best first."""
    return await parts.law.find(FindProvisions(query=parameters.q, **parameters.model_dump(exclude={"q"})))


class ActParameters(BaseModel):
    """The name of an act, or the beginning of one."""

    q: ActName = Field(description="The beginning of a name, of a word in it or of an abbreviation; or a refid.")
    law_type: LawType | None = None
    limit: int = Field(default=10, ge=1, le=MAX_ACTS)


@router.get("/acts")
async def complete_act(parameters: Annotated[ActParameters, Query()], parts: GatewayParts, response: Response) -> Acts:
    """Complete the name or abbreviation of an act or regulation, best first: "aml", "skatteloven", "husl"."""
    acts = await parts.law.acts(FindActs(text=parameters.q, law_type=parameters.law_type, limit=parameters.limit))
    # Names change with the law, some times a year; a reader types the same few letters again and again.
    response.headers["Cache-Control"] = COMPLETIONS_KEPT
    return acts


@router.get("/resolve")
async def resolve_reference(ref: Annotated[Reference, Query()], parts: GatewayParts) -> Resolution:
    """Find what a written reference names, as in "husll. § 3-5": one thing, several, or none."""
    return await parts.law.resolve(ref)


@router.get("/practice")
async def find_practice(
    q: Annotated[PracticeQuery, Query()], parts: GatewayParts, num: Annotated[int, Query(ge=1, le=20)] = 10
) -> PracticeHits:
    """Find court decisions and administrative practice."""
    return await parts.law.practice(q, num)
