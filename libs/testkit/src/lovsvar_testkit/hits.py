"""Replies of a search, with everything that a test does not care about filled in."""

from typing import Any

from lovsvar_contracts.law import InForce, LawType
from lovsvar_contracts.search import ProvisionHit, ProvisionHits


def make_hit(snippet: str, *marks: tuple[int, int]) -> ProvisionHit:
    """Return a hit with this text; `marks` are the places in it that have the words of the search."""
    return ProvisionHit(
        refid="lov/2999-01-01-1",
        section="§3-5",
        act="Loven",
        title="§ 3-5. <Depositum>",
        law_type=LawType.LOV,
        snippet=snippet,
        marks=marks,
        score=1,
        in_force=InForce.YES,
        url="/lov/2999-01-01-1#§3-5",
        lovdata_url="https://lovdata.no/x",
        tokens=1,
    )


def make_hits(*hits: ProvisionHit, **more: Any) -> ProvisionHits:
    """Return the one page with these hits; `more` are fields of the reply that are to be otherwise."""
    known: dict[str, Any] = {"total": len(hits), "page": 1, "page_size": 10, "corpus_version": 1, "took_ms": 1}
    return ProvisionHits(hits=hits, **{**known, "searched_law_types": tuple(LawType), "prioritized": True, **more})
