"""A model's checked prose, and what is said of its citations, as blocks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lovsvar_agent.core.composing import remark
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_contracts.blocks import AnswerBlock, Heading, List, Paragraph, Remark, RemarkRole, Span, Words
from lovsvar_contracts.questions import Citation

_ITEM = re.compile(r"^\s*[-*•–]\s+")
_ORDERED = re.compile(r"^\s*\d{1,2}[.)]\s+")


def prose_blocks(text: str, numbers: Mapping[str, Sequence[int]]) -> list[AnswerBlock]:
    """Return checked prose as blocks; ids of sources become the `numbers` of their citations."""
    blocks: list[AnswerBlock] = []
    for kind, lines in _groups(text):
        if kind in ("ul", "ol"):
            blocks.append(List(items=tuple(_words(line, numbers) for line in lines), ordered=kind == "ol"))
        elif words := _words(" ".join(lines).strip(), numbers):
            blocks.append(Heading(words=words) if kind == "h" else Paragraph(words=words))
    return blocks


def not_in_force(citations: Iterable[Citation], wording: Wording) -> list[Remark]:
    """Return a remark for every cited provision that is not law today."""
    names = dict.fromkeys((c.in_force, c.title) for c in citations if c.in_force in wording.in_force)
    return [remark(wording.in_force[status].format(name=name), RemarkRole.IN_FORCE) for status, name in names]


def _groups(text: str) -> list[tuple[str, list[str]]]:
    """Return the lines that belong together, with what they are: `p`, `ul`, `ol` or `h`."""
    groups: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if not line.strip():
            groups.append(("", []))
            continue
        kind, words = "p", line
        if line.startswith(HEADING):
            kind, words = "h", line.removeprefix(HEADING)
        elif _ITEM.match(line):
            kind, words = "ul", _ITEM.sub("", line)
        elif _ORDERED.match(line):
            kind, words = "ol", _ORDERED.sub("", line)
        if kind != "h" and groups and groups[-1][0] == kind:
            groups[-1][1].append(words)
        else:
            groups.append((kind, [words]))
    return [group for group in groups if group[0]]


def _words(line: str, numbers: Mapping[str, Sequence[int]]) -> Words:
    return tuple(span for span in _spans(line, numbers) if span.text or span.citations)


def _spans(line: str, numbers: Mapping[str, Sequence[int]]) -> Iterator[Span]:
    at = 0
    known = "|".join(numbers)
    for match in re.finditer(rf"\s*((?:\[(?:{known})\]\s*)*\[(?:{known})\])", line):
        ids = dict.fromkeys(re.findall(r"[^\[\]\s]+", match[1]))
        yield Span(text=line[at : match.start()], citations=tuple(n for i in ids for n in numbers[i]))
        at = match.end()
    yield Span(text=line[at:])
