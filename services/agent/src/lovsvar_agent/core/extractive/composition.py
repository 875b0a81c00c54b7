"""An answer as blocks; its text and HTML are rendered from them once it is complete."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.run import Run
from lovsvar_contracts.blocks import AnswerBlock, Paragraph, Quote, Remark, RemarkRole, Span, Suggestions, plain
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, RunStatus
from lovsvar_rendering.html import HtmlRenderer
from lovsvar_rendering.names import source_name
from lovsvar_rendering.text import TextRenderer

SAMPLE_NOTICE = "Merk: Dette svaret bygger på oppdiktede eksempeltekster, ikke på norsk lov."
EXTRACTIVE_NOTICE = "Svaret er sitater fra loven, uten språkmodell."
NO_MODEL_NOTICE = "Det er ikke satt opp noen språkmodell. " + EXTRACTIVE_NOTICE
NOTHING_FITS = "Jeg fant ingen bestemmelse som svarer på spørsmålet."
NEAREST = "De nærmeste bestemmelsene er:"

_FORCE = {
    InForce.NOT_YET: ", som ikke har trådt i kraft,",
    InForce.REPEALED: ", som er opphevet,",
}


@dataclass(frozen=True)
class Quoted:
    """A provision and what is quoted of it, in order."""

    evidence: Evidence
    citations: tuple[Citation, ...]


@dataclass(frozen=True)
class Content:
    """What an answer by quotes says: remarks in Norwegian, quotes, and suggestions when there are none."""

    quoted: tuple[Quoted, ...]
    remarks: tuple[str, ...]
    suggestions: tuple[Evidence, ...]
    sample: bool
    notice: str = EXTRACTIVE_NOTICE

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The quotes, in the order of their numbers."""
        return tuple(citation for quoted in self.quoted for citation in quoted.citations)


def compose(content: Content) -> tuple[AnswerBlock, ...]:
    """Return the blocks of an answer by quotes."""
    blocks: list[AnswerBlock] = [remark(SAMPLE_NOTICE, RemarkRole.SAMPLE)] if content.sample else []
    blocks += [remark(said) for said in content.remarks]
    for quoted in content.quoted:
        blocks.append(_lead(quoted.evidence))
        blocks += [Quote(citation=citation.number) for citation in quoted.citations]
    if not content.quoted:
        blocks.append(remark(NOTHING_FITS))
        blocks += suggested(NEAREST, content.suggestions)
    return (*blocks, remark(content.notice, RemarkRole.MODE))


def remark(said: str, role: RemarkRole = RemarkRole.NOTE) -> Remark:
    """Return a sentence of the agent's own."""
    return Remark(role=role, words=plain(said))


def suggested(title: str, nearest: Sequence[Evidence]) -> list[Suggestions]:
    """Return a block of the sources to look at instead, if there are any."""
    return [Suggestions(title=title, evidence_ids=tuple(e.evidence_id for e in nearest))] if nearest else []


def completed(run: Run, mode: Mode, limit: str | None, blocks: Sequence[AnswerBlock], **checked: Any) -> Answer:
    """Return the answer of a run, with the fields of `checked`. `limit` is what ended the run early."""
    asked, evidence = run.asked, run.evidence.all
    citations = checked["citations"]
    return Answer(
        correlation_id=asked.correlation_id,
        run_id=asked.run_id,
        status=RunStatus.LIMIT_REACHED if limit else RunStatus.COMPLETED,
        mode=mode,
        question=asked.question,
        filters=asked.filters,
        follows=asked.follows,
        blocks=tuple(blocks),
        answer_html=HtmlRenderer(citations, evidence).render(blocks),
        answer_text=TextRenderer(citations, evidence).render(blocks),
        evidence=evidence,
        usage=run.usage,
        sample=any(e.sample for e in evidence),
        **checked,
    )


def did_you_mean(words: Sequence[str]) -> str:
    """Return the question whether one of `words` was meant: 'Mente du «depositum» eller «pant»?'; empty without any."""
    quoted = [f"«{word}»" for word in words]
    listed = " eller ".join(part for part in (", ".join(quoted[:-1]), *quoted[-1:]) if part)
    return f"Mente du {listed}?" if listed else ""


def _lead(evidence: Evidence) -> Paragraph:
    name = Span(text=source_name(evidence), evidence_id=evidence.evidence_id, strong=True)
    return Paragraph(words=(name, Span(text=f"{_FORCE.get(evidence.in_force, '')} sier:")))
