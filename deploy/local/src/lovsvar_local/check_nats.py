"""What `lovsvar doctor` looks at in NATS: the streams, who works on them, dead letters, and how the services are."""

import asyncio
from collections.abc import Sequence

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StreamInfo
from nats.js.errors import NotFoundError
from pydantic import ValidationError

from lovsvar_chassis.manifest import kept_streams, service_names
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.message import utc_now
from lovsvar_local.findings import FULL, Finding, error, fine, judge_services, warning
from lovsvar_local.phrases import duration, number

MB = 1024 * 1024

ASKED = 5
"""How often a service is asked, since replicas answer in turn."""

HEALTH_SECONDS = 5.0


async def check_nats(connection: Client) -> list[Finding]:
    """Look at everything. Raises nats-py's errors when the connection falls."""
    js = connection.jetstream()
    infos = {str(info.config.name): info for info in await js.streams_info()}
    version = connection.connected_server_version
    return [
        fine("nats", f"Svarer (versjon {version.major}.{version.minor}.{version.patch})."),
        await _storage(js, infos),
        *_streams(infos),
        *await _work(js, infos),
        await _dead_letters(js, infos),
        *judge_services({name: await health_of(connection, name) for name in service_names()}),
    ]


async def _storage(js: JetStreamContext, infos: dict[str, StreamInfo]) -> Finding:
    account = await js.account_info()
    limits = [info.config.max_bytes or -1 for info in infos.values()]
    limit = account.limits.max_storage if account.limits.max_storage > 0 else sum(n for n in limits if n > 0)
    used = f"JetStream bruker {account.storage / MB:.1f} MB"
    if limit <= 0:
        return warning("lagring", f"{used}, uten noen grense.", "Gi NATS mer plass, så strømmene kan få grenser.")
    said = f"{used} av {limit / MB:.0f} MB."
    if account.storage > FULL * limit:
        return error("lagring", said, "Sett LOVSVAR_STORAGE_MB høyere, eller rydd i strømmene.")
    return fine("lagring", said)


def _streams(infos: dict[str, StreamInfo]) -> list[Finding]:
    names, remedy = [stream.name for stream in kept_streams()], "Start ingest, som lager strømmene."
    found = [error("strømmer", f"{name} mangler.", remedy) for name in names if name not in infos]
    for name, info in infos.items():
        limit = info.config.max_bytes or -1
        # One that forgets its oldest is to be full.
        if info.config.discard == DiscardPolicy.NEW and 0 < limit * FULL < info.state.bytes:
            share = info.state.bytes / limit
            found.append(error("strømmer", f"{name} er {share:.0%} full, og tar da ikke imot mer.", "Se køene under."))
    unlimited = [name for name in names if name in infos and (infos[name].config.max_bytes or -1) <= 0]
    if unlimited:
        few = "Gi NATS mer plass enn LOVSVAR_STORAGE_MB."
        found.append(warning("strømmer", f"Uten grense: {', '.join(unlimited)}.", few))
    return found or [fine("strømmer", f"Alle {len(names)} finnes, med grenser.")]


async def _work(js: JetStreamContext, infos: dict[str, StreamInfo]) -> list[Finding]:
    queues = [name for name, info in infos.items() if info.config.retention == RetentionPolicy.WORK_QUEUE]
    return [await _queue(js, infos[name]) for name in sorted(queues)]


async def _queue(js: JetStreamContext, info: StreamInfo) -> Finding:
    name = str(info.config.name)
    area = f"kø {name}"
    consumers = await js.consumers_info(name)
    if not consumers:
        text = f"Ingen arbeider på køen, som har {number(info.state.messages)} meldinger."
        return warning(area, text, "Start tjenesten som arbeider på den.") if info.state.messages else fine(area, text)
    waiting, taken, again = (
        sum(getattr(consumer, of) or 0 for consumer in consumers)
        for of in ("num_pending", "num_ack_pending", "num_redelivered")
    )
    text = f"{number(waiting)} venter, {number(taken)} er tatt, {number(again)} er levert på nytt."
    if again:
        return warning(area, text, "Noe mislykkes og prøves igjen. Se i loggen til tjenesten som arbeider på køen.")
    return fine(area, text)


async def _dead_letters(js: JetStreamContext, infos: dict[str, StreamInfo]) -> Finding:
    area = "ubehandlet"
    if subjects.STREAM_DEAD not in infos:
        return warning(area, "Strømmen for det som ikke kunne behandles, mangler.", "Start ingest, som lager den.")
    counted = (await js.stream_info(subjects.STREAM_DEAD, subjects.DEAD_ANY)).state.subjects or {}
    if not counted:
        return fine(area, "Ingen meldinger som ikke kunne behandles.")
    last = await js.get_last_msg(subjects.STREAM_DEAD, subjects.DEAD_ANY)
    reason = (last.headers or {}).get("Lovsvar-Reason", "ukjent")
    since = f" for {duration((utc_now() - last.time).total_seconds())} siden" if last.time else ""
    each = ", ".join(f"{subject.rpartition('.')[2]} {number(n)}" for subject, n in sorted(counted.items()))
    return warning(
        area, f"{each}. Siste{since}: {reason}", "Rett årsaken, be om det på nytt, og slett dem fra strømmen DEAD."
    )


async def health_of(connection: Client, service: str) -> Sequence[ServiceHealth]:
    """Return what processes of `service` say of themselves: of many, some."""
    answers = await asyncio.gather(*(_health(connection, service) for _ in range(ASKED)))
    return list({health.instance: health for health in answers if health}.values())


async def _health(connection: Client, service: str) -> ServiceHealth | None:
    subject, body = subjects.health(service), ReadHealth().encode()
    try:
        try:
            answer = await connection.request(subject, body, timeout=HEALTH_SECONDS)
        except NoRespondersError:
            answer = await connection.request(subjects.unready(subject), body, timeout=HEALTH_SECONDS)
        return ServiceHealth.model_validate_json(answer.data)
    except (NatsError, ValidationError, NotFoundError):
        return None
