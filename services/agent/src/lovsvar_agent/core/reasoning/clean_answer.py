"""A model's answer without what it was told to ask of the reader."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.final import Final
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.prose import plain_prose
from lovsvar_agent.core.reasoning.solicitations import solicits, without_solicitations
from lovsvar_contracts.questions import RejectedCitation

SOLICITS = "Setningen ber om opplysninger, betaling eller kontakt, og det gjør verken loven eller Lovsvar."


@dataclass(frozen=True)
class Cleaned:
    """An answer in plain prose, and the sentences and quotes that were taken out."""

    final: Final
    removed: tuple[RejectedCitation, ...] = ()


def cleaned(final: Final, sources: EvidenceRegistry, guidance: Iterable[str], wording: Wording) -> Cleaned:
    """Return an answer without sentences that solicit, and without such quotes of sources that are not law.

    Numbers and addresses may be given that the law found or Lovsvar's own `guidance` has.
    """
    law = [t for e in sources.all if sources.proves_law(e.evidence_id) and (t := sources.text(e))]
    known = (*law, *guidance)
    prose = plain_prose(final.answer, sources.all, wording.link_removed, "\n".join(known))
    kept = without_solicitations(prose, known=known, link=wording.link_removed)
    asking = [c for c in final.claims if not sources.proves_law(c.evidence_id) and solicits(c.quote)]
    claims = tuple(c for c in final.claims if c not in asking)
    removed = (
        *(RejectedCitation(evidence_id="", quote=sentence, reason=SOLICITS) for sentence in kept.removed),
        *(RejectedCitation(evidence_id=c.evidence_id, quote="", reason=SOLICITS) for c in asking),
    )
    answer = kept.text if kept.removed else final.answer
    return Cleaned(replace(final, answer=answer, claims=claims), removed)
