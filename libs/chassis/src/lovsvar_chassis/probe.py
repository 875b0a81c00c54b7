"""`python -m lovsvar_chassis.probe search`: whether the service on this host answers; a health check for containers.

It imports little, so that asking every few seconds costs little.
"""

import argparse
import asyncio
import re
import socket
import sys

import nats
from nats.errors import Error as NatsError

from lovsvar_chassis.credentials import connect_options
from lovsvar_chassis.settings import ServiceSettings
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
        settings.nats_url,
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
    """Print what the service says; return 0 when it answers, ready or not, and 1 when it does not."""
    parser = argparse.ArgumentParser(description="Ask the service on this host how it is.")
    parser.add_argument("service")
    service = parser.parse_args().service
    try:
        health = asyncio.run(asyncio.wait_for(probe(ServiceSettings(), service), SECONDS + 1))
    except (NatsError, OSError, ValueError) as exc:
        print(f"{service} does not answer: {exc!r}", file=sys.stderr)  # noqa: T201
        return 1
    print("ready" if health.ready else f"not ready: {health.detail}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
