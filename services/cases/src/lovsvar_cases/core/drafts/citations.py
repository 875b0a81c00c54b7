"""Citations of a draft: every provision that it names is read, and every quote of law is found there word for word.

A provision is named in brackets, `[lov/1999-03-26-17/§3-5]`, or as one writes, `husleieloven § 3-5`. A quote «…» is of
the provisions that its own paragraph names, else of those that the paragraph before it does.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lovsvar_cases.core.drafts.blocks import Block, texts
from lovsvar_cases.core.drafts.errors import InvalidDraft, UnprovenSource
from lovsvar_contracts.case_drafts import DraftSource
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.search import FoundReference, ProvisionRef, Provisions
from lovsvar_legaltext.quotes import find

BRACKET = re.compile(r"\[((?:lov|forskrift)/[\w-]{4,60})[/#](§[^\]\n]{1,40}|gdpr/[a-z0-9]{1,20})\]")
QUOTE = re.compile(r"«([^«»]{2,4000})»")
TIED = re.compile(r"[.,;:]?\s{0,2}\(?")
"""What may stand between a quote and the bracket that says where it is from."""

NAMES_LAW = re.compile(r"§|\bartikkel \d", re.IGNORECASE)
FEWEST_WORDS = 4
"""Of a quote that must be one of law where no bracket says so; fewer words are a term."""

MOST_SOURCES = 100
PIECE = 480
"""Characters of a text that is resolved at once."""


class LawSource(Protocol):
    """The law as search knows it. Both raise `SourcesUnavailable`."""

    async def references(self, text: str) -> Sequence[FoundReference]:
        """Return the references of a text of at most 500 characters."""

    async def read(self, refs: Sequence[ProvisionRef]) -> Provisions:
        """Return provisions whole, and which there are not."""


@dataclass(frozen=True)
class Checked:
    """What a draft rests on, and what it quotes that was not found there."""

    sources: tuple[DraftSource, ...] = ()
    unverified: tuple[str, ...] = ()


@dataclass
class Paragraph:
    """A paragraph of a draft. `asked` is what search is asked about: what may name law, without personal data."""

    text: str
    asked: str = ""
    refs: list[ProvisionRef] = field(default_factory=list)


Key = tuple[str, str]


def _key(ref: ProvisionRef | Provision) -> Key:
    return ref.refid, section_key(ref.section)


def paragraphs_of(blocks: Sequence[Block], hidden: Callable[[str], str]) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a draft; `hidden` takes personal data out of a text."""

    def asked(text: str) -> str:
        # What is quoted names law on behalf of its own source.
        rest = QUOTE.sub(" ", BRACKET.sub(" ", text))
        return hidden(rest) if NAMES_LAW.search(rest) else ""

    return tuple(Paragraph(text, asked(text)) for text in texts(blocks))


async def check(paragraphs: Sequence[Paragraph], law: LawSource) -> Checked:
    """Return the sources of a text, each read. Raises `UnprovenSource`, `InvalidDraft` and `SourcesUnavailable`."""
    wrong: list[str] = []
    for paragraph in paragraphs:
        wrong += await _find_references(paragraph, law)
    wanted = {_key(ref): ref for paragraph in paragraphs for ref in paragraph.refs}
    if len(wanted) > MOST_SOURCES:
        raise InvalidDraft(f"Utkastet viser til for mange bestemmelser: høyst {MOST_SOURCES}.")
    provisions, corpus = await _read(list(wanted.values()), law)
    wrong += [f"{ref.refid} {ref.section} finnes ikke." for key, ref in wanted.items() if key not in provisions]
    quotes, unverified, false = _quotes(paragraphs, provisions)
    if wrong or false:
        raise UnprovenSource([*wrong, *false])
    sources = tuple(
        DraftSource(
            refid=one.refid,
            section=one.section,
            title=_title(one),
            in_force_from=one.in_force_from,
            corpus_date=corpus,
            lovdata_url=one.lovdata_url,
            quotes=quotes.get(key, 0),
        )
        for key, one in ((key, provisions[key]) for key in wanted)
    )
    return Checked(sources, tuple(dict.fromkeys(unverified)))


async def _find_references(paragraph: Paragraph, law: LawSource) -> list[str]:
    """Note what a paragraph names, and return what is wrong with it."""
    paragraph.refs += [ProvisionRef(refid=found[1], section=found[2]) for found in BRACKET.finditer(paragraph.text)]
    wrong: list[str] = []
    for piece in pieces(paragraph.asked):
        if not NAMES_LAW.search(piece):
            continue
        for found in await law.references(piece):
            if found.reason in {"provision_missing", "place_missing"}:
                wrong.append(f"«{found.text}»: {found.detail or 'finnes ikke.'}")
            paragraph.refs += [
                ProvisionRef(refid=match.refid, section=match.section) for match in found.matches[:1] if match.section
            ]
    return wrong


def pieces(text: str) -> Iterable[str]:
    """Yield a text in pieces that can be resolved, divided between sentences or words."""
    while len(text) > PIECE:
        cut = max(text.rfind(". ", 0, PIECE) + 1, 0) or max(text.rfind(" ", 0, PIECE), 0) or PIECE
        yield text[:cut]
        text = text[cut:]
    yield text


async def _read(refs: Sequence[ProvisionRef], law: LawSource) -> tuple[dict[Key, Provision], object]:
    found: dict[Key, Provision] = {}
    corpus = None
    for start in range(0, len(refs), 50):
        reply = await law.read(refs[start : start + 50])
        found |= {_key(one): one for one in reply.provisions}
        corpus = reply.corpus_date
    return found, corpus


def _quotes(
    paragraphs: Sequence[Paragraph], provisions: dict[Key, Provision]
) -> tuple[dict[Key, int], list[str], list[str]]:
    """Return how many quotes of each provision hold, those that were not found, and what is false."""
    counts: dict[Key, int] = {}
    unverified: list[str] = []
    false: list[str] = []
    before: list[ProvisionRef] = []
    for paragraph in paragraphs:
        for found in QUOTE.finditer(paragraph.text):
            quote = found[1]
            bracket = _bracket_after(paragraph.text, found.end())
            among = [bracket] if bracket else paragraph.refs or before
            holder = next(
                (k for k in map(_key, among) if k in provisions and find(quote, provisions[k].text)),
                None,
            )
            if holder:
                counts[holder] = counts.get(holder, 0) + 1
            elif bracket:
                false.append(f"«{quote[:200]}» står ikke ordrett i {bracket.refid} {bracket.section}.")
            elif among and len(quote.split()) >= FEWEST_WORDS:
                unverified.append(quote)
        before = paragraph.refs
    return counts, unverified, false


def _bracket_after(text: str, at: int) -> ProvisionRef | None:
    between = TIED.match(text, at)
    found = BRACKET.match(text, between.end() if between else at)
    return ProvisionRef(refid=found[1], section=found[2]) if found else None


def _title(provision: Provision) -> str:
    value = provision.value.rstrip(".")
    heading = provision.title.strip(" .()")
    return f"{provision.act} {value}{f' ({heading})' if heading else ''}"


def with_names(text: str, sources: Sequence[DraftSource]) -> str:
    """Return `text` with the names of provisions in place of the brackets that name them."""
    names = {(one.refid, section_key(one.section)): one.title.partition(" (")[0] for one in sources}
    return BRACKET.sub(lambda found: names.get((found[1], section_key(found[2])), found[0]), text)
