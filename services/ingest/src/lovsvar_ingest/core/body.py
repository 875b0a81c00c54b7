"""A document's body: its divisions, its provisions, and the text between them, in reading order.

Provisions keep Lovdata's own `data-name`. Missing and repeated names are made so:

| what                                             | name                                                 |
|--------------------------------------------------|------------------------------------------------------|
| a division without `data-name`                    | the end of its Lovdata address: `KAPITTEL_2-1`       |
| a division whose name is taken                    | with the enclosing one's name: `vedlegg1/kap2`       |
| a provision whose name is taken                   | with its division's name: `KAPITTEL_3/a5`            |
| text directly in a division                       | the division's name: `vedlegg1`                      |
| text before any division or provision             | `innledning`                                         |
| text of a document without provisions, other text | `tekst`                                              |
| the second and later parts of such a text         | with their number: `vedlegg1,2`                      |
| a name that is still taken                        | with a number: `a5~2`                                |
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import takewhile

from lxml.etree import _Element

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import BlockKind, InForce, ProvisionKind, StructureKind
from lovsvar_ingest.core.corpus import Block, Header, Section, Structure
from lovsvar_ingest.core.errors import MalformedDocument
from lovsvar_ingest.core.flow import Aside, Flow, Mode, child_of_class, item_label, read_heading
from lovsvar_ingest.core.in_force import parse_date

PART = 10_000
"""The greatest length, in characters, of a part of a text outside provisions."""

LONGEST_NAME = 180
LONGEST_PATH = 5_000
"""The greatest length, in characters, of the headings in a section's path together; each is cut evenly."""

MOST_PARTS = 50_000
"""The most divisions and sections of one document; Lovdata's largest has a twentieth of it."""

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_REPEALED = re.compile(r"\(?\s*(?:opphev|utgår)", re.IGNORECASE)
_AMENDMENT = re.compile(
    r"[\d\s(\[*]*(?:vert |blir |er )?"
    r"(?:endr|tilf|opphev|opphøy?rt|føyd|føyet|flytt|nåv[eæ]r|jf|overskrift|omnumm|kapit|tidl|iflg|"
    r"fra |frå |ikk(?:j)?e i kraft|rett(?:et|a)|ved |se |lagt|utgår|►|◄)",
    re.IGNORECASE,
)
"""The beginning of an amendment note."""

_KINDS: tuple[tuple[StructureKind, str, re.Pattern[str]], ...] = (
    (StructureKind.VEDLEGG, "vedlegg", re.compile(r"(?:vedlegg|tillegg|bilag|appendiks|annex)\b")),
    (StructureKind.AVSNITT, "avsnitt", re.compile(r"(?:\S+\s+)?(?:avsnitt|afsnit|avdeling)\b")),
    (StructureKind.DEL, "del", re.compile(r"(?:\S+\s+)?del\b")),
    (StructureKind.KAPITTEL, "kap", re.compile(r"(?:\S+\s+)?(?:kapittel|kapitel|kap|cap)\b")),
)


def read_body(main: _Element, header: Header, today: date) -> tuple[list[Structure], list[Section]]:
    """Return the divisions and the sealed sections of the document body `main`, each in reading order.

    Raises `MalformedDocument` when there are more than `MOST_PARTS`.
    """
    body = _Body(header, today, _holders(main))
    body.read(main, None)
    return body.structures, body.sections


def structure_kind(name: str, title: str) -> StructureKind:
    """Return the kind of a division by its heading `title`, else by the beginning of its `data-name`."""
    heading, name = title.casefold(), name.casefold()
    kinds = [kind for kind, _, pattern in _KINDS if pattern.match(heading)]
    kinds += [kind for kind, prefix, _ in _KINDS if name.startswith(prefix)]
    return kinds[0] if kinds else StructureKind.OTHER


class _Names:
    """Gives each name once. Names are compared as section keys: without white space and case."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()

    def give(self, *wishes: str) -> str:
        """Return the first of `wishes` that is free, else the last with a number."""
        name = ""
        for wish in wishes:
            if self._take(name := "".join(wish.split())[:LONGEST_NAME]):
                return name
        while True:
            self._numbers[name] += 1
            if self._take(numbered := f"{name}~{self._numbers[name] + 1}"):
                return numbered

    def _take(self, name: str) -> bool:
        key = section_key(name)
        if not key or key in self._taken:
            return False
        self._taken.add(key)
        return True


class _Body:
    """The divisions and sections read so far."""

    def __init__(self, header: Header, today: date, holders: set[_Element]) -> None:
        self.structures: list[Structure] = []
        self.sections: list[Section] = []
        self._header = header
        self._today = today
        self._holders = holders
        self._section_names = _Names()
        self._structure_names = _Names()
        self._run = Flow(Aside())
        self._texts: Counter[str] = Counter()
        self._paths: dict[int, tuple[str, ...]] = {}

    def read(self, element: _Element, within: Structure | None, skip: _Element | None = None) -> None:
        """Read `element`, the division `within` or the whole body, without its child `skip`."""
        self._walk(element, within, skip)
        self._end_run(within)

    def _walk(self, element: _Element, within: Structure | None, skip: _Element | None = None) -> None:
        self._run.put(element.text or "")
        for child in element:
            if child is not skip and isinstance(child.tag, str):
                self._read(child, within)
            self._run.put(child.tail or "")

    def _read(self, child: _Element, within: Structure | None) -> None:
        if child.get("class") == "legalArticle":
            self._end_run(within)
            self._provision(child, within)
        elif child.tag == "section":
            self._end_run(within)
            self._division(child, within)
        elif child in self._holders:
            self._run.flush()
            if child.tag == "li" and (label := item_label(child)):
                self._run.put(f"{label} ")
            self._walk(child, within)
            self._run.flush()
        elif not (child.tag == "h1" and self._take_title(child)):
            self._run.take(child)

    def _take_title(self, element: _Element) -> bool:
        """Return whether the heading `element` repeats the title; if so, keep its notes and footnotes only."""
        aside = Aside()
        if _line(element, aside) != self._header.title:
            return False
        self._run.aside.notes += aside.notes
        self._run.aside.footnotes += aside.footnotes
        return True

    def _division(self, element: _Element, within: Structure | None) -> None:
        aside = Aside()
        heading = next((child for child in element if child.tag in _HEADINGS), None)
        title = _line(heading, aside)
        own = element.get("data-name") or element.get("data-lovdata-URL", "").rpartition("/")[2] or "del"
        structure = Structure(
            position=len(self.structures),
            parent=within.position if within else None,
            kind=structure_kind(element.get("data-name", ""), title),
            name=self._structure_names.give(*_wishes(own, within)),
            title=title,
            before=len(self.sections),
            notes=aside.notes,
            footnotes=aside.footnotes,
        )
        self.structures.append(structure)
        self._count()
        self.read(element, structure, heading)

    def _provision(self, element: _Element, within: Structure | None) -> None:
        aside = Aside()
        heading = child_of_class(element, "legalArticleHeader")
        value, title = read_heading(heading, aside) if heading is not None else ("", "")
        blocks = Flow(aside, Mode.LEDD).read(element, heading).as_blocks() or _unnoted(aside)
        own = element.get("data-name") or value or "artikkel"
        heading_texts = (value, " ".join(title.split()))
        name = self._section_names.give(*_wishes(own, within))
        section = self._add(ProvisionKind.PROVISION, name, within, self._path(within), heading_texts)
        section.blocks = blocks
        if self._is_repealed(element, section):
            section.in_force, section.in_force_from = InForce.REPEALED, None
        _seal(section, aside)

    def _is_repealed(self, element: _Element, section: Section) -> bool:
        if day := parse_date(element.get("data-repealeddate", "")):
            return day <= self._today
        if not section.blocks:
            return bool(_REPEALED.match(section.title))
        only = section.blocks[0]
        return len(section.blocks) == 1 and only.text.startswith("(") and bool(_REPEALED.match(only.text))

    def _end_run(self, within: Structure | None) -> None:
        """Store the text since the last provision or division; notes without a text go to the division, if any."""
        run, self._run = self._run, Flow(Aside())
        run.flush()
        aside, blocks = run.aside, run.as_blocks()
        if within and not blocks:
            within.notes += aside.notes
            within.footnotes += aside.footnotes
        elif blocks or aside.notes or aside.footnotes:
            for part in _parts(blocks):
                section = self._text_section(within)
                section.blocks = part
                _seal(section, aside)
                aside = Aside()

    def _text_section(self, within: Structure | None) -> Section:
        if within:
            kind = ProvisionKind.ANNEX if self._in_annex(within) else ProvisionKind.TEXT
            *path, title = self._path(within)
            return self._add(kind, self._text_name(within.name), within, tuple(path), ("", title))
        opens = bool(self._holders) and all(s.kind is ProvisionKind.PREAMBLE for s in self.sections)
        if opens and not self.structures:
            return self._add(ProvisionKind.PREAMBLE, self._text_name("innledning"), None, (), ("", ""))
        return self._add(ProvisionKind.TEXT, self._text_name("tekst"), None, (), ("", ""))

    def _text_name(self, base: str) -> str:
        self._texts[base] += 1
        number = self._texts[base]
        return self._section_names.give(base if number == 1 else f"{base},{number}")

    def _add(
        self, kind: ProvisionKind, name: str, within: Structure | None, path: tuple[str, ...], heading: tuple[str, str]
    ) -> Section:
        section = Section(
            section=name,
            position=len(self.sections),
            structure=within.position if within else None,
            kind=kind,
            value=heading[0],
            title=heading[1],
            path=path,
            in_force=self._header.in_force,
            in_force_from=self._header.in_force_from,
        )
        self.sections.append(section)
        self._count()
        return section

    def _count(self) -> None:
        if len(self.structures) + len(self.sections) > MOST_PARTS:
            raise MalformedDocument(f"dokumentet har mer enn {MOST_PARTS} deler")

    def _in_annex(self, structure: Structure) -> bool:
        return any(s.kind is StructureKind.VEDLEGG for s in self._ancestry(structure))

    def _path(self, within: Structure | None) -> tuple[str, ...]:
        """Return the headings from the outermost division inwards; one without a heading gives its name."""
        if within is None:
            return ()
        if within.position not in self._paths:
            ancestry = list(self._ancestry(within))
            longest = LONGEST_PATH // len(ancestry)
            self._paths[within.position] = tuple(reversed([(s.title or s.name)[:longest] for s in ancestry]))
        return self._paths[within.position]

    def _ancestry(self, structure: Structure) -> Iterable[Structure]:
        """Yield `structure` and those around it, outwards."""
        yield structure
        while structure.parent is not None:
            structure = self.structures[structure.parent]
            yield structure


def _unnoted(aside: Aside) -> list[Block]:
    """Take the text of a provision without blocks out of its notes."""
    texts = [note for note in aside.notes if not _AMENDMENT.match(note)]
    aside.notes = [note for note in aside.notes if _AMENDMENT.match(note)]
    return [Block(BlockKind.LEDD, text, ledd=number) for number, text in enumerate(texts, 1)]


def _wishes(own: str, within: Structure | None) -> Sequence[str]:
    """Return the names that a division or provision may get, the best first."""
    return (own, f"{within.name}/{own}") if within else (own,)


def _seal(section: Section, aside: Aside) -> None:
    section.notes, section.footnotes, section.refs = aside.notes, aside.footnotes, list(aside.refs)
    section.seal()


def _parts(blocks: list[Block]) -> Iterable[list[Block]]:
    """Yield `blocks` in parts of about `PART` characters."""
    part: list[Block] = []
    size = 0
    for block in (piece for whole in blocks for piece in _cut(whole)):
        length = _length(block)
        if part and size + length > PART:
            yield part
            part, size = [], 0
        part.append(block)
        size += length
    yield part


def _cut(block: Block) -> Iterable[Block]:
    """Yield `block`, in pieces when it is too long: a table between its rows, a text between its words."""
    if block.kind is BlockKind.TABLE and _length(block) > PART:
        for rows in _parts(block.children):
            yield Block(block.kind, block.text, block.label, children=rows)
            block.text, block.label = "", None
        return
    text, start = block.text, 0
    while len(text) - start > PART:
        space = text.rfind(" ", start + 1, start + PART)
        end = space if space > 0 else start + PART
        yield Block(block.kind, text[start:end], block.label)
        block.kind, block.label = BlockKind.PARAGRAPH, None
        start = end + 1 if space > 0 else end
    block.text = text[start:]
    yield block


def _length(block: Block) -> int:
    return len(block.text) + sum(_length(child) for child in block.children)


def _line(element: _Element | None, aside: Aside) -> str:
    return " ".join(Flow(aside).text_of(element).split())


def _holders(main: _Element) -> set[_Element]:
    """Return the elements that have a division or a provision somewhere inside."""
    holders: set[_Element] = set()
    for element in main.iter("section", "article"):
        if element.tag == "section" or element.get("class") == "legalArticle":
            holders.update(takewhile(lambda holder: holder not in holders, element.iterancestors()))
    return holders
