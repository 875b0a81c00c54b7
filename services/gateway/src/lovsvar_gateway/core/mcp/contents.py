"""A table of contents: whole when there is room, else the beginning of each division, and what a division costs."""

from collections.abc import Iterator, Sequence

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.search import Outline, OutlineEntry, OutlineNode
from lovsvar_contracts.tokens import estimate_tokens
from lovsvar_gateway.core.mcp.results import Contents

SHOWN = ((10_000, 10), (8, 10), (3, 10), (1, 10), (0, 10), (0, 2), (0, 1))
"""Provisions that a division may show, and how deep divisions are shown, tried in this order until they fit."""

AROUND = 120  # tokens of the text around the contents: their number, the call for the rest, status and source
LONGEST_TITLE = 90


def lay_out(outline: Outline, budget: int, chapter: str | None = None) -> tuple[Contents, str]:
    """Return the contents of a document, or of the division named `chapter`, as data and as text.

    The text has about `budget` tokens at most, with what is said around it; a first division is always named.
    """
    children, provisions = outline.children, outline.provisions
    if chapter is not None and (node := find(outline.children, chapter)):
        children, provisions = (node,), ()
    rows: list[str] = []
    most = depth = 0
    for most, depth in SHOWN:
        rows = list(_body(provisions, children, most, depth))
        if _cost(rows) <= budget - AROUND:
            break
    left_out = 0
    while len(rows) > 1 and _cost(rows) > budget - AROUND:
        cut = max(1, len(rows) // 10)
        left_out += cut
        del rows[-cut:]
    if left_out:
        rows.append(f"  *... og {left_out} flere*")
    text = "\n".join(rows)
    shown = tuple(_pruned(node, most, depth) for node in children)
    if left_out:
        shown = shown[: max(0, len(shown) - left_out)]
    truncated = bool(left_out) or most < max((len(e) for e in all_entries(provisions, children)), default=0)
    name = outline.document.short_title or outline.document.title
    rest = (
        f'Vis et helt kapittel med lov("{outline.document.refid}", "kapittel …"), eller hele innholdsfortegnelsen '
        "med en større max_tokens."
        if truncated
        else ""
    )
    total = sum(len(entries) for entries in all_entries(outline.provisions, outline.children))
    listed = {"provisions": provisions[:most], "children": shown, "truncated": truncated, "rest": rest}
    contents = Contents.of(outline, total_provisions=outline.document.provisions or total, **listed)
    count = f"**Totalt:** {contents.total_provisions} paragrafer (~{outline.tokens:,} tokens)"
    head = f"### Innholdsfortegnelse: {name}\n\n{count}"
    return contents, f"{head}\n\n{text}" + (f"\n\n*{rest}*" if rest else "")


def find(nodes: Sequence[OutlineNode], name: str) -> OutlineNode | None:
    """Return the division of that name at any depth, however it is spaced: "vedlegg 8"."""
    for node in nodes:
        if section_key(name) in {section_key(node.name), section_key(node.title)}:
            return node
        if found := find(node.children, name):
            return found
    return None


def all_entries(
    provisions: tuple[OutlineEntry, ...], nodes: Sequence[OutlineNode]
) -> Iterator[tuple[OutlineEntry, ...]]:
    """Yield the entries outside any division, then those of each division at any depth."""
    yield provisions
    for node in nodes:
        yield from all_entries(node.provisions, node.children)


def _cost(rows: Sequence[str]) -> int:
    return estimate_tokens("\n".join(rows))


def _pruned(node: OutlineNode, most: int, depth: int) -> OutlineNode:
    children = tuple(_pruned(child, most, depth - 1) for child in node.children) if depth > 1 else ()
    return node.model_copy(update={"provisions": node.provisions[:most], "children": children})


def _body(
    provisions: Sequence[OutlineEntry], nodes: Sequence[OutlineNode], most: int, deep: int, depth: int = 1
) -> Iterator[str]:
    indent = "  " * depth
    for entry in provisions[:most]:
        if not entry.value:
            yield f"{indent}- Tekst utenfor paragrafene, «{entry.section}» ({entry.tokens} tok)"
            continue
        title = entry.title if len(entry.title) <= LONGEST_TITLE else f"{entry.title[:LONGEST_TITLE].rstrip()} …"
        yield f"{indent}- {entry.value}{f': {title}' if title else ''} ({entry.tokens} tok)"
    # A division shows its tokens; entries outside any have no other line that does.
    if (most or depth == 1) and (hidden := provisions[most:]):
        yield f"{indent}- *... og {len(hidden)} flere ({sum(entry.tokens for entry in hidden)} tok)*"
    for node in nodes if depth <= deep else ():
        tokens = f" ({node.tokens} tok)" if not most else ""
        yield f"{indent}**{node.title or node.name}**{tokens}"
        yield from _body(node.provisions, node.children, most, deep, depth + 1)
