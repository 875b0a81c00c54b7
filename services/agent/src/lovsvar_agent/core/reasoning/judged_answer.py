"""An answer as a model gave it, judged: which citations hold, and which statements rest on them."""

from collections.abc import Iterable
from dataclasses import dataclass

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.bound_prose import Bound, bind, verdicts
from lovsvar_agent.core.reasoning.citation_check import Cited, cite
from lovsvar_agent.core.reasoning.claims import understood
from lovsvar_agent.core.reasoning.final import MAX_CITATIONS, Claim, Final
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.prose import markers_of, numbered_markers, plain_prose
from lovsvar_agent.core.reasoning.prose_check import states_law
from lovsvar_agent.core.reasoning.relevance import Relevance
from lovsvar_agent.core.reasoning.statement_check import Inquiry, Source
from lovsvar_agent.core.reasoning.statements import Form, settled_markers, statements
from lovsvar_agent.core.reasoning.verdicts import leading
from lovsvar_contracts.questions import FlagReason, RejectedCitation
from lovsvar_legaltext.quotes import find

LEAST_WORDS = 4
"""Words of a sentence that is a quote by itself."""


@dataclass(frozen=True)
class Judged:
    """An answer, its citations and its statements. `removed` are sentences and quotes that asked for something."""

    final: Final
    cited: Cited
    bound: Bound
    removed: tuple[RejectedCitation, ...] = ()

    @property
    def needs_repair(self) -> bool:
        """Whether the model is asked once more: something does not hold, or nothing is there that could."""
        unusable = not self.final.insufficient and not (self.bound.answers and self.cited.citations)
        return bool(self.cited.rejected or self.bound.flags) or unusable


def judge(final: Final, sources: EvidenceRegistry, asked: Inquiry, relevance: Relevance, wording: Wording) -> Judged:
    """Check the citations and bind the prose of an answer. The texts of what it cites must have been read."""
    final = understood(final, sources)
    final = Final(final.answer, (*final.claims, *_verbatim(final, sources)), final.insufficient, final.missing)
    cited = cite(final.claims, sources, relevance)
    return Judged(final, cited, rebound(final, cited, sources, asked, wording))


def rebound(final: Final, cited: Cited, sources: EvidenceRegistry, asked: Inquiry, wording: Wording) -> Bound:
    """Return the prose of an answer bound to what holds of its citations."""
    ids = sources.id_pattern
    prose = plain_prose(final.answer, sources.all, wording.link_removed)
    prose = moved_markers(numbered_markers(prose, dict(cited.places), ids), cited)
    return bind(markers_of(prose, cited.numbers, ids), _sources(cited, sources), asked, ids)


def moved_markers(prose: str, cited: Cited) -> str:
    """Return `prose` with the markers of ids that were put right as their quotes are."""
    for wrong, right in cited.moved:
        prose = prose.replace(f"[{wrong}]", f"[{right}]")
    return prose


def kept(old: Judged, new: Judged) -> bool:
    """Whether a repaired answer has all that held of the old one: its citations, its statements, its Yes or No.

    A Yes or No stays unless the law was found to speak against it.
    """
    held = {(c.evidence_id, " ".join(c.quote.split())) for c in old.cited.citations}
    holds = {(c.evidence_id, " ".join(c.quote.split())) for c in new.cited.citations}
    if any(not any(i == j and q in whole for j, whole in holds) for i, q in held):
        return False
    said = {_bare(s.text) for s in (*new.bound.holding, *(f.statement for f in new.bound.flags if not f.removed))}
    bound = (s for s in old.bound.holding if s.ids and s.form is not Form.HEADING)
    if any(_bare(s.text) not in said for s in bound):
        return False
    denied = {f.statement for f in old.bound.flags if f.why in (FlagReason.NEGATION, FlagReason.MODALITY)}
    stays = {leading(s.text)[0] for s in verdicts(old.bound.statements) if s not in denied}
    return not stays or stays == {leading(s.text)[0] for s in verdicts(new.bound.statements)}


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(" .").casefold()


def _sources(cited: Cited, sources: EvidenceRegistry) -> dict[str, Source]:
    found = {}
    for evidence_id in cited.numbers:
        evidence = sources.named(evidence_id)
        if evidence and (text := sources.text(evidence)) is not None:
            own = tuple(c for c in cited.citations if c.evidence_id == evidence_id)
            found[evidence_id] = Source(evidence, text, own, sources.proves_law(evidence_id))
    return found


def _verbatim(final: Final, sources: EvidenceRegistry) -> Iterable[Claim]:
    """Yield sentences of the prose that name no source and are words of the law, as claims of where they stand."""
    law = [(e, text) for e in sources.all if sources.proves_law(e.evidence_id) and (text := sources.text(e))]
    room = MAX_CITATIONS - len(final.claims)
    prose = settled_markers(final.answer, sources.id_pattern)
    for one in statements(prose, sources.id_pattern):
        said = leading(one.text)[1].rstrip(". ")
        if room <= 0 or one.ids or len(said.split()) < LEAST_WORDS or not states_law(said):
            continue
        holders = [e.evidence_id for e, text in law if find(said, text)]
        if len(holders) == 1 and not any(find(said, c.quote) for c in final.claims):
            room -= 1
            yield Claim(holders[0], said)
