"""Saved answers: which versions of the law they cite, and whether these are still the law's text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Answer, RunStatus
from lovsvar_contracts.saved_answers import CitedVersion, SavedAnswer
from lovsvar_contracts.search import MAX_READ, ProvisionRef, Provisions

KEPT = timedelta(days=365)
"""How long a saved answer is kept; the stream that holds it keeps no message longer."""


@dataclass(frozen=True)
class Version:
    """A cited version, and its `state` today: "same", "changed", "gone", or "unknown" where search does not say."""

    cited: CitedVersion
    state: str


def may_be_saved(answer: Answer) -> bool:
    """Return whether there is an answer to save."""
    return answer.status in (RunStatus.COMPLETED, RunStatus.LIMIT_REACHED) and bool(answer.answer_text)


def cited_provisions(answer: Answer) -> tuple[ProvisionRef, ...]:
    """Return the provisions that an answer cites, each once, as many as can be read in one request."""
    cited = (ProvisionRef(refid=c.refid, section=c.section) for c in answer.citations if c.refid and c.section)
    return tuple(dict.fromkeys(cited))[:MAX_READ]


def saved(answer: Answer, provisions: Provisions | None, owner: str, now: datetime) -> SavedAnswer:
    """Return what is stored of an answer, with the `provisions` it cites as they are now."""
    by_place = _by_place(provisions)
    acts = {e.evidence_id: e.act for e in answer.evidence}
    cited = {(c.refid, c.section): c for c in answer.citations}
    versions = tuple(
        CitedVersion(
            refid=provision.refid,
            section=provision.section,
            title=citation.title,
            act=acts.get(citation.evidence_id) or provision.act,
            content_hash=provision.content_hash,
            in_force=provision.in_force,
            corpus_date=provisions.corpus_date if provisions else None,
            url=provision.url,
            lovdata_url=provision.lovdata_url,
        )
        for place, citation in cited.items()
        if (provision := by_place.get(place))
    )
    return SavedAnswer(
        run_id=answer.run_id,
        correlation_id=answer.correlation_id,
        occurred_at=now,
        answer=answer,
        versions=versions,
        owner=owner or None,
        expires_at=now + KEPT,
    )


def compared(kept: SavedAnswer, provisions: Provisions | None) -> tuple[Version, ...]:
    """Return the cited versions with their state, by the `provisions` of today; None where search did not answer."""
    now = _by_place(provisions)

    def state(cited: CitedVersion) -> str:
        if provisions is None:
            return "unknown"
        provision = now.get((cited.refid, cited.section))
        if provision is None:
            return "gone"
        return "same" if provision.content_hash == cited.content_hash else "changed"

    return tuple(Version(cited, state(cited)) for cited in kept.versions)


def by_evidence(kept: SavedAnswer, versions: Iterable[Version]) -> Mapping[str, Version]:
    """Return the cited versions by the ids of the evidence that they are the text of."""
    by_place = {(v.cited.refid, v.cited.section): v for v in versions}
    places = ((e.evidence_id, by_place.get((e.refid or "", e.section or ""))) for e in kept.answer.evidence)
    return {evidence_id: version for evidence_id, version in places if version}


def _by_place(provisions: Provisions | None) -> Mapping[tuple[str | None, str | None], Provision]:
    return {(p.refid, p.section): p for p in (provisions.provisions if provisions else ())}
