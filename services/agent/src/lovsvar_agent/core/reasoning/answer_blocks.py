"""A model's checked prose, and what is said of its citations, as blocks."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from lovsvar_agent.core.answer_parts import remark
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_contracts.blocks import AnswerBlock, Heading, List, Paragraph, Remark, RemarkRole, Span, Words
from lovsvar_contracts.questions import Citation, FlaggedStatement

_BEGINS = {"h": re.compile(HEADING), "ul": re.compile(r"\s*[-*•–]\s+"), "ol": re.compile(r"\s*\d{1,2}[.)]\s+")}
"""What a line of each kind begins with."""


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


def excerpts(citations: Iterable[Citation], wording: Wording) -> list[Remark]:
    """Return a remark that names the citations of a search engine's excerpts, if there are any."""
    numbers = ", ".join(f"[{c.number}]" for c in citations if c.excerpt)
    return [remark(wording.excerpts.format(numbers=numbers))] if numbers else []


def removed(flagged: Iterable[FlaggedStatement], wording: Wording) -> list[Remark]:
    """Return a remark for each reason for which statements were taken out; they themselves are not repeated."""
    counts = Counter(one.why for one in flagged if one.removed)
    return [remark(wording.flags[why].format(count=count)) for why, count in counts.items()]


def _groups(text: str) -> list[tuple[str, list[str]]]:
    """Return the lines that belong together, with what they are: `p`, `ul`, `ol` or `h`."""
    groups: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if not line.strip():
            groups.append(("", []))
            continue
        begun = ((kind, begins.match(line)) for kind, begins in _BEGINS.items())
        kind, words = next(((kind, line[match.end() :]) for kind, match in begun if match), ("p", line))
        if kind != "h" and groups and groups[-1][0] == kind:
            groups[-1][1].append(words)
        else:
            groups.append((kind, [words]))
    return [group for group in groups if group[0]]


def _words(line: str, numbers: Mapping[str, Sequence[int]]) -> Words:
    spans: list[Span] = []
    at = 0
    known = "|".join(numbers)
    for match in re.finditer(rf"\s*((?:\[(?:{known})\]\s*)*\[(?:{known})\])", line):
        ids = dict.fromkeys(re.findall(r"[^\[\]\s]+", match[1]))
        spans.append(Span(text=line[at : match.start()], citations=tuple(n for i in ids for n in numbers[i])))
        at = match.end()
    return tuple(span for span in (*spans, Span(text=line[at:])) if span.text or span.citations)
