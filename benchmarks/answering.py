"""The cost of answering a request besides its handler: our router, a plain FastStream subscriber, and a bare echo.

    uv run python benchmarks/answering.py [--json]

Each answers 5 KB from a process of its own, to one caller who waits for each reply, in rounds that take turns. Printed
are milliseconds until the reply (p50) and milliseconds of the answering process's processor time.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import nats
import psutil
from faststream.nats import NatsBroker
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from search import python_process

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_local.embedded import NatsServer

SUBJECT = "bench.answering"
ROUNDS = 5
CALLS = 1_000
HEALTH = ServiceHealth(service="search", version="1", instance="one", ready=True, detail="x" * 5_000)


async def health(request: ReadHealth) -> ServiceHealth:
    """Answer `request`."""
    return HEALTH.model_copy(update={"correlation_id": request.correlation_id})


async def by_router(nats_url: str) -> None:
    """Answer as the services do."""
    broker = make_broker(ServiceSettings(nats_url=nats_url), "bench")
    router = RequestRouter().answer(SUBJECT, health)
    broker.include_router(router)
    await broker.connect()
    await router.start()


async def by_faststream(nats_url: str) -> None:
    """Answer by a FastStream subscriber without any middleware."""
    broker = NatsBroker(nats_url, logger=None)
    broker.subscriber(SUBJECT, max_workers=1)(health)
    await broker.start()


async def by_echo(nats_url: str) -> None:
    """Answer without reading the request."""
    connection = await nats.connect(nats_url)
    body = HEALTH.encode()

    async def echo(message: Msg) -> None:
        await message.respond(body)

    await connection.subscribe(SUBJECT, cb=echo)


WAYS: Mapping[str, Callable[[str], Awaitable[None]]] = {
    "nats-py echo": by_echo,
    "router": by_router,
    "FastStream": by_faststream,
}


async def answer(way: str, nats_url: str) -> None:
    """Answer until the process is ended."""
    await WAYS[way](nats_url)
    await asyncio.Event().wait()


PROGRAM = f"""
import asyncio, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import answering
asyncio.run(answering.answer(*sys.argv[1:]))
"""


async def ask(connection: Client, calls: int) -> list[float]:
    """Return the milliseconds of each of `calls` requests."""
    times = []
    for _ in range(calls):
        request = ReadHealth()
        began = time.perf_counter()
        reply = await connection.request(
            SUBJECT,
            request.encode(),
            timeout=5,
            headers={"content-type": "application/json", "correlation_id": request.correlation_id},
        )
        times.append((time.perf_counter() - began) * 1000)
        ServiceHealth.model_validate_json(reply.data)
    return times


async def one_round(nats_url: str, way: str) -> tuple[list[float], float]:
    """Return the milliseconds of each request, and of processor time for one, answered in that `way`."""
    connection = await nats.connect(nats_url)
    with python_process(PROGRAM, way, nats_url) as process:
        while True:
            try:
                await ask(connection, CALLS // 10)
                break
            except NoRespondersError:
                await asyncio.sleep(0.05)
        before = psutil.Process(process.pid).cpu_times()
        times = await ask(connection, CALLS)
        after = psutil.Process(process.pid).cpu_times()
    await connection.close()
    return times, (after.user + after.system - before.user - before.system) * 1000 / CALLS


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    cpu: dict[str, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-", ignore_cleanup_errors=True) as folder:
        server = NatsServer(Path(folder))
        nats_url = server.start()
        try:
            for _ in range(ROUNDS):
                for way in WAYS:
                    took, processor = await one_round(nats_url, way)
                    times[way] += took
                    cpu[way].append(processor)
        finally:
            server.stop()
    report = {
        way: {"p50": round(statistics.median(times[way]), 3), "cpu": round(statistics.median(cpu[way]), 3)}
        for way in WAYS
    }
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"{'milliseconds':16} {'p50':>8} {'cpu':>8}")
    for way, measured in report.items():
        print(f"{way:16} {measured['p50']:8.3f} {measured['cpu']:8.3f}")


if __name__ == "__main__":
    asyncio.run(main())
