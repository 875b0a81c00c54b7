"""Products in a model's prose: which it chose, by their ids, and what of its words may not stay.

A model chooses by ids alone, `[product-2]`; that an item exists, what it is called, costs and where it is, only the
catalogue says. So no sentence stays that says so in the model's words.
"""

import re
from collections.abc import Sequence

from lovsvar_agent.core.products.sales_talk import CITED, LINK_SIGN, PRODUCT_ID, SalesTalk
from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_legaltext.sentences import sentence_spans

_MARKER = re.compile(r"\s*[\[(]\s*product-\d+(?:\s*[,;]\s*product-\d+)*\s*[\])]|\s*\bproduct-\d+\b")
_ANNOUNCES = re.compile(r":\s*$")


def ids_in(text: str) -> tuple[str, ...]:
    """Return the ids of products in a text, each once, in order."""
    return tuple(dict.fromkeys(PRODUCT_ID.findall(text)))


def without_products(text: str, talk: SalesTalk) -> str:
    """Return `text` without the sentences that `talk` says offer something, and what announces them."""
    parts = (_paragraph(part.split("\n"), talk) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(_without_empty_headings([part for part in parts if part is not None]))


def _paragraph(lines: Sequence[str], talk: SalesTalk) -> str | None:
    """Return what stays of lines that stand together, None where all went. Written as a product, all are an offer."""
    product = any(LINK_SIGN in line or talk.is_product(line) for line in lines)
    kept: list[str] = []
    for line in lines:
        shown = None if product and not CITED.search(line) else _line(line, talk)
        # What announced the line that went goes with it.
        if shown is None and kept:
            kept[-1:] = _without_announcement(kept[-1])
        kept += [] if shown is None else [shown]
    return "\n".join(kept) if any(line.strip() for line in kept) else None


def _without_empty_headings(parts: Sequence[str]) -> list[str]:
    """Return paragraphs without those that announce the next and have none after them, or another such."""
    kept: list[str] = []
    for part in reversed(parts):
        followed = kept and not kept[0].startswith(HEADING)
        lines = part.split("\n")
        if not followed:
            lines[-1:] = [] if lines[-1].startswith(HEADING) else _without_announcement(lines[-1])
        if lines:
            kept.insert(0, "\n".join(lines))
    return kept


def _without_announcement(line: str) -> list[str]:
    """Return a line without its last sentence where that announces what follows: 'Disse kan hjelpe:'."""
    if not _ANNOUNCES.search(line):
        return [line]
    rest = line[: list(sentence_spans(line, 0, len(line)))[-1][0]].rstrip()
    return [rest] if rest else []


def _line(line: str, talk: SalesTalk) -> str | None:
    """Return what stays of a line, None where nothing of it does."""
    if not line.strip():
        return line
    spans = list(sentence_spans(line, 0, len(line))) or [(0, len(line))]
    said = [line[a:b] for a, b in spans]
    kept = [_MARKER.sub("", sentence) for sentence in said if not talk.is_offer(sentence)]
    if kept == said:
        return line
    return " ".join(kept) if any(re.search(r"\w", sentence) for sentence in kept) else None
