"""Places inside a provision: the words of a ledd, a bokstav or a nummer, and whether it exists."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lovsvar_contracts.law import Block, BlockKind, Provision
from lovsvar_contracts.search import ResolvedReference
from lovsvar_legaltext.citation_forms import is_article
from lovsvar_legaltext.pinpoints import LAST, Pinpoint

_SAME = ("refid", "section", "act", "title", "law_type", "in_force", "url", "lovdata_url")
_STOP = re.compile(r"[.?!:;](?=\s|$)")
"""What may end a sentence; so many at most are there."""


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


@dataclass(frozen=True)
class Words:
    """The text of a place. `printed` is its label where that is not the one asked for: "b." of «nr. 2»."""

    text: str
    printed: str = ""


def words_of(provision: Provision, place: ResolvedReference) -> Words | None:
    """Return the text of the ledd, bokstav or nummer that `place` names, None when the provision has none such.

    Lovdata's open data labels many a numbered list by letters; «nr. 2» is then its second item. A sentence
    (punktum) is not cut out: a full stop alone does not say where one ends.
    """
    blocks: Sequence[Block] = provision.blocks
    counted = [block for block in blocks if block.kind is BlockKind.LEDD]
    if place.ledd is not None and (counted or place.ledd != 1):
        blocks = [block for block in counted if block.ledd == place.ledd]
    # From the outermost inwards: an article is parted by numbers first, a § by letters.
    parts = (place.number, place.letter) if is_article(place) else (place.letter, place.number)
    labels = [part for part in parts if part is not None]
    for counting in (False, True):
        for order in (labels, labels[::-1]):
            found, printed = _labelled(blocks, order, counting=counting)
            if text := "\n".join(lines(found)):
                return Words(text, printed)
    return None


def has_place(provision: Provision, place: Pinpoint) -> bool:
    """Whether a provision has the ledd, bokstav, nummer and punktum of `place`.

    Where the structure of a text is not complete, as in some of Lovdata's files, a label at the beginning of a line
    counts: in a text without any labels, and for a list within a list.
    """
    named = ResolvedReference(
        **{name: getattr(provision, name) for name in _SAME},
        ledd=None if place.ledd == LAST else place.ledd,
        letter=place.letter,
        number=place.number,
    )
    if words := words_of(provision, named):
        return place.sentence in (None, LAST) or len(_STOP.findall(words.text)) >= (place.sentence or 0)
    labels = [label for label in (place.letter, place.number) if label]
    complete = any(block.label for block in _all(provision.blocks)) and len(labels) < len(("letter", "number"))
    if not labels or complete or not words_of(provision, named.model_copy(update={"letter": None, "number": None})):
        return False
    return all(
        re.search(rf"^\W*{re.escape(label)}\s?[.)]", provision.text, re.MULTILINE | re.IGNORECASE) for label in labels
    )


def _labelled(blocks: Sequence[Block], labels: Sequence[str], *, counting: bool) -> tuple[Sequence[Block], str]:
    """Return the block that bears the last of `labels` inside those before it; all of `blocks` without any."""
    found, printed = blocks, ""
    for label in labels:
        exact = [block for block in _all(blocks) if _label(block).casefold() == label.casefold()][:1]
        if not exact and counting and label.isdigit():
            exact = _counted(blocks, int(label))
            printed = "".join(block.label or "" for block in exact)
        found = exact
        blocks = [child for block in exact for child in block.children]
    return found, printed


def _counted(blocks: Sequence[Block], number: int) -> list[Block]:
    """Return the item of that number in the first list of `blocks`, if it is one that is labelled by letters."""
    items = [block for block in blocks if block.kind is BlockKind.LIST_ITEM]
    if items:
        lettered = all(_label(item).isalpha() for item in items)
        return items[number - 1 : number] if lettered and number > 0 else []
    return next((found for block in blocks if (found := _counted(block.children, number))), [])


def _all(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _all(block.children)


def _label(block: Block) -> str:
    return (block.label or "").strip("(). ")
