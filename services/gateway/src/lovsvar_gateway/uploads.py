"""Files that a page's form sends (`multipart/form-data`), read as they come and written nowhere."""

from collections import deque
from collections.abc import AsyncIterator

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from lovsvar_gateway.core.errors import FormIncomplete

MOST_FIELD = 2_000
"""Bytes of a field that is no file."""


class Upload:
    """A form with one file. `begin` reads up to the file; its fields are those that came before it."""

    def __init__(self, request: Request) -> None:
        kind, options = parse_options_header(request.headers.get("content-type", ""))
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise FormIncomplete("case_form_unknown", "file")
        self._stream = request.stream()
        self._seen: deque[bytes | None] = deque()
        self._header, self._value, self._named = b"", b"", dict[bytes, bytes]()
        self._in_file = False
        self.name = ""
        self.fields: dict[str, str] = {}
        self._parser = MultipartParser(
            options[b"boundary"],
            {
                "on_part_begin": self._begin_part,
                "on_header_field": self._add_header,
                "on_header_value": self._add_value,
                "on_header_end": self._end_header,
                "on_headers_finished": self._end_headers,
                "on_part_data": self._add_data,
                "on_part_end": self._end_part,
            },
        )

    async def begin(self) -> None:
        """Read up to the file. Raises `FormIncomplete` when there is none."""
        while not (self._in_file or self._seen):
            if not await self._read():
                raise FormIncomplete("case_no_file", "file")
        if not self.name:
            raise FormIncomplete("case_no_file", "file")

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the bytes of the file. Raises `FormIncomplete` when it does not come whole."""
        while True:
            while self._seen:
                piece = self._seen.popleft()
                if piece is None:
                    return
                yield piece
            if not await self._read():
                raise FormIncomplete("case_upload_cut", "file")

    async def skip(self) -> None:
        """Read the rest, so that a browser which still sends hears the answer."""
        while await self._read():
            self._seen.clear()

    async def _read(self) -> bool:
        chunk = await anext(self._stream, b"")
        try:
            self._parser.write(chunk)
        except FormParserError as exc:
            raise FormIncomplete("case_upload_cut", "file") from exc
        return bool(chunk)

    def _begin_part(self) -> None:
        self._named = {}

    def _add_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._named = parse_options_header(self._value)[1]
        self._header = self._value = b""

    def _end_headers(self) -> None:
        self._in_file = b"filename" in self._named and not self.name
        if self._in_file:
            self.name = self._named[b"filename"].decode(errors="replace")

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if self._in_file:
            self._seen.append(data[start:end])
            return
        field = self._named.get(b"name", b"").decode(errors="replace")
        if b"filename" not in self._named and len(self.fields) <= 10:
            self.fields[field] = (self.fields.get(field, "") + data[start:end].decode(errors="replace"))[:MOST_FIELD]

    def _end_part(self) -> None:
        if self._in_file:
            self._seen.append(None)
            self._in_file = False
