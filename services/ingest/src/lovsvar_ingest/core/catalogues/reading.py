"""The reading of a catalogue's items, whatever their format, into batches of products."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO

from lovsvar_contracts.ingest import SkippedDocument
from lovsvar_ingest.core.catalogues.csv_items import BOMS, read_csv
from lovsvar_ingest.core.catalogues.definition import CatalogueDefinition
from lovsvar_ingest.core.catalogues.items import ItemLimits, RawItem
from lovsvar_ingest.core.catalogues.json_ld import read_json_ld
from lovsvar_ingest.core.catalogues.json_lines import read_json_lines
from lovsvar_ingest.core.catalogues.products import ItemRefused, ProductReader, StoredProduct
from lovsvar_ingest.core.errors import SourceUnreadable

BATCH = 1_000
"""Items in a batch."""

SUFFIXES = {
    **dict.fromkeys((".jsonl", ".ndjson"), "lines"),
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".json", ".jsonld"), "feed"),
}

SNIFFED = 65_536

LIMITS = ItemLimits()


@dataclass(slots=True)
class ItemBatch:
    """Products in their order, what is reported of others, and the ids of those that are not stored as they are now."""

    products: list[StoredProduct] = field(default_factory=list)
    reported: list[SkippedDocument] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    offset: int = 0


def batches(
    file: IO[bytes], name: str, definition: CatalogueDefinition, limits: ItemLimits = LIMITS
) -> Iterator[ItemBatch]:
    """Yield the products of a file, blocking. `name` is the file's: its ending tells the format, else its contents do.

    Raises `SourceUnreadable` when the whole cannot be read: no item is lost for another that is bad.
    """
    reader, batch = ProductReader(definition), ItemBatch()
    count = 0
    for count, item in enumerate(_raw(file, name, definition), 1):
        if count > limits.items:
            raise SourceUnreadable(f"Filen har mer enn {limits.items} linjer med tilbud.")
        place, remark = f"{name}:{item.line}", ""
        try:
            product, remark = reader.read(item)
            batch.products.append(product)
        except ItemRefused as exc:
            remark = str(exc)
            if exc.product_id:
                batch.kept.append(exc.product_id)
        if remark:
            batch.reported.append(SkippedDocument(file=place, reason=remark[:300]))
        batch.offset = item.offset
        if count % BATCH == 0:
            yield batch
            batch = ItemBatch()
    yield batch


def _raw(file: IO[bytes], name: str, definition: CatalogueDefinition) -> Iterator[RawItem]:
    match SUFFIXES.get(PurePosixPath(name).suffix.lower()) or _sniffed(file):
        case "lines":
            return read_json_lines(file)
        case "feed":
            return read_json_ld(file, definition.language)
        case _:
            return read_csv(file, definition.fields)


def _sniffed(file: IO[bytes]) -> str:
    """Return the format that the beginning of a file has."""
    start = file.read(SNIFFED)
    file.seek(0)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "csv"
    for bom in BOMS:
        start = start.removeprefix(bom)
    start = start.lstrip()
    if start[:1] == b"[":
        return "feed"
    if start[:1] != b"{":
        return "csv"
    first = start.split(b"\n", 1)[0].rstrip()
    return "lines" if first.endswith(b"}") and b"@context" not in first else "feed"
