"""Items as CSV: the first line names the columns. Delimiter and encoding are found out.

A record that does not end, or has other cells than there are columns, is reported by its first line, and reading goes
on with the next line: one stray quote costs one item.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from lovsvar_ingest.core.catalogues.definition import Fields, meant
from lovsvar_ingest.core.catalogues.items import LARGEST_ITEM, RawItem
from lovsvar_ingest.core.catalogues.lines import Line, physical_lines
from lovsvar_ingest.core.errors import SourceUnreadable

DELIMITERS = (",", ";", "\t", "|")

MOST_LINES = 200
"""Lines of one record."""

BOMS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

csv.field_size_limit(LARGEST_ITEM)


@dataclass(frozen=True, slots=True)
class _Text:
    """A line of text; None where its bytes are none in the file's encoding."""

    number: int
    offset: int
    text: str | None
    reason: str = ""


def read_csv(file: IO[bytes], fields: Fields) -> Iterator[RawItem]:
    """Yield the items. Raises `SourceUnreadable` when a column that `fields` names is not there."""
    lines = _Ahead(_decoded(file))
    header, delimiter = _header(lines, fields)
    while lines.peek(0) is not None:
        yield from _record(lines, header, delimiter)


class _Ahead:
    """Lines, some of which were looked at and not taken yet."""

    def __init__(self, lines: Iterator[_Text]) -> None:
        self._lines = lines
        self._seen: list[_Text] = []

    def peek(self, place: int) -> _Text | None:
        """Return a line further on; None after the last."""
        while len(self._seen) <= place:
            if (line := next(self._lines, None)) is None:
                return None
            self._seen.append(line)
        return self._seen[place]

    def take(self, count: int) -> None:
        """Go on by so many lines."""
        del self._seen[:count]


def _record(lines: _Ahead, header: Sequence[str], delimiter: str) -> Iterator[RawItem]:
    """Yield the next item, or the reason why it is none; nothing for an empty line."""
    first = lines.peek(0)
    if first is None:
        return
    if first.text is None:
        lines.take(1)
        yield RawItem(first.number, first.offset, reason=first.reason)
        return
    if not first.text.strip():
        lines.take(1)
        return
    feed = _Feed(lines)
    reason, cells = "", list[str]()
    try:
        cells = next(csv.reader(feed, delimiter=delimiter, strict=True))
    except csv.Error as exc:
        reason = f"linjen er ikke gyldig CSV ({exc})"
    last = lines.peek(feed.taken - 1) or first
    if feed.ended:
        reason = "et anførselstegn åpner en celle som ikke lukkes"
    elif not reason and (len(cells) < len(header) or any(cell.strip() for cell in cells[len(header) :])):
        reason = f"linjen har {len(cells)} celler, og det er {len(header)} kolonner"
    lines.take(1 if reason else feed.taken)
    values = {name: cell for name, cell in zip(header, cells, strict=False) if name} if not reason else {}
    if reason or any(cell.strip() for cell in values.values()):
        yield RawItem(first.number, first.offset if reason else last.offset, values, reason)


class _Feed(Iterator[str]):
    """The lines of one record, as the parser asks for them. `ended` once it wanted more than there are."""

    def __init__(self, lines: _Ahead) -> None:
        self._lines = lines
        self._size = 0
        self.taken = 0
        self.ended = False

    def __next__(self) -> str:
        line = self._lines.peek(self.taken)
        if line is None or line.text is None or self.taken == MOST_LINES or self._size > LARGEST_ITEM:
            self.ended = True
            raise StopIteration
        self.taken += 1
        self._size += len(line.text)
        return line.text


def _header(lines: _Ahead, fields: Fields) -> tuple[list[str], str]:
    """Return the names of the columns and the delimiter: that by which most of the names that are sought are found."""
    first = lines.peek(0)
    if first and first.text and first.text.strip().lower() in {f"sep={each}" for each in DELIMITERS}:
        lines.take(1)  # written for a spreadsheet
        first = lines.peek(0)
    if first is None or not first.text:
        raise SourceUnreadable("Filen har ingen linje med navn på kolonner.")
    sought = {name.casefold() for name in (*fields.single, *fields.attributes)}

    def found(delimiter: str) -> tuple[int, int]:
        names = [name.strip().casefold() for name in _cells(first.text or "", delimiter)]
        return len(sought.intersection(names)), len(names)

    delimiter = max(DELIMITERS, key=found)
    names = [name.strip() for name in _cells(first.text, delimiter)]
    lines.take(1)
    return _named(names, fields), delimiter


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _named(names: Sequence[str], fields: Fields) -> list[str]:
    """Return the columns by the names that the catalogue's file has for them."""
    wanted = {name.casefold(): name for name in (*fields.single, *fields.attributes)}
    columns = [wanted.get(name.casefold(), name) for name in names]
    if missing := [name for name in fields.written if name not in columns]:
        hints = "; ".join(f"«{name}»{meant(name, names)}" for name in missing)
        there = ", ".join(name for name in names[:30] if name)
        raise SourceUnreadable(
            f"Kolonner mangler: {hints}. Kolonnene er: {there[:500]}. Navnene settes under [fields] i catalogue.toml."
        )
    if double := [name for name, count in Counter(columns).items() if name in wanted.values() and count > 1]:
        raise SourceUnreadable(f"To kolonner heter {', '.join(double)}. Gi dem hvert sitt navn.")
    return columns


def _decoded(file: IO[bytes]) -> Iterator[_Text]:
    start = file.read(3)
    bom = next((bom for bom in BOMS if start.startswith(bom)), b"")
    file.seek(0)
    if bom[:1] in {b"\xff", b"\xfe"}:
        yield from _of_wide(file, BOMS[bom])
        return
    encoding = "utf-8" if bom else _encoding(file)
    file.seek(len(bom))
    for line in physical_lines(file, LARGEST_ITEM):
        yield _decode(line, encoding)


def _decode(line: Line, encoding: str) -> _Text:
    if line.too_long:
        return _Text(line.number, line.offset, None, f"linjen har mer enn {LARGEST_ITEM} byte")
    try:
        return _Text(line.number, line.offset, line.content.decode(encoding))
    except UnicodeDecodeError as exc:
        return _Text(line.number, line.offset, None, f"linjen er ikke i {encoding.upper()} (byte {exc.start + 1})")


def _of_wide(file: IO[bytes], encoding: str) -> Iterator[_Text]:
    """Yield the lines of a file in UTF-16."""
    text = io.TextIOWrapper(file, encoding, errors="replace", newline="")
    try:
        number, offset = 0, 0
        while line := text.readline(LARGEST_ITEM):
            number += 1
            offset += 2 * len(line)
            yield _Text(number, offset, line.removeprefix("\ufeff"))
    finally:
        text.detach()  # else it closes the file


def _encoding(file: IO[bytes]) -> str:
    """Return UTF-8 unless more of the lines with letters beyond ASCII are not in it; else that of older Windows."""
    good = bad = 0
    for line in physical_lines(file, LARGEST_ITEM):
        if not line.content.isascii() and not line.too_long:
            try:
                line.content.decode()
                good += 1
            except UnicodeDecodeError:
                bad += 1
    return "utf-8" if good >= bad else "cp1252"
