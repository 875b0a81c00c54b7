"""What `lovsvar doctor` finds, and judging what services say of themselves: pure."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from lovsvar_contracts.health import ServiceHealth
from lovsvar_contracts.message import Frozen
from lovsvar_local.phrases import number

FULL = 0.8
"""The share of its limit from which a store is called almost full."""

MODEL = "Sett OPENAI_API_KEY, eller OPENAI_BASE_URL for en tjener uten nøkkel, og start agenten på nytt."
SERPER = "Sett SERPER_API_KEY, og start practice på nytt, om rettspraksis skal kunne søkes i."


class Level(StrEnum):
    """How a thing is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class Finding(Frozen):
    """One thing that was looked at, and what to do when it is not well."""

    area: str
    level: Level
    text: str
    remedy: str = ""


class Report(Frozen):
    """What `lovsvar doctor --json` prints. `ok` is false when there is an error; warnings are none."""

    ok: bool
    findings: tuple[Finding, ...]


def fine(area: str, text: str) -> Finding:
    """Return that something is as it should be."""
    return Finding(area=area, level=Level.OK, text=text)


def warning(area: str, text: str, remedy: str) -> Finding:
    """Return that something should be looked at; what people use works."""
    return Finding(area=area, level=Level.WARNING, text=text, remedy=remedy)


def error(area: str, text: str, remedy: str) -> Finding:
    """Return that something does not work."""
    return Finding(area=area, level=Level.ERROR, text=text, remedy=remedy)


def report(findings: Iterable[Finding]) -> Report:
    """Return `findings` as they are printed."""
    found = tuple(findings)
    return Report(ok=all(finding.level is not Level.ERROR for finding in found), findings=found)


def judge_corpus(documents: int, version: int) -> Finding:
    """Judge how much law is stored."""
    if not documents:
        return error("lovsamling", "Ingen lover er lagret.", "Hent dem med «lovsvar ingest».")
    return fine("lovsamling", f"{number(documents)} dokumenter, versjon {version}.")


def judge_vectors(embedded: int, provisions: int) -> Finding:
    """Judge how much of the law can be searched by meaning."""
    text = f"{number(embedded)} av {number(provisions)} bestemmelser kan søkes etter mening."
    if embedded < provisions:
        return warning("vektorer", text, "La embedding-tjenesten gå til den er ferdig; søk etter ord virker imens.")
    return fine("vektorer", text)


def judge_services(healths: Mapping[str, Sequence[ServiceHealth]]) -> list[Finding]:
    """Judge services by what each process that answered says of itself; one without any does not answer."""
    found = [finding for name, replicas in healths.items() for finding in _judge_service(name, replicas)]
    everyone = [health for replicas in healths.values() for health in replicas]
    versions = {health.version for health in everyone}
    if len(versions) > 1:
        each = ", ".join(sorted({f"{health.service} {health.version}" for health in everyone}))
        found.append(error("versjoner", f"Tjenestene har ulike versjoner: {each}.", "Oppdater alle til den samme."))
    elif versions:
        found.append(fine("versjoner", f"Alle tjenester som svarer, har versjon {versions.pop()}."))
    return [*found, *_judge_configured(everyone)]


def _judge_service(name: str, replicas: Sequence[ServiceHealth]) -> list[Finding]:
    if not replicas:
        return [error(name, "Tjenesten svarer ikke.", f"Se i loggen til {name} hvorfor, og start den.")]
    waiting = [health for health in replicas if not health.ready]
    if not waiting:
        many = f", {len(replicas)} prosesser" if len(replicas) > 1 else ""
        return [fine(name, f"Klar (versjon {replicas[0].version}{many}).")]
    remedy = f"Vent til den er ferdig, eller se i loggen til {name}."
    return [error(name, f"Ikke klar: {health.detail}", remedy) for health in waiting]


def _judge_configured(everyone: Iterable[ServiceHealth]) -> list[Finding]:
    configured: dict[str, bool] = {}
    for health in everyone:
        for name, whether in health.configured.items():
            configured[name] = configured.get(name, True) and whether
    said = {
        "model": ("språkmodell", "Språkmodellen er satt opp.", "Ingen språkmodell: svar gis som sitater.", MODEL),
        "serper": ("rettspraksis", "Serper er satt opp.", "Serper er ikke satt opp.", SERPER),
    }
    return [
        fine(area, yes) if configured[name] else warning(area, no, remedy)
        for name, (area, yes, no, remedy) in said.items()
        if name in configured
    ]
