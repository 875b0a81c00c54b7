"""Reads documents in processes of their own, each with limits of memory and time, without network."""

import asyncio
import contextlib
import os
import sys

import structlog
from pydantic import ValidationError

from lovsvar_cases.adapters.readers.child import REFUSED
from lovsvar_cases.core.files.errors import DocumentRefused
from lovsvar_cases.core.files.kinds import FileKind
from lovsvar_cases.core.files.limits import Limits
from lovsvar_cases.core.files.pages import ReadText

log = structlog.get_logger()

BYTES_A_LETTER = 8
"""At most in JSON, escapes of control characters counted; and some for what is around."""

DAMAGED = "Dokumentet er skadet og kan ikke leses."
KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""Variables that a child gets: none with a secret."""


class ChildReader:
    """Reads documents, `at_once` of them at the same time."""

    def __init__(self, limits: Limits, at_once: int = 1) -> None:
        self._limits = limits
        self._places = asyncio.Semaphore(at_once)

    async def read(self, kind: FileKind, content: bytes) -> ReadText:
        """Return what a document says. Raises `DocumentRefused`, also for one that takes too much time or memory."""
        async with self._places:
            code, said = await self._run(kind, content)
        if code == REFUSED:
            raise DocumentRefused(said.decode())
        if code != 0:
            log.warning("a document could not be read", kind=str(kind), exit=code)
            raise DocumentRefused("Dokumentet krever mer minne eller tid enn det kan få, eller det er skadet.")
        try:
            read = ReadText.model_validate_json(said)
        except ValidationError as exc:
            raise DocumentRefused(DAMAGED) from exc
        if [page.number for page in read.pages] != list(range(1, len(read.pages) + 1)):
            raise DocumentRefused(DAMAGED)
        return read

    async def _run(self, kind: FileKind, content: bytes) -> tuple[int, bytes]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-m", "lovsvar_cases.adapters.readers.child"),
            *(str(kind), self._limits.model_dump_json()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={name: os.environ[name] for name in KEPT if name in os.environ},
            cwd="/" if os.name == "posix" else None,
        )
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._talk(process, content)
        except TimeoutError:
            raise DocumentRefused(
                f"Dokumentet tok mer enn {self._limits.seconds:g} sekunder å lese. Del det i flere."
            ) from None
        finally:
            # Also when whoever waits for it is gone.
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(process.wait())

    async def _talk(self, process: asyncio.subprocess.Process, content: bytes) -> tuple[int, bytes]:
        assert process.stdin is not None  # noqa: S101  Both are pipes.
        assert process.stdout is not None  # noqa: S101
        most = self._limits.letters * BYTES_A_LETTER + 2**20
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(content)
            await process.stdin.drain()
            process.stdin.close()
        said = bytearray()
        while piece := await process.stdout.read(65_536):
            said += piece
            if len(said) > most:
                raise DocumentRefused("Dokumentet har mer tekst enn det kan ha. Del det i flere.")
        return await process.wait(), bytes(said)
