"""Items as JSON Lines: one object a line, in UTF-8."""

import json
import math
from collections.abc import Callable, Iterator
from typing import IO, Any, NoReturn

from lovsvar_ingest.core.catalogues.items import LARGEST_ITEM, RawItem
from lovsvar_ingest.core.catalogues.lines import physical_lines

DIGITS = 300
"""Digits of a whole number; the largest float has 309."""


def read_json_lines(file: IO[bytes]) -> Iterator[RawItem]:
    """Yield the items; empty lines are none."""
    for line in physical_lines(file, LARGEST_ITEM):
        if line.too_long:
            yield RawItem(line.number, line.offset, reason=f"linjen har mer enn {LARGEST_ITEM} byte")
        elif content := line.content.removeprefix(b"\xef\xbb\xbf" if line.number == 1 else b"").strip():
            yield _read(content, line.number, line.offset)


def _read(content: bytes, number: int, offset: int) -> RawItem:
    try:
        values = parse_json(content.decode())
    except UnicodeDecodeError as exc:
        return RawItem(number, offset, reason=f"linjen er ikke i UTF-8 (byte {exc.start + 1})")
    except ValueError as exc:
        return RawItem(number, offset, reason=f"linjen er ikke gyldig JSON ({exc})")
    if not isinstance(values, dict):
        return RawItem(number, offset, reason="linjen er ikke et JSON-objekt")
    return RawItem(number, offset, values)


def refuse(constant: str) -> NoReturn:
    """Raise `ValueError` for `NaN` or `Infinity`."""
    raise ValueError(f"{constant} er ikke et tall i JSON")


def parse_json(text: str, constant: Callable[[str], Any] = refuse) -> Any:
    """Return the value of a JSON text; a number that no float can hold is infinite.

    `constant` returns what `NaN` and `Infinity` are read as. Raises `ValueError`, also for what is nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=constant, parse_int=_whole)
    except RecursionError as exc:
        raise ValueError("for mange nivåer") from exc


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= DIGITS else math.inf
