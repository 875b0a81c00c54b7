"""`hent_lovtekst`: provisions word for word, one, many or a chapter."""

import asyncio
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.question_filters import in_words
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import MAX_NAME, Misunderstood
from lovsvar_agent.core.reasoning.conversation import CHARACTERS_A_TOKEN, FENCE_TOKENS, shown_tokens
from lovsvar_agent.core.reasoning.tool_results import DATA_NOTE
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tools.law_access import MAX_BATCH, LawAccess
from lovsvar_agent.core.tools.tool import DOCUMENT, Found, Tool, number, parameters, plainly, text
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.search import OutlineEntry, OutlineNode, ProvisionRef

ROOM_FOR_WORDS = 200
"""Tokens of a result that a chapter's name and remarks may take."""

DESCRIPTION = """\
Hent hele ordlyden av en bestemmelse som spørsmålet nevner, av et treff som ikke er vist helt, eller av et kapittel."""


@dataclass(frozen=True)
class Reading:
    """Provisions that were read, and the page of them that is wanted.

    Those `of_chapter` are a page of that chapter themselves.
    """

    provisions: Sequence[Provision]
    page: int = 1
    of_chapter: bool = False


async def read_law(law: LawAccess, given: Mapping[str, Any]) -> Found:
    """Read provisions by name, one or many, or a chapter."""
    chapter = read.text_of(given, "chapter", MAX_NAME)
    wanted = _wanted(given)
    page = read.number_of(given, "page", 1, 1000)
    if chapter and not any(section for _, section in wanted):
        return await _read_chapter(law, read.required(given, "document", MAX_NAME), chapter, page)
    resolved = await asyncio.gather(*(law.ref(document, section) for document, section in wanted))
    refs = tuple(dict.fromkeys(r for r in resolved if isinstance(r, ProvisionRef)))
    said = [s for s in resolved if isinstance(s, str)]
    if not refs:
        return Found(said=tuple(said))
    found = await law.read(refs)
    filters = in_words(law.filters)
    where = f" innenfor det spørsmålet er avgrenset til: {filters}" if filters else ""
    said += [f"Fant ikke {m.section} i {m.refid}{where}. Se innholdsfortegnelse." for m in found.missing]
    return Found(
        result=Reading(found.provisions, page) if found.provisions else None,
        sources=((LAW, found.provisions),),
        said=tuple(said),
        count=len(found.provisions),
        corpus_version=found.corpus_version,
    )


def show_reading(reading: Reading, sources: EvidenceRegistry, tokens: int) -> tuple[str, bool]:
    """Return one page of provisions, word for word."""
    pages = _pages(reading.provisions, tokens)
    page = min(reading.page, len(pages))
    shown = [LAW.fence(sources.of(LAW, p), text) for p, text in pages[page - 1]]
    sources.shown.update(sources.of(LAW, p).evidence_id for p, text in pages[page - 1] if text == p.text)
    rest = f"kall på nytt med page={page + 1}"
    if reading.of_chapter:
        rest = "hent bestemmelsen for seg, med section og page=2"
    more = [f"Side {page} av {len(pages)}. Resten: {rest}."] if page < len(pages) else []
    return "\n".join((DATA_NOTE, *shown, *more)), len(pages) > 1


async def _read_chapter(law: LawAccess, document: str, chapter: str, page: int) -> Found:
    refid = await law.document(document)
    found = await law.outline(refid)
    node = _chapter(found.children, chapter)
    if node is None:
        raise Misunderstood(f"Fant ikke kapittel «{chapter}» i {document}. Se innholdsfortegnelse.")
    refs = [ProvisionRef(refid=refid, section=e.section) for e in _entries(node)]
    pages: list[list[Provision]] = [[]]
    version = 0
    # The outline's counts only say about how long a text is, so that pages are made of the texts themselves.
    while refs and len(pages) <= page:
        batch, refs = tuple(refs[:MAX_BATCH]), refs[MAX_BATCH:]
        reading = await law.read(batch)
        version = reading.corpus_version
        for provision in reading.provisions:
            used = sum(shown_tokens(p.text) for p in (*pages[-1], provision))
            if pages[-1] and used > law.limits.result_tokens - ROOM_FOR_WORDS:
                pages.append([])
            pages[-1].append(provision)
    if not pages[0]:
        raise Misunderstood(f"Kapittel «{chapter}» i {document} har ingen bestemmelser.")
    number = min(page, len(pages))
    shown = tuple(pages[number - 1])
    more = number < len(pages) or refs
    said = [f"{node.title or node.name}, side {number}."]
    said += [f"Kapittelet fortsetter: kall på nytt med page={number + 1}."] if more else []
    return Found(
        result=Reading(shown, of_chapter=True),
        sources=((LAW, shown),),
        said=tuple(said),
        count=len(shown),
        corpus_version=version,
    )


def _really_asked(law: LawAccess, given: Mapping[str, Any]) -> Hashable:
    """Return the places that a reading names, whatever it calls them, and its page."""
    try:
        wanted = frozenset(law.place(document, section) for document, section in _wanted(given))
    except Misunderstood:
        return plainly(given)
    chapter = section_key(read.text_of(given, "chapter", MAX_NAME))
    return wanted, chapter, read.number_of(given, "page", 1, 1000)


def _wanted(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (document, section) of each provision asked for. Raises `Misunderstood` when there is none."""
    batch = given.get("provisions")
    items = [item for item in batch if isinstance(item, Mapping)][:MAX_BATCH] if isinstance(batch, list) else []
    document = read.text_of(given, "document", MAX_NAME)
    wanted = [(read.text_of(i, "document", MAX_NAME) or document, read.text_of(i, "section", MAX_NAME)) for i in items]
    wanted = [w for w in wanted if w[0]]
    if not wanted:
        wanted = [(read.required(given, "document", MAX_NAME), read.text_of(given, "section", MAX_NAME))]
    return wanted


def _chapter(nodes: Iterable[OutlineNode], wanted: str) -> OutlineNode | None:
    key = section_key(wanted).removeprefix("kapittel").removeprefix("kap").strip(".")
    for node in nodes:
        name = section_key(node.name)
        if name in {section_key(wanted), f"kap{key}", f"kapittel{key}"} or re.match(
            rf"kap(?:ittel|\.)?\s*{re.escape(key)}(?![\w-])", node.title.casefold()
        ):
            return node
        if found := _chapter(node.children, wanted):
            return found
    return None


def _entries(node: OutlineNode) -> list[OutlineEntry]:
    return [*node.provisions, *(e for child in node.children for e in _entries(child))]


def _pages(provisions: Iterable[Provision], tokens: int) -> list[list[tuple[Provision, str]]]:
    """Return the texts in pages of about `tokens`; a provision too long for one goes on at the next."""
    pages: list[list[tuple[Provision, str]]] = [[]]
    room = tokens
    for provision in provisions:
        for piece in _pieces(provision.text, max(tokens - FENCE_TOKENS, FENCE_TOKENS) * CHARACTERS_A_TOKEN):
            size = shown_tokens(piece)
            if pages[-1] and size > room:
                pages.append([])
                room = tokens
            pages[-1].append((provision, piece))
            room -= size
    return pages


def _pieces(text: str, characters: int) -> Iterator[str]:
    while len(text) > characters:
        ends = (text.rfind(end, characters // 2, characters) for end in ("\n", " "))
        cut = next((end for end in ends if end > 0), characters)
        yield text[:cut]
        text = text[cut:].lstrip()
    yield text


LAW_READING = Tool(
    name="hent_lovtekst",
    title="Leser bestemmelser",
    description=DESCRIPTION,
    parameters=parameters(
        (),
        document=DOCUMENT,
        section=text("«§ 3-5»"),
        chapter=text("«3»"),
        provisions={"type": "array", "items": {"type": "object"}, "description": "Flere: document og section."},
        page=number("Side."),
    ),
    call=read_law,
    show=show_reading,
    asks=_really_asked,
)
