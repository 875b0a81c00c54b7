"""pytest fixtures that every package's tests may use; found by entry point, imported by nobody."""

import asyncio
import functools
import gc
import json
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpcore2
import nats as nats_client
import psutil
import pytest
import pytest_asyncio
import structlog
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from lovsvar_testkit import measured as metrics
from lovsvar_testkit import servers
from lovsvar_testkit.databases import EMPTY, make_migrated, new_database
from lovsvar_testkit.gateway_stand_in import StandIn
from lovsvar_testkit.measured import Measured

if TYPE_CHECKING:
    from lovsvar_testkit.real_law import RealLaw

ARCHIVES = "LOVSVAR_ARCHIVES"

MEMORY = Path("/dev/shm")  # noqa: S108 - what is made there has a name that nobody can guess
"""Where Linux keeps files in memory."""

PLENTY = 8 * 2**30
"""Bytes of memory that are to be free for it."""

MOST_PROCESSES = 3
"""Processes that run files side by side, at most: each starts servers of its own."""


FILE_SECONDS = Path(__file__).with_name("file_seconds.json")
"""The test files that take a second or more, and how many: the longest begin first, so that processes end together."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--note-seconds`."""
    note = f"write what each test file took that ran to {FILE_SECONDS.name} of the testkit"
    parser.addoption("--note-seconds", action="store_true", help=note)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave to the garbage collector what tests make: what was imported and collected stays, and is very much."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first."""
    seconds = json.loads(FILE_SECONDS.read_text(encoding="utf-8"))
    items.sort(key=lambda item: -seconds.get(_file(item.nodeid), 0))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: pytest.ExitCode, config: pytest.Config
) -> None:
    """Write what each file took, if that is asked for and all have run."""
    if not config.option.note_seconds or exitstatus > pytest.ExitCode.TESTS_FAILED:
        return
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[_file(report.nodeid)] += report.duration
    known = json.loads(FILE_SECONDS.read_text(encoding="utf-8"))
    noted = {file: round(taken) for file, taken in sorted({**known, **seconds}.items()) if taken >= 1}
    present = {file: taken for file, taken in noted.items() if (config.rootpath / file).exists()}
    FILE_SECONDS.write_text(json.dumps(present, indent=1) + "\n", encoding="utf-8")


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def pytest_configure(config: pytest.Config) -> None:
    """Log tracebacks without the values of variables, keep bytecode, and keep files in memory.

    Writing those values takes seconds and blocks the event loop. Without bytecode, each service that is started
    compiles all that it imports, which takes a second of a processor. On a disk, a new database takes four times as
    much of one.
    """
    _keep_bytecode(config)
    _keep_files_in_memory()
    *before, _ = structlog.get_config()["processors"]
    renderer = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*before, renderer])


def _keep_files_in_memory() -> None:
    """Have tests, and what they start, make temporary files in memory if there is plenty of it."""
    try:
        room = min(shutil.disk_usage(MEMORY).free, psutil.virtual_memory().available)
    except OSError:
        return
    if room > PLENTY and "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def _keep_bytecode(config: pytest.Config) -> None:
    """Where Python may not write bytecode beside the source, have the processes that tests start write it elsewhere."""
    cache = config.rootpath / ".pytest_cache" / "bytecode"
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(cache))


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many processes share the test files: none when files are named, so that output and debuggers work."""
    if all(Path(argument.split("::")[0]).is_file() for argument in config.args):
        config.option.dist = "no"
        return 0
    # One more than there are processors, since tests wait for a third of their time.
    return min(MOST_PROCESSES, (os.cpu_count() or 1) + 1)


class FilesTogether(LoadFileScheduling):  # type: ignore[misc] # xdist has no types
    """Gives each file to one process, and all files on the real archives to the same, which stores them once."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "real" if Path(file).name.startswith("test_real_") else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Return what hands out the tests to processes."""
    return FilesTogether(config, log) if config.option.dist == "loadfile" else None


@pytest.fixture(scope="session", autouse=True)
def _metrics() -> None:
    """Set up metrics before the first test, whichever that is."""
    metrics.set_up()


@pytest.fixture(scope="session", autouse=True)
def _certificates_read_once() -> Iterator[None]:
    """All HTTP clients share what they trust: to read it takes each of them 30 ms of a processor."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", functools.cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture(scope="session")
def nats_server() -> Iterator[str]:
    """URL of a nats-server that lives as long as the test session."""
    with servers.nats() as url:
        yield url


@pytest_asyncio.fixture
async def nats_url(nats_server: str) -> AsyncIterator[str]:
    """URL of a nats-server without streams; those that the test made are deleted behind it."""
    yield nats_server
    connection = await nats_client.connect(nats_server)
    js = connection.jetstream()
    for stream in await js.streams_info():
        await js.delete_stream(str(stream.config.name))
    await connection.close()


@pytest.fixture
def measured() -> Measured:
    """What this process's metrics count from here on."""
    return Measured()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """URL of a PostgreSQL that lives as long as the test session."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def migrated_server(postgres_server: str) -> str:
    """URL of that PostgreSQL, with a database of which `new_database` makes copies."""
    asyncio.run(make_migrated(postgres_server))
    return postgres_server


@pytest_asyncio.fixture
async def database_url(migrated_server: str) -> AsyncIterator[str]:
    """URL of a database of this test's own, with the schemas of all services and nothing stored."""
    async with new_database(migrated_server) as url:
        yield url


@pytest_asyncio.fixture
async def empty_database_url(postgres_server: str) -> AsyncIterator[str]:
    """URL of a database of this test's own that no service has migrated."""
    async with new_database(postgres_server, EMPTY) as url:
        yield url


@pytest.fixture(scope="session")
def archives() -> Path:
    """Folder of the real archives; the test is skipped where `LOVSVAR_ARCHIVES` does not name it."""
    folder = os.environ.get(ARCHIVES)
    if not folder:
        pytest.skip(f"{ARCHIVES} does not name a folder with Lovdata's archives")
    path = Path(folder).resolve()
    if not (path / "gjeldende-lover.tar.bz2").exists():
        pytest.fail(f"{ARCHIVES}={folder} holds no gjeldende-lover.tar.bz2")
    return path


@pytest.fixture(scope="session")
def real_law(postgres_server: str, archives: Path) -> "RealLaw":
    """The real laws and regulations in databases, stored once; files whose tests use it are called `test_real_*`."""
    # Few tests need what stores them, which takes a second to load.
    from lovsvar_testkit.real_law import store_real_law

    return store_real_law(postgres_server, archives)


@pytest_asyncio.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """A stand-in for the gateway, listening."""
    gateway = StandIn()
    server = await asyncio.start_server(gateway.serve, "127.0.0.1", 0)
    gateway.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield gateway
    server.close()
    await server.wait_closed()
