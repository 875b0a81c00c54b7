"""Which of an answer's citations hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.proof import Rejection, find
from lovsvar_agent.core.reasoning.claims import placed_right
from lovsvar_agent.core.reasoning.final import Claim
from lovsvar_agent.core.reasoning.quote_context import context, is_clause
from lovsvar_agent.core.reasoning.relevance import UNKNOWN, Relevance
from lovsvar_contracts.questions import Citation, RejectedCitation

TOO_SHORT = "Sitatet er for kort til å si noe. Siter minst en hel setningsdel, med verb."
TOO_FAR = "Bestemmelsen handler om noe annet enn spørsmålet."


@dataclass(frozen=True)
class Cited:
    """Citations that hold, numbered from 1, and those that do not.

    `places` gives for each claim of the model, counted from 1, the evidence it holds in; `moved` the ids that were
    put right, each with the right one.
    """

    citations: tuple[Citation, ...] = ()
    rejected: tuple[RejectedCitation, ...] = ()
    places: tuple[tuple[int, str], ...] = ()
    moved: tuple[tuple[str, str], ...] = ()

    @property
    def numbers(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the citations of each evidence."""
        ids = dict.fromkeys(c.evidence_id for c in self.citations)
        return {i: tuple(c.number for c in self.citations if c.evidence_id == i) for i in ids}


def cite(claims: Sequence[Claim], sources: EvidenceRegistry, relevance: Relevance = UNKNOWN) -> Cited:
    """Check every claim against the whole text of its source, which must have been read.

    A quote that its source does not have, and exactly one other has, is cited from that one.
    """
    citations: list[Citation] = []
    rejected: list[RejectedCitation] = []
    places: list[tuple[int, str]] = []
    moved: dict[str, str] = {}
    for position, given in enumerate(claims, start=1):
        claim = placed_right(given, sources)
        checked = _check(claim, len(citations) + 1, sources, relevance)
        if isinstance(checked, Citation):
            citations.append(checked)
            places.append((position, checked.evidence_id))
            if claim.evidence_id != given.evidence_id:
                moved[given.evidence_id] = claim.evidence_id
        else:
            rejected.append(RejectedCitation(evidence_id=claim.evidence_id, quote=claim.quote, reason=checked.reason))
    right = {c.evidence_id for c in citations}
    changed = tuple((wrong, to) for wrong, to in moved.items() if wrong and wrong not in right)
    return Cited(tuple(citations), tuple(rejected), tuple(places), changed)


def without(cited: Cited, lost: Iterable[RejectedCitation]) -> Cited:
    """Return `cited` without citations of the same source and quote as `lost`, which join the rejected."""
    gone = tuple(lost)
    keys = {(r.evidence_id, r.quote) for r in gone}
    kept = [c for c in cited.citations if (c.evidence_id, c.quote) not in keys]
    numbered = tuple(c.model_copy(update={"number": n}) for n, c in enumerate(kept, start=1))
    places = tuple((n, i) for n, i in cited.places if any(c.evidence_id == i for c in kept))
    return Cited(numbered, (*cited.rejected, *gone), places, cited.moved)


def retitled(cited: Cited, titles: Mapping[str, str]) -> Cited:
    """Return `cited` with other titles for the sources of these ids."""
    new = [c.model_copy(update={"title": titles.get(c.evidence_id, c.title)}) for c in cited.citations]
    return replace(cited, citations=tuple(new))


def _check(claim: Claim, number: int, sources: EvidenceRegistry, relevance: Relevance) -> Citation | Rejection:
    evidence = sources.named(claim.evidence_id)
    if evidence is None:
        return Rejection("Ingen kilde i denne kjøringen har den id-en.")
    proof = sources.verify(claim.quote, evidence)
    if isinstance(proof, Rejection):
        holder = next((e for e in sources.all if find(claim.quote, sources.text(e) or "")), None)
        return Rejection(f"{proof.reason} Det står i {holder.evidence_id}.") if holder else proof
    text = sources.text(evidence) or ""
    if not is_clause(claim.quote, text, proof.start, proof.end):
        return Rejection(TOO_SHORT)
    if relevance.is_far(evidence):
        return Rejection(TOO_FAR)
    citation = sources.kind(evidence).cite(number, evidence, claim.quote, proof, sources.whole(evidence))
    whole = text[slice(*context(text, proof.start, proof.end))]
    more = {"context": whole if _says_more(whole, claim.quote) else "", "relevance": relevance.of(evidence)}
    return citation.model_copy(update=more)


def _says_more(whole: str, quote: str) -> bool:
    return sum(map(str.isalnum, whole)) > sum(map(str.isalnum, quote))
