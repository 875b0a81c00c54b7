"""The lines of a file of bytes, of which none is read further than a limit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its end. `offset` is the number of bytes up to it; one that is `too_long` has its beginning only."""

    number: int
    offset: int
    content: bytes
    too_long: bool = False


def physical_lines(file: IO[bytes], limit: int) -> Iterator[Line]:
    """Yield the lines from where `file` is; of one longer than `limit` bytes the rest is skipped."""
    number = offset = 0
    while content := file.readline(limit):
        number += 1
        offset += len(content)
        too_long = len(content) == limit and not content.endswith(b"\n")
        if too_long:
            while rest := file.readline(limit):
                offset += len(rest)
                if rest.endswith(b"\n"):
                    break
        yield Line(number, offset, content, too_long)
