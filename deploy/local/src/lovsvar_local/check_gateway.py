"""What `lovsvar doctor --url` can see from outside: how the services are, what is stored, and the gateway's metrics."""

from collections.abc import Mapping
from http import HTTPStatus

import httpx2
from pydantic import ValidationError

from lovsvar.client import authorization
from lovsvar_contracts.health import ServiceHealth
from lovsvar_contracts.search import CorpusStatus
from lovsvar_local.findings import FULL, Finding, error, fine, judge_corpus, judge_services, judge_vectors, warning
from lovsvar_local.phrases import service_state

SECONDS = 15.0


async def check_gateway(url: str, key: str | None) -> list[Finding]:
    """Look at everything that the key may see."""
    headers = authorization(key)
    async with httpx2.AsyncClient(base_url=url.rstrip("/"), headers=headers, timeout=SECONDS, trust_env=False) as http:
        try:
            ready = await http.get("/readyz")
            status, metrics = await http.get("/v1/status"), await http.get("/metrics")
        except (httpx2.TransportError, httpx2.InvalidURL) as exc:
            remedy = "Er adressen riktig, og kjører Lovsvar der?"
            return [error("gateway", f"Ingen svarer på {url} ({type(exc).__name__}).", remedy)]
    return [*_services(ready), *_corpus(status), *_stores(metrics)]


def _services(ready: httpx2.Response) -> list[Finding]:
    try:
        body = ready.json()
        healths = {name: [ServiceHealth.model_validate(each)] for name, each in body["details"].items()}
        states: Mapping[str, str] = body["services"]
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        return [error("gateway", f"Svarer {ready.status_code} på /readyz.", "Er det Lovsvar som svarer der?")]
    own = states.get("gateway", "down")
    gateway = (
        fine("gateway", "Svarer, og er klar.")
        if own == "ready"
        else error("gateway", f"Gatewayen er {service_state(own)}.", "Se om NATS kjører, og har plass.")
    )
    return [gateway, *judge_services({name: healths.get(name, []) for name in states if name != "gateway"})]


def _corpus(status: httpx2.Response) -> list[Finding]:
    if status.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return [warning("lovsamling", "Nøkkelen får ikke se lovsamlingen.", "Bruk en med omfanget read.")]
    if not status.is_success:
        return [error("lovsamling", f"Svarer {status.status_code} på /v1/status.", "Se hvordan search har det.")]
    corpus = CorpusStatus.model_validate_json(status.content)
    found = [judge_corpus(corpus.documents, corpus.stored_version)]
    if not corpus.documents:
        return found
    found.append(judge_vectors(corpus.embedded, corpus.provisions))
    if corpus.corpus_version < corpus.stored_version:
        behind = f"Søket har versjon {corpus.corpus_version}."
        found.append(warning("lovsamling", behind, "Vent litt, eller se i loggen til search."))
    return found


def _stores(metrics: httpx2.Response) -> list[Finding]:
    if not metrics.is_success:
        return [warning("køer", "Nøkkelen får ikke se køer og lagring.", "Bruk en med omfanget operate.")]
    samples = _samples(metrics.text)
    dead = sum(value for name, value in samples.items() if name.startswith("lovsvar_dead_letters{"))
    used = samples.get("lovsvar_jetstream_size_bytes", 0.0)
    limit = samples.get("lovsvar_jetstream_limit_bytes") or sum(
        value for name, value in samples.items() if name.startswith("lovsvar_stream_limit_bytes{")
    )
    said = f"JetStream bruker {used / 1024**2:.1f} MB av {limit / 1024**2:.0f} MB."
    full = bool(limit) and used > FULL * limit
    return [
        error("lagring", said, "Sett LOVSVAR_STORAGE_MB høyere.") if full else fine("lagring", said),
        *(
            fine(f"kø {name.split(chr(34))[1]}", f"{value:.0f} venter.")
            for name, value in samples.items()
            if name.startswith("lovsvar_queue_waiting{")
        ),
        _dead_letters(dead),
    ]


def _dead_letters(count: float) -> Finding:
    if not count:
        return fine("ubehandlet", "Ingen meldinger som ikke kunne behandles.")
    remedy = "Kjør «lovsvar doctor» der NATS kan nås: det sier hvorfor."
    return warning("ubehandlet", f"{count:.0f} meldinger kunne ikke behandles.", remedy)


def _samples(text: str) -> Mapping[str, float]:
    """Return the values of Prometheus text by name and labels, as they are written."""
    lines = (line.rpartition(" ") for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}
