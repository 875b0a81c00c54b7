"""Which of an answer's citations hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lovsvar_agent.core import composing
from lovsvar_agent.core.proof import Rejection, find, is_empty, verify
from lovsvar_agent.core.reasoning.final import Claim
from lovsvar_agent.core.reasoning.sources import Sources
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Citation, Evidence, RejectedCitation


@dataclass(frozen=True)
class Cited:
    """Citations that hold, numbered from 1, and those that do not.

    `places` gives for each claim of the model, counted from 1, the evidence it holds in.
    """

    citations: tuple[Citation, ...] = ()
    rejected: tuple[RejectedCitation, ...] = ()
    places: tuple[tuple[int, str], ...] = ()

    @property
    def numbers(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the citations of each evidence."""
        ids = dict.fromkeys(c.evidence_id for c in self.citations)
        return {i: tuple(c.number for c in self.citations if c.evidence_id == i) for i in ids}


def cite(claims: Sequence[Claim], sources: Sources) -> Cited:
    """Check every claim against the whole text of its source, which must have been read."""
    citations: list[Citation] = []
    rejected: list[RejectedCitation] = []
    places: list[tuple[int, str]] = []
    for position, claim in enumerate(claims, start=1):
        checked = _check(claim, len(citations) + 1, sources)
        if isinstance(checked, Citation):
            citations.append(checked)
            places.append((position, checked.evidence_id))
        else:
            rejected.append(RejectedCitation(evidence_id=claim.evidence_id, quote=claim.quote, reason=checked.reason))
    return Cited(tuple(citations), tuple(rejected), tuple(places))


def without(cited: Cited, lost: Iterable[RejectedCitation]) -> Cited:
    """Return `cited` without citations of the same source and quote as `lost`, which join the rejected."""
    gone = tuple(lost)
    keys = {(r.evidence_id, r.quote) for r in gone}
    kept = [c for c in cited.citations if (c.evidence_id, c.quote) not in keys]
    numbered = tuple(c.model_copy(update={"number": n}) for n, c in enumerate(kept, start=1))
    places = tuple((n, i) for n, i in cited.places if any(c.evidence_id == i for c in kept))
    return Cited(numbered, (*cited.rejected, *gone), places)


def retitled(cited: Cited, titles: Mapping[str, str]) -> Cited:
    """Return `cited` with other titles for the sources of these ids."""
    new = [c.model_copy(update={"title": titles.get(c.evidence_id, c.title)}) for c in cited.citations]
    return replace(cited, citations=tuple(new))


def _check(claim: Claim, number: int, sources: Sources) -> Citation | Rejection:
    evidence = sources.registry.named(claim.evidence_id)
    if evidence is None:
        return Rejection("Ingen kilde i denne kjøringen har den id-en.")
    if evidence.source == "serper":
        return _check_practice(claim, number, evidence)
    provision = sources.provision(evidence.evidence_id)
    if provision is None:
        return Rejection("Bestemmelsen kunne ikke leses, så sitatet er ikke kontrollert.")
    proof = verify(claim.quote, provision)
    if isinstance(proof, Rejection):
        return _with_hint(proof, claim, sources)
    return _citation(claim, number, evidence, provision).model_copy(
        update={"ledd": proof.ledd, "start": proof.start, "end": proof.end}
    )


def _check_practice(claim: Claim, number: int, evidence: Evidence) -> Citation | Rejection:
    if is_empty(claim.quote):
        return Rejection("Sitatet er tomt.")
    place = find(claim.quote, evidence.snippet)
    if place is None:
        return Rejection("Sitatet står ikke ordrett i utdraget.")
    return _citation(claim, number, evidence, None).model_copy(update={"start": place[0], "end": place[1]})


def _citation(claim: Claim, number: int, evidence: Evidence, provision: Provision | None) -> Citation:
    return Citation(
        number=number,
        evidence_id=evidence.evidence_id,
        refid=evidence.refid,
        section=evidence.section,
        title=source_name(evidence),
        url=evidence.url,
        lovdata_url=evidence.lovdata_url,
        quote=claim.quote,
        verified=True,
        in_force=provision.in_force if provision else evidence.in_force,
        sample=evidence.sample,
        dataset=provision.dataset if provision else None,
    )


def _with_hint(rejection: Rejection, claim: Claim, sources: Sources) -> Rejection:
    """Say where the quote stands instead, if it does."""
    for evidence in sources.registry.all:
        provision = sources.provision(evidence.evidence_id)
        if provision is not None and find(claim.quote, provision.text):
            return Rejection(f"{rejection.reason} Det står i {evidence.evidence_id}.")
    return rejection


def source_name(evidence: Evidence) -> str:
    """Return how an answer names a source."""
    return evidence.title if evidence.source == "serper" else composing.provision_name(evidence)
