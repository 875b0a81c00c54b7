"""An answer as the page shows it: its parts in order, its sources once, and the way to the quoted words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import quote

from lovsvar_contracts.blocks import (
    AnswerBlock,
    Choices,
    Emergency,
    Heading,
    Quote,
    Recommendations,
    RemarkRole,
    Suggestions,
    Words,
)
from lovsvar_contracts.questions import Answer, Citation, Evidence, Tier
from lovsvar_rendering.selection import blocks_of, with_sources, without
from lovsvar_rendering.text import TextRenderer

MAX_QUOTE = 1_500
"""Characters of a quote that an address carries."""

OLD = timedelta(days=30)
"""Legal text that is older is said to be."""

_SITE = re.compile(r"https://[a-z0-9-]+(\.[a-z0-9-]+)+/?")
_PHONE = re.compile(r"\+?\d{3,15}")
_ITEM = re.compile(r"(?:[a-zæøå]{1,2}[.)]|\d{1,2}[.)]|[ivx]+[.)]|[–-])\s")

Piece = tuple[str, bool]
"""Words, and whether they are marked."""


@dataclass(frozen=True)
class Source:
    """A source of an answer, with what is quoted from it."""

    evidence: Evidence
    citations: tuple[Citation, ...]


@dataclass(frozen=True)
class Part:
    """Blocks under a heading. `tier` is how surely they answer, None where a model wrote them."""

    heading: Words
    tier: Tier | None
    blocks: tuple[AnswerBlock, ...]


@dataclass(frozen=True)
class Layout:
    """An answer's blocks in a page's order: whom to call at once, the parts, what is recommended, what to ask next."""

    emergency: tuple[Emergency, ...]
    parts: tuple[Part, ...]
    offers: tuple[Recommendations, ...]
    next: tuple[Choices, ...]

    @property
    def title(self) -> Words:
        """The heading of the whole answer where its tier is said, else nothing."""
        return self.parts[0].heading if self.parts and self.parts[0].tier else ()


def lay_out(answer: Answer) -> Layout:
    """Return the order in which the page shows the blocks. An answer of a tier begins with the heading that says it."""
    blocks = shown_blocks(answer)
    emergency = tuple(b for b in blocks if isinstance(b, Emergency))
    following = tuple(b for b in blocks if isinstance(b, Choices) and not b.narrows)
    offers = tuple(b for b in blocks if isinstance(b, Recommendations))
    apart = (*emergency, *following, *offers)
    parts = tuple(_parts([b for b in blocks if b not in apart], answer.tier))
    return Layout(emergency, parts, offers, following)


def _parts(blocks: Sequence[AnswerBlock], tier: Tier | None) -> Iterator[Part]:
    headings = [(place, block.words) for place, block in enumerate(blocks) if isinstance(block, Heading)]
    if tier is None or not headings:
        if blocks:
            yield Part((), None, tuple(blocks))
        return
    # What is said of the question comes below the first heading, which is that of the whole answer.
    before = tuple(blocks[: headings[0][0]])
    ends = [*(place for place, _ in headings[1:]), len(blocks)]
    for (start, words), end in zip(headings, ends, strict=True):
        yield Part(words, tier, before + tuple(blocks[start + 1 : end]))
        before, tier = (), Tier.RELATED


def quote_lines(cited: Citation, shown: Quote) -> tuple[tuple[Piece, ...], ...]:
    """Return the lines of a quote in pieces, those that match the question marked, with an ellipsis where it is cut."""
    lines: list[tuple[Piece, ...]] = []
    at = 0
    for text in cited.quote.split("\n"):
        pieces: list[Piece] = []
        done = 0
        for begin, stop in sorted(shown.marks):
            start, end = max(begin - at, done), min(stop - at, len(text))
            if start < end:
                pieces += [(text[done:start], False), (text[start:end], True)]
                done = end
        pieces.append((text[done:], False))
        lines.append(tuple(piece for piece in pieces if piece[0]))
        at += len(text) + 1
    if shown.cut_before:
        lines[0] = (("… ", False), *lines[0])
    if shown.cut_after:
        lines[-1] = (*lines[-1], (" …", False))
    return tuple(lines)


def is_item(line: Sequence[Piece]) -> bool:
    """Return whether a line of a quote is an item of a list."""
    return bool(_ITEM.match("".join(text for text, _ in line).lstrip("… ")))


def has_several_ledd(lines: Iterable[Sequence[Piece]]) -> bool:
    """Return whether a quote goes on beyond the ledd that it begins in, as far as its lines tell."""
    return sum(not is_item(line) for line in lines) > 1


def without_dash(words: Words) -> Words:
    """Return the words after a name and a dash as a line of their own."""
    first, *rest = words
    text = first.text.lstrip(" –-")
    return (first.model_copy(update={"text": f"{text[:1].upper()}{text[1:]}"}), *rest)


def site(address: str) -> str:
    """Return `address` where a page may link to it: a public site with TLS, without a path. Else ""."""
    return address if _SITE.fullmatch(address) else ""


def dialled(phone: str) -> str:
    """Return the number that a telephone dials, "" for what is none."""
    number = re.sub(r"[\s-]", "", phone)
    return number if _PHONE.fullmatch(number) else ""


def is_old(corpus_date: date | None, today: date) -> bool:
    """Return whether legal text of that date is old enough to say so."""
    return corpus_date is not None and today - corpus_date > OLD


def quoted_numbers(answer: Answer) -> frozenset[int]:
    """Return the numbers of the citations whose quotes the answer itself shows."""
    return frozenset(block.citation for block in blocks_of(answer) if isinstance(block, Quote))


def cited_sources(answer: Answer) -> tuple[Source, ...]:
    """Return the sources that the answer quotes, in the order in which it first does."""
    by_id = {e.evidence_id: e for e in answer.evidence}
    ids = dict.fromkeys(c.evidence_id for c in answer.citations if c.evidence_id in by_id)
    return tuple(Source(by_id[i], tuple(c for c in answer.citations if c.evidence_id == i)) for i in ids)


def unused_sources(answer: Answer) -> tuple[Evidence, ...]:
    """Return the sources that were found and are neither quoted nor suggested; a product is no source."""
    suggested = (id_ for block in blocks_of(answer) if isinstance(block, Suggestions) for id_ in block.evidence_ids)
    used = {*(c.evidence_id for c in answer.citations), *suggested}
    return tuple(e for e in answer.evidence if e.catalogue is None and e.evidence_id not in used)


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


class _Citable(TextRenderer):
    """Plain text in which a listed source has its quote only where the text above has not."""

    quoted: frozenset[int] = frozenset()

    def _source(self, cited: Citation) -> str:
        if cited.number not in self.quoted:
            return super()._source(cited)
        return f"[{cited.number}] {cited.title} {cited.lovdata_url}"


def citable(answer: Answer, address: str, remarks: Iterable[str]) -> str:
    """Return the answer as plain text, with sources and their addresses, `remarks` and the answer's own `address`."""
    blocks = with_sources(without(blocks_of(answer), "choices"), "Kilder")
    renderer = _Citable(answer.citations, answer.evidence, addresses=True)
    renderer.quoted = quoted_numbers(answer)
    return "\n\n".join(part for part in (answer.question, renderer.render(blocks), " ".join(remarks), address) if part)
