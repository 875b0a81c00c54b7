"""With certificates to check by, nothing is said to a server that is not the one it claims to be, or in the clear."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
import trustme
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from lovsvar_chassis.addresses import Unreachable
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.probe import probe
from lovsvar_chassis.service import Service, connect, disconnect
from lovsvar_chassis.settings import DatabaseSettings, ServiceSettings
from lovsvar_local.commands.setup import make_secrets
from lovsvar_local.embedded import NatsServer
from lovsvar_testkit.locked import nats_configuration
from lovsvar_testkit.running import running

ROOT = Path(__file__).parents[2]
PASSWORD = "a/b@c"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def ca(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificates that clients check by."""
    file = tmp_path_factory.mktemp("ca") / "ca.pem"
    authority.cert_pem.write_to_path(file)
    return file


@pytest.fixture(scope="module")
def locked_nats(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The URL of a NATS with TLS and permissions as deploy/README.md sets them up, and the folder of secrets."""
    folder = tmp_path_factory.mktemp("tls")
    secrets = Path(make_secrets(folder / "secrets").folder)
    certificate = authority.issue_cert("localhost")
    certificate.private_key_pem.write_to_path(secrets / "nats" / "key.pem")
    certificate.cert_chain_pems[0].write_to_path(secrets / "nats" / "certificate.pem")
    with (secrets / "nats" / "local.conf").open("a") as local:
        place = folder / "etc-nats" / "local"
        local.write(
            f'tls {{cert_file: "{place}/certificate.pem", key_file: "{place}/key.pem", handshake_first: true}}\n'
        )
    server = NatsServer(folder / "nats", config=nats_configuration(ROOT, folder))
    port = server.start().rpartition(":")[2]
    yield f"tls://localhost:{port}", secrets
    server.stop()


def settings(url: str, secrets: Path, ca: Path | None, user: str = "ingest") -> ServiceSettings:
    return ServiceSettings(nats_url=url, nats_seed=(secrets / f"nats_{user}").read_text(), nats_ca_file=ca)


async def test_a_service_and_its_health_check_speak_tls_to_nats(locked_nats: tuple[str, Path], ca: Path) -> None:
    told = settings(*locked_nats, ca)
    async with running(Service(name="ingest", settings=told, broker=make_broker(told, "ingest"))) as service:
        assert isinstance(service.broker.connection._transport._io_writer.get_extra_info("ssl_object"), ssl.SSLObject)
        assert (await probe(told, "ingest")).ready


async def test_a_nats_that_nobody_vouches_for_is_told_nothing(locked_nats: tuple[str, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(other)
    with pytest.raises(ssl.SSLCertVerificationError, match="local issuer"):
        await probe(settings(*locked_nats, other), "ingest")


async def test_without_certificates_to_check_by_a_nats_that_wants_tls_first_is_told_nothing(
    locked_nats: tuple[str, Path], ca: Path
) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(3):
            await probe(settings(*locked_nats, None), "ingest")
    with pytest.raises(NoRespondersError):  # It is there: nobody behind it is.
        await probe(settings(*locked_nats, ca), "ingest")


async def test_a_certificate_for_another_name_is_none(locked_nats: tuple[str, Path], ca: Path) -> None:
    url, secrets = locked_nats
    with pytest.raises(ssl.SSLCertVerificationError, match="IP address mismatch"):
        await probe(settings(url.replace("localhost", "127.0.0.1"), secrets, ca), "ingest")


async def test_a_server_without_tls_cannot_talk_a_service_out_of_it(ca: Path) -> None:
    heard = bytearray()
    greeting = (
        b'INFO {"server_id":"x","version":"2.12.0","tls_required":false,"max_payload":1048576,"headers":true}\r\n'
    )

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        heard.extend(await reader.read(1_000))
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    broker = make_broker(ServiceSettings(nats_url=f"nats://localhost:{port}", nats_ca_file=ca), "search")
    with pytest.raises((NatsError, OSError, TimeoutError)):
        async with asyncio.timeout(3):
            await connect(broker)
    with contextlib.suppress(Exception):
        await disconnect(broker)
    server.close()
    assert b"CONNECT" not in heard
    assert heard.startswith(b"\x16\x03")  # the beginning of a TLS handshake


class Terminator:
    """TLS in front of PostgreSQL, as its own is: the wheel's PostgreSQL is built without."""

    def __init__(self, database_url: str, context: ssl.SSLContext) -> None:
        self._socket = f"{database_url.partition('host=')[2]}/.s.PGSQL.5432"
        self._context = context

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ssl.SSLError):
            if await reader.readexactly(8) != b"\x00\x00\x00\x08\x04\xd2\x16\x2f":
                raise ConnectionRefusedError  # whoever does not ask for TLS is not answered
            writer.write(b"S")
            await writer.drain()
            await writer.start_tls(self._context)
            inner = await asyncio.open_unix_connection(self._socket)
            await asyncio.gather(pass_on(reader, inner[1]), pass_on(inner[0], writer))
        writer.close()


async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(65_536):
        target.write(data)
        await target.drain()
    target.close()


@pytest_asyncio.fixture
async def tls_database(database_url: str, authority: trustme.CA) -> AsyncIterator[str]:
    """The host and port of a PostgreSQL that is reached by TLS alone, and the name of a database there."""
    if "host=" not in database_url:
        pytest.skip("the wheel's PostgreSQL is reached by a socket")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(context)
    server = await asyncio.start_server(Terminator(database_url, context).take, "127.0.0.1", 0)
    name = database_url.partition("@/")[2].partition("?")[0]
    yield f"localhost:{server.sockets[0].getsockname()[1]}/{name}"
    server.close()


async def test_a_database_is_reached_by_tls_with_the_password_from_its_file(
    tls_database: str, ca: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "LOVSVAR_DATABASE_PASSWORD").write_text(f"{PASSWORD}\n")
    monkeypatch.setenv("LOVSVAR_SECRETS_DIR", str(tmp_path))
    url = f"postgresql://postgres@{tls_database}?sslmode=verify-full&sslrootcert={ca}"
    database = Database(DatabaseSettings(database_url=url).database_url)
    await database.start()
    assert await database.pool.fetchval("SELECT 1") == 1
    await database.stop()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("name", "SSLCertVerificationError.* IP address mismatch"),
        ("authority", "SSLCertVerificationError.* local issuer"),
        ("no TLS", "Connection"),
    ],
)
async def test_a_database_that_nobody_vouches_for_is_not_used(
    tls_database: str, ca: Path, tmp_path: Path, wrong: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lovsvar_chassis.database.WAIT_SECONDS", 0.2)
    other = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(other)
    host = tls_database.replace("localhost", "127.0.0.1") if wrong == "name" else tls_database
    by = f"sslmode=verify-full&sslrootcert={other if wrong == 'authority' else ca}"
    url = f"postgresql://postgres@{host}?{'sslmode=disable' if wrong == 'no TLS' else by}"
    with pytest.raises(Unreachable, match=reason):
        await Database(url).start()
