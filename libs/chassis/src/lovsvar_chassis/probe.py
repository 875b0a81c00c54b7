"""`python -m lovsvar_chassis.probe search`: whether the service on this host answers; a health check for containers.

With `--alive` it only reads the file `LOVSVAR_LIVENESS_FILE`. It imports little, so that it costs little.
"""

import argparse
import asyncio
import re
import socket
import sys
from pathlib import Path

import nats
from nats.errors import Error as NatsError

from lovsvar_chassis.liveness import is_alive
from lovsvar_chassis.settings import ServiceSettings, connect_options
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth

SECONDS = 2.0


def host_subject(service: str) -> str:
    """Return the subject on which `service` answers for this host alone, and not for its like elsewhere."""
    host = re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())
    return f"{subjects.health(service)}.{host}"


async def probe(settings: ServiceSettings, service: str) -> ServiceHealth:
    """Return what `service` on this host says of itself. Raises nats-py's error when it does not answer."""
    connection = await nats.connect(
        settings.nats_servers,
        error_cb=_say_nothing,
        allow_reconnect=False,
        max_reconnect_attempts=0,
        connect_timeout=1,
        **connect_options(settings, service),
    )
    try:
        request = ReadHealth().encode()
        answer = await connection.request(host_subject(service), request, timeout=SECONDS)
        return ServiceHealth.model_validate_json(answer.data)
    finally:
        await connection.close()


async def _say_nothing(_: Exception) -> None:
    """Leave it to the exception that follows, which nats-py would log with a traceback for every try."""


def main() -> int:
    """Print how the service is; return 0 when it answers or is alive, ready or not, and 1 when it is not."""
    parser = argparse.ArgumentParser(description="Ask the service on this host how it is.")
    parser.add_argument("service")
    parser.add_argument("--alive", action="store_true", help="only whether its event loop turns")
    parser.add_argument("--ready", action="store_true", help="1 also when it answers that it is not ready")
    arguments = parser.parse_args()
    settings = ServiceSettings()
    if arguments.alive:
        return _alive(arguments.service, settings.liveness_file)
    return _answers(arguments.service, settings, must_be_ready=arguments.ready)


def _alive(service: str, file: Path | None) -> int:
    if file is None:
        print("LOVSVAR_LIVENESS_FILE is not set", file=sys.stderr)  # noqa: T201
        return 1
    alive = is_alive(file)
    print(f"{service} is alive" if alive else f"{service} is not alive: {file} is old or missing")  # noqa: T201
    return 0 if alive else 1


def _answers(service: str, settings: ServiceSettings, *, must_be_ready: bool) -> int:
    try:
        health = asyncio.run(asyncio.wait_for(probe(settings, service), SECONDS + 1))
    except (NatsError, OSError, ValueError) as exc:
        print(f"{service} does not answer: {exc!r}", file=sys.stderr)  # noqa: T201
        return 1
    print("ready" if health.ready else f"not ready: {health.detail}")  # noqa: T201
    return 0 if health.ready or not must_be_ready else 1


if __name__ == "__main__":
    sys.exit(main())
