"""The checked answer, as HTML and as text; both are made from the same checked prose."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from lovsvar_agent.core.composing import Paragraph, provision_name
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Citation, Evidence

_ITEM = re.compile(r"^\s*[-*•–]\s+")
_ORDERED = re.compile(r"^\s*\d{1,2}[.)]\s+")


def prose(text: str, citations: Sequence[Citation]) -> list[Paragraph]:
    """Return checked prose as paragraphs; ids become the numbers of their citations, those without any go."""
    numbers = {i: [c for c in citations if c.evidence_id == i] for i in {c.evidence_id for c in citations}}
    paragraphs: list[Paragraph] = []
    for tag, lines in _blocks(text):
        rows = [_row(line, numbers) for line in lines]
        if tag in ("ul", "ol"):
            words = "\n".join(
                f"{'-' if tag == 'ul' else f'{n}.'} {plain}" for n, (plain, _) in enumerate(rows, start=1)
            )
            paragraphs.append(
                Paragraph(words, f"<{tag}>" + "".join(f"<li>{html}</li>" for _, html in rows) + f"</{tag}>")
            )
            continue
        words, html = " ".join(p for p, _ in rows).strip(), " ".join(h for _, h in rows).strip()
        if words:
            paragraphs.append(Paragraph(words, f"<p><strong>{html}</strong></p>" if tag == "h" else f"<p>{html}</p>"))
    return paragraphs


def source_list(citations: Sequence[Citation], wording: Wording) -> list[Paragraph]:
    """Return the list of citations, each with a link to its source and its quote."""
    if not citations:
        return []
    text = "\n".join(f"[{c.number}] {c.title}: «{_one_line(c.quote)}»" for c in citations)
    items = "".join(
        f"<li>{_link(c.url, c.title)}: «{escape(_one_line(c.quote))}» <sup>[{c.number}]</sup></li>" for c in citations
    )
    return [heading(wording.sources), Paragraph(text, f"<ol>{items}</ol>")]


def not_in_force(citations: Iterable[Citation], wording: Wording) -> list[Paragraph]:
    """Return a remark for every cited provision that is not law today."""
    told: Mapping[InForce, str] = wording.in_force
    names = dict.fromkeys((c.in_force, c.title) for c in citations if c.in_force in told)
    return [plain(told[status].format(name=name)) for status, name in names]


def links(evidence: Sequence[Evidence]) -> Paragraph:
    """Return a list of links to `evidence`."""
    text = "\n".join(f"- {provision_name(e)}" for e in evidence)
    items = "".join(f"<li>{_link(e.url, provision_name(e))}</li>" for e in evidence)
    return Paragraph(text, f"<ul>{items}</ul>")


def listed(sentences: Sequence[str]) -> Paragraph:
    """Return a list of plain sentences."""
    html = "".join(f"<li>{escape(s)}</li>" for s in sentences)
    return Paragraph("\n".join(f"- {s}" for s in sentences), f"<ul>{html}</ul>")


def heading(words: str) -> Paragraph:
    """Return a heading."""
    return Paragraph(words, f"<p><strong>{escape(words)}</strong></p>")


def plain(sentence: str) -> Paragraph:
    """Return a paragraph of plain words."""
    return Paragraph(sentence, f"<p>{escape(sentence)}</p>")


def _blocks(text: str) -> list[tuple[str, list[str]]]:
    """Return (kind, lines) of each block: `p`, `ul`, `ol` or `h`."""
    blocks: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if not line.strip():
            blocks.append(("", []))
            continue
        kind, words = "p", line
        if line.startswith(HEADING):
            kind, words = "h", line.removeprefix(HEADING)
        elif _ITEM.match(line):
            kind, words = "ul", _ITEM.sub("", line)
        elif _ORDERED.match(line):
            kind, words = "ol", _ORDERED.sub("", line)
        if kind != "h" and blocks and blocks[-1][0] == kind:
            blocks[-1][1].append(words)
        else:
            blocks.append((kind, [words]))
    return [b for b in blocks if b[0]]


def _row(line: str, cited: Mapping[str, Sequence[Citation]]) -> tuple[str, str]:
    """Return one line as text and as HTML."""
    text, html, at = "", "", 0
    ids = "|".join(cited)
    for match in re.finditer(rf"\s*((?:\[(?:{ids})\]\s*)*\[(?:{ids})\])", line):
        before = line[at : match.start()]
        known = dict.fromkeys(re.findall(r"[^\[\]\s]+", match[1]))
        text += before + "".join(f" [{c.number}]" for i in known for c in cited[i])
        html += escape(before) + "".join(f" {_link(c.url, f'[{c.number}]')}" for i in known for c in cited[i])
        at = match.end()
    return text + line[at:], html + escape(line[at:])


def _link(url: str, words: str) -> str:
    return f'<a href="{escape(url)}">{escape(words)}</a>'


def _one_line(quote: str) -> str:
    return " ".join(quote.split())
