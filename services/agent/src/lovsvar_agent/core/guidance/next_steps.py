"""What to do next in a situation, as a block of an answer, with the sentence that sets its deadline."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.guidance.situations import Deadline, Place, Situation
from lovsvar_agent.core.proof import Proof, verify
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts import blocks
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import InForce, Provision
from lovsvar_contracts.questions import Citation, Evidence
from lovsvar_contracts.search import ProvisionRef
from lovsvar_legaltext.explanations import ledd_texts
from lovsvar_legaltext.language import Language
from lovsvar_legaltext.quantities import unsupported
from lovsvar_rendering.names import source_name

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True)
class Labels:
    """What the lines of a situation are called in one language."""

    deadline: str
    decides: str
    cost: str
    letter: str
    checked: str


LABELS: Mapping[Language, Labels] = {
    "nb": Labels("Frist", "Hvem avgjør", "Hva det koster", "Brev du kan skrive", "Sist kontrollert {day}"),
    "nn": Labels("Frist", "Kven avgjer", "Kva det kostar", "Brev du kan skrive", "Sist kontrollert {day}"),
    "en": Labels("Time limit", "Who decides", "What it costs", "Letter to write", "Last checked {day}"),
}


@dataclass(frozen=True)
class NextSteps:
    """The block of a situation, and the citation that its deadline needs besides those that the answer has."""

    block: blocks.Situation
    citation: Citation | None = None


def to_read(situation: Situation | None, evidence: EvidenceRegistry) -> ProvisionRef | None:
    """Return the provision that sets the deadline of a situation, if it has not been read."""
    if situation is None or situation.deadline is None:
        return None
    found = _evidence(situation.deadline, evidence)
    return None if found and evidence.whole(found) else situation.deadline.provision


def next_steps(
    situation: Situation, language: Language, evidence: EvidenceRegistry, citations: Sequence[Citation]
) -> NextSteps:
    """Return what to do next, in `language`. `citations` are those of the answer.

    The deadline has the citation of the sentence that sets it, which may be one of the answer's. When its provision
    could not be read, it names the provision; when the provision no longer says so, the deadline is left out.
    """
    labels, day = LABELS[language], situation.checked
    said, cited = _deadline(situation.deadline, language, evidence, citations) if situation.deadline else ((), None)
    facts = [blocks.Fact(label=labels.deadline, words=said)] if said else []
    for label, words in (
        (labels.decides, situation.decides),
        (labels.cost, situation.cost),
        (labels.letter, situation.letter),
    ):
        facts += [blocks.Fact(label=label, words=blocks.plain(words[language]))] if words else []
    block = blocks.Situation(
        id=situation.id,
        title=situation.title[language],
        steps=situation.steps[language],
        facts=tuple(facts),
        contact=situation.contact[language],
        note=labels.checked.format(day=_written(day, language)),
        checked=day,
    )
    return NextSteps(block, cited if cited not in citations else None)


def background(situation: Situation, language: Language) -> str:
    """Return a situation as plain text, for a model to read."""
    labels, contact = LABELS[language], situation.contact[language]
    lines = [situation.title[language], *(f"{n}. {step}" for n, step in enumerate(situation.steps[language], 1))]
    if situation.deadline:
        ref = situation.deadline.provision
        lines.append(f"{labels.deadline}: {situation.deadline.words[language]} ({ref.refid} {ref.section})")
    lines += [f"{labels.decides}: {situation.decides[language]}"] if situation.decides else []
    lines += [f"{labels.cost}: {situation.cost[language]}"] if situation.cost else []
    return "\n".join((*lines, f"{contact.name}: {contact.does}"))


def _deadline(
    deadline: Deadline, language: Language, evidence: EvidenceRegistry, citations: Sequence[Citation]
) -> tuple[blocks.Words, Citation | None]:
    """Return a deadline in words, and the citation that proves it; no words when the law does not say so."""
    found = _evidence(deadline, evidence)
    whole: Provision | None = evidence.whole(found) if found else None
    words = deadline.words[language]
    if found is None or whole is None:
        ref = deadline.provision
        name = source_name(found) if found else f"{ref.refid} {ref.section.replace('§', '§ ')}"
        return blocks.plain(f"{words} ({name})"), None
    quote = deadline.quote(whole) or ""
    proof = verify(quote, whole)
    ledd = ledd_texts(whole.blocks).get(deadline.ledd, "")
    if not isinstance(proof, Proof) or whole.in_force is not InForce.YES or unsupported(deadline.words["nb"], [ledd]):
        return (), None
    cited = next((c for c in citations if c.evidence_id == found.evidence_id and _holds(c, proof)), None)
    if cited is None:
        number = 1 + max((citation.number for citation in citations), default=0)
        cited = LAW.cite(number, found, quote, proof, whole)
    return (blocks.Span(text=words, citations=(cited.number,)),), cited


def _evidence(deadline: Deadline, evidence: EvidenceRegistry) -> Evidence | None:
    try:
        return evidence.of(LAW, deadline.provision)
    except KeyError:
        return None


def _holds(citation: Citation, proof: Proof) -> bool:
    start, end = citation.start, citation.end
    return start is not None and end is not None and start <= proof.start and proof.end <= end


def _written(day: date, language: Language) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}" if language == "en" else f"{day:%d.%m.%Y}"


def places(sources: Iterable[Citation | Evidence]) -> list[Place]:
    """Return the provisions that sources are."""
    return [(one.refid, section_key(one.section)) for one in sources if one.refid and one.section]
