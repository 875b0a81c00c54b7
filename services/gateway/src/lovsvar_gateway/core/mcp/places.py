"""Places inside a provision: the words of a ledd, a bokstav or a nummer, and whether it exists."""

from collections.abc import Iterable, Iterator, Sequence

from lovsvar_contracts.law import Block, BlockKind, Provision
from lovsvar_contracts.search import ResolvedReference

ORDINALS = (
    *("første", "annet", "tredje", "fjerde", "femte", "sjette", "sjuende", "åttende", "niende", "tiende"),
    *("ellevte", "tolvte"),
)


def lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the plain text of `blocks`, one line a block with its label first; a table's row is one line too."""
    for block in blocks:
        if block.kind is BlockKind.ROW:
            yield " | ".join(" ".join(cell.text.split()) for cell in block.children)
            continue
        line = f"{block.label} {block.text}".rstrip() if block.label else block.text
        if line:
            yield line
        yield from lines(block.children)


def words_of(provision: Provision, place: ResolvedReference) -> str | None:
    """Return the text of the ledd, bokstav or nummer that `place` names, None when the provision has none such.

    A sentence (punktum) is not cut out: where one ends cannot be told from a full stop alone.
    """
    blocks: Sequence[Block] = provision.blocks
    if place.ledd is not None:
        blocks = _ledd(provision, place.ledd)
    for label in _labels(place):
        blocks = [block for block in _all(blocks) if _is_labelled(block, label)][:1]
    return "\n".join(lines(blocks)) or None


def _ledd(provision: Provision, number: int) -> list[Block]:
    counted = [block for block in provision.blocks if block.kind is BlockKind.LEDD]
    if not counted and number == 1:
        return list(provision.blocks)
    return [block for block in counted if block.ledd == number]


def _labels(place: ResolvedReference) -> list[str]:
    """Return bokstav and nummer from the outermost inwards: an article is parted by numbers first, a § by letters."""
    labels = (place.number, place.letter) if _is_article(place) else (place.letter, place.number)
    return [label for label in labels if label is not None]


def _is_article(place: ResolvedReference) -> bool:
    return place.section is not None and not place.section.startswith("§")


def _all(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _all(block.children)


def _is_labelled(block: Block, label: str) -> bool:
    return (block.label or "").strip("(). ").casefold() == label.casefold()


def in_words(place: ResolvedReference) -> str:
    """Return the place inside the provision as it is written: 'annet ledd bokstav b', empty when there is none."""
    parts = []
    if place.ledd is not None:
        known = 0 < place.ledd <= len(ORDINALS)
        parts.append(f"{ORDINALS[place.ledd - 1]} ledd" if known else f"{place.ledd}. ledd")
    inner = [f"bokstav {place.letter}"] if place.letter is not None else []
    if place.number is not None:
        inner.insert(0 if _is_article(place) else len(inner), f"nr. {place.number}")
    parts += inner
    if place.sentence is not None:
        known = 0 < place.sentence <= len(ORDINALS)
        parts.append(f"{ORDINALS[place.sentence - 1]} punktum" if known else f"{place.sentence}. punktum")
    return " ".join(parts)
