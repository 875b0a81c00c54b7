"""An answer as the page shows it: what is left out of it, its sources, and the way to the quoted words."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from lovsvar_contracts.blocks import AnswerBlock, RemarkRole
from lovsvar_contracts.questions import Answer, Citation, Evidence
from lovsvar_rendering.selection import blocks_of, with_sources, without
from lovsvar_rendering.text import TextRenderer

MAX_QUOTE = 1_500
"""Characters of a quote that an address carries."""


@dataclass(frozen=True)
class Source:
    """A source of an answer, with what is quoted from it."""

    evidence: Evidence
    citations: tuple[Citation, ...]


def cited_sources(answer: Answer) -> tuple[Source, ...]:
    """Return the sources that the answer quotes, in the order in which it first does."""
    by_id = {e.evidence_id: e for e in answer.evidence}
    ids = dict.fromkeys(c.evidence_id for c in answer.citations if c.evidence_id in by_id)
    return tuple(Source(by_id[i], tuple(c for c in answer.citations if c.evidence_id == i)) for i in ids)


def unused_sources(answer: Answer) -> tuple[Evidence, ...]:
    """Return what was found and is not quoted."""
    used = {c.evidence_id for c in answer.citations}
    return tuple(e for e in answer.evidence if e.evidence_id not in used)


def shown_blocks(answer: Answer) -> tuple[AnswerBlock, ...]:
    """Return the blocks that the page shows. It has a list of sources, and says mode and corpus, itself."""
    return without(blocks_of(answer), "sources", roles={RemarkRole.SAMPLE, RemarkRole.MODE})


def linked(answer: Answer) -> dict[str, Evidence]:
    """Return the evidence that the page links to, by id: what is in the viewer or at an address with TLS."""
    return {e.evidence_id: e for e in answer.evidence if e.url.startswith(("/", "https://"))}


def at_the_words(citation: Citation) -> str:
    """Return the address at which a citation's words are marked in their document; practice has its own address."""
    if citation.refid is None or citation.section is None:
        return citation.url
    section = quote(citation.section)
    return f"/{citation.refid}?paragraf={section}&sitat={quote(citation.quote[:MAX_QUOTE])}#{section}"


def citable(answer: Answer, address: str, remarks: Iterable[str]) -> str:
    """Return the answer as plain text, with sources and their addresses, `remarks` and the answer's own `address`."""
    blocks = with_sources(blocks_of(answer), "Kilder")
    text = TextRenderer(answer.citations, answer.evidence, addresses=True).render(blocks)
    return "\n\n".join(part for part in (answer.question, text, " ".join(remarks), address) if part)
