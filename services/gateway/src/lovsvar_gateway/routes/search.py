"""Finding: provisions by words, what a reference names, and court practice."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, StringConstraints

from lovsvar_contracts import search, subjects
from lovsvar_contracts.law import LawType
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.search import FindProvisions, ProvisionHits, Resolution, ResolveReference
from lovsvar_gateway.core.wording import Plain
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.tracing import correlation_id

router = APIRouter(prefix="/v1", tags=["search"])

Year = Annotated[int, Field(ge=1600, le=3000)]
Ministry = Annotated[str, StringConstraints(max_length=200), Plain]
Reference = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), Plain]
PracticeQuery = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000), Plain]


class SearchParameters(BaseModel):
    """What to find. Without `law_type`, law types fill the answer in their order."""

    q: Annotated[search.Query, Plain]
    law_type: LawType | None = None
    year: Year | None = None
    ministry: Ministry | None = None
    announcements: bool = Field(default=False, description="Search Norsk Lovtidend instead of current law.")
    page: int = Field(default=1, ge=1, le=1000)
    page_size: int = Field(default=10, ge=1, le=search.MAX_PAGE_SIZE)


@router.get("/search")
async def find_provisions(parameters: Annotated[SearchParameters, Query()], parts: GatewayParts) -> ProvisionHits:
    """Find provisions by words, best first."""
    filters = parameters.model_dump(exclude={"q"})
    request = FindProvisions(correlation_id=correlation_id(), query=parameters.q, **filters)
    return await parts.services.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits)


@router.get("/resolve")
async def resolve_reference(ref: Annotated[Reference, Query()], parts: GatewayParts) -> Resolution:
    """Find what a written reference names, as in "husll. § 3-5": one thing, several, or none."""
    request = ResolveReference(correlation_id=correlation_id(), reference=ref)
    return await parts.services.ask(subjects.SEARCH_RESOLVE, request, Resolution)


@router.get("/practice")
async def find_practice(
    q: Annotated[PracticeQuery, Query()], parts: GatewayParts, num: Annotated[int, Query(ge=1, le=20)] = 10
) -> PracticeHits:
    """Find court decisions and administrative practice."""
    request = FindPractice(correlation_id=correlation_id(), query=q, num=num)
    return await parts.services.ask(subjects.PRACTICE_SEARCH, request, PracticeHits)
