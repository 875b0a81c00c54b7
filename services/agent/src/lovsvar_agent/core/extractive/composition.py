"""An answer by quotes as blocks: what it is worth, the quotes with why each is here, and what to do next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.answer_parts import remark, suggested
from lovsvar_agent.core.extractive.excerpts import Excerpt
from lovsvar_agent.core.extractive.phrases import PHRASES, Phrases
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_contracts.blocks import (
    AnswerBlock,
    Choice,
    Choices,
    Emergency,
    Explanation,
    Heading,
    Paragraph,
    Quote,
    RemarkRole,
    Situation,
    Span,
    plain,
)
from lovsvar_contracts.questions import Citation, Evidence, Tier
from lovsvar_legaltext.language import Language
from lovsvar_rendering.names import source_name


@dataclass(frozen=True)
class Quoted:
    """A provision, what is quoted of it in order, why, and what it says in plain words if that is at hand."""

    evidence: Evidence
    citations: tuple[tuple[Citation, Excerpt], ...]
    why: str
    answers: bool
    explanation: Explanation | None = None


@dataclass(frozen=True)
class Content:
    """What an answer by quotes says, in one language.

    `suggestions` are provisions that are not quoted. `proof` is the citation of the situation's deadline, if that is
    none of the quotes. `meant` are questions by their labels, where it is open what is asked; `narrower` the question
    of those to whom a special act applies; `follow_ups` those that the law found can answer.
    """

    language: Language
    tier: Tier
    quoted: tuple[Quoted, ...]
    remarks: tuple[str, ...]
    suggestions: tuple[Evidence, ...]
    sample: bool = False
    has_model: bool = True
    emergency: Emergency | None = None
    situation: Situation | None = None
    proof: Citation | None = None
    meant: tuple[tuple[str, str], ...] = ()
    narrower: tuple[tuple[str, str], ...] = ()
    follow_ups: tuple[str, ...] = ()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The quotes, in the order of their numbers."""
        quotes = tuple(citation for quoted in self.quoted for citation, _ in quoted.citations)
        return (*quotes, self.proof) if self.proof else quotes


def compose(content: Content) -> tuple[AnswerBlock, ...]:
    """Return the blocks of an answer by quotes, danger first."""
    phrases = PHRASES[content.language]
    blocks: list[AnswerBlock] = [content.emergency] if content.emergency else []
    blocks += [remark(WORDINGS[content.language].sample, RemarkRole.SAMPLE)] if content.sample else []
    blocks += [remark(said) for said in content.remarks]
    blocks += _choices(phrases.which_one, content.meant, narrows=True)
    blocks += _choices(phrases.applies_to, content.narrower, narrows=True)
    blocks.append(Heading(words=plain(phrases.tiers[content.tier])))
    blocks += _quotes(phrases, [q for q in content.quoted if q.answers])
    if content.tier is Tier.ANSWERS and any(not q.answers for q in content.quoted):
        blocks += [content.situation] if content.situation else []
        blocks.append(Heading(words=plain(phrases.also_related)))
        blocks += _quotes(phrases, [q for q in content.quoted if not q.answers])
    else:
        blocks += _quotes(phrases, [q for q in content.quoted if not q.answers])
        blocks += [content.situation] if content.situation else []
    if content.tier is Tier.NOTHING:
        blocks.append(remark(phrases.nothing_hint))
        blocks += suggested(phrases.nearest, content.suggestions)
    blocks += _choices(phrases.follow_ups, [(question, question) for question in content.follow_ups])
    return (*blocks, remark(phrases.quotes_only if content.has_model else phrases.no_model, RemarkRole.MODE))


def _quotes(phrases: Phrases, quoted: Sequence[Quoted]) -> Iterator[AnswerBlock]:
    for one in quoted:
        yield _lead(phrases, one)
        for citation, excerpt in one.citations:
            yield Quote(
                citation=citation.number,
                marks=excerpt.marks,
                cut_before=excerpt.cut_before,
                cut_after=excerpt.cut_after,
            )
        if one.explanation:
            yield one.explanation


def _lead(phrases: Phrases, quoted: Quoted) -> Paragraph:
    """Return the line before a provision's quotes: its name, whether it is law today, and why it is here."""
    evidence = quoted.evidence
    name = Span(text=source_name(evidence), evidence_id=evidence.evidence_id, strong=True)
    said = [part for part in (phrases.in_force.get(evidence.in_force, ""), quoted.why) if part]
    return Paragraph(words=(name, *((Span(text=f" – {'. '.join(said)}"),) if said else ())))


def _choices(title: str, choices: Sequence[tuple[str, str]], *, narrows: bool = False) -> list[Choices]:
    found = tuple(Choice(label=label, question=question) for label, question in choices)
    return [Choices(title=title, choices=found, narrows=narrows)] if found else []
