"""What the terminal shows, in Norwegian: pure functions from contract models to text."""

import unicodedata
from collections.abc import Iterable, Mapping

from lovsvar_contracts import ingest
from lovsvar_contracts import run_events as run
from lovsvar_contracts.catalogues import DATASET_PREFIX
from lovsvar_contracts.law import InForce
from lovsvar_contracts.problems import ProblemType
from lovsvar_legaltext.refids import written_day
from lovsvar_legaltext.terms import IN_FORCE, PLURALS

SAMPLE_NOTICE = "OBS: Svaret bygger på et lite, oppdiktet eksempelsett. Det er ikke norsk rett."

DATASETS = {
    ingest.DATASET_LAWS: "lovene",
    ingest.DATASET_REGULATIONS: "forskriftene",
    ingest.DATASET_SAMPLE: "eksempelsettet",
}

LIMITS = {
    "rounds": "så mange runder med språkmodellen som et spørsmål får",
    "tool_calls": "så mange søk og oppslag som et spørsmål får",
    "tokens": "så mange tokens som et spørsmål får",
    "cost": "det et spørsmål får koste",
    "seconds": "den tiden et spørsmål får ta",
    "identical_calls": "språkmodellen gjorde det samme om igjen",
}

CHECK_MODEL = "Kontroller OPENAI_API_KEY, OPENAI_BASE_URL og LOVSVAR_MODEL, eller svar uten modell: --mode extractive."


def clean(text: str) -> str:
    """Return `text` without characters that could steer a terminal."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf"} or c == "\u00ad")


def number(value: int) -> str:
    """Return `value` with its thousands apart: "4 241"."""
    return f"{value:,}".replace(",", "\u00a0")


def dataset_name(dataset: str) -> str:
    """Return what a data set is called in a sentence."""
    if is_catalogue(dataset):
        return f"katalogen {dataset.removeprefix(DATASET_PREFIX)}"
    return DATASETS.get(dataset, dataset)


def is_catalogue(dataset: str) -> bool:
    """Return whether a data set is a catalogue, and not law."""
    return dataset.startswith(DATASET_PREFIX)


def archive_line(archive: ingest.ArchiveOrigin) -> str:
    """Return which archive a data set is from: its source, its day, and how its checksum begins."""
    published = f", slik det var {written_day(archive.published)}" if archive.published else ""
    return f"{archive.source}{published} (SHA-256 {archive.checksum[:12]}…)"


def other_sources(archives: Iterable[ingest.ArchiveOrigin]) -> str:
    """Return where law is from that Lovdata's own address did not give, or ""."""
    others = ", ".join(dict.fromkeys(archive.source for archive in archives if not archive.from_lovdata))
    return f"Lovteksten er hentet fra {others}, ikke fra Lovdatas egen adresse." if others else ""


def in_force_remark(in_force: InForce) -> str:
    """Return the remark on a provision that is not plainly law today, else ""."""
    return "" if in_force is InForce.YES else IN_FORCE[in_force]


def score_line(score: float, parts: Mapping[str, float]) -> str:
    """Return what a hit's score is made of: "poeng 6.5: words 4, heading 2.5". What counts nothing is left out."""
    listed = ", ".join(f"{name} {value:.4g}" for name, value in parts.items() if value)
    return f"poeng {score:.4g}: {listed}" if listed else f"poeng {score:.4g}"


def service_state(state: str) -> str:
    """Return how a service says that it is, in Norwegian."""
    name, _, reason = state.partition(": ")
    known = {"ready": "klar", "down": "nede", "not_ready": "ikke klar"}
    return f"{known.get(name, name)}: {reason}" if reason else known.get(name, name)


def duration(seconds: float) -> str:
    """Return a time to wait in words: "40 sekunder", "3 minutter"."""
    return f"{max(2, round(seconds))} sekunder" if seconds < 120 else f"{round(seconds / 60)} minutter"


def describe_event(event: run.RunEvent) -> str | None:  # noqa: PLR0911, PLR0912 # one line for each kind
    """Return the line to show for a run event, or None for those that are not shown."""
    match event:
        case run.RunAccepted(place=int() as place, expected_wait=float() as wait) if place:
            return f"Du er nummer {number(place)} i køen, omtrent {duration(wait)}."
        case run.RunStarted(attempt=attempt) if attempt > 1:
            return f"Spørsmålet er tatt over av en annen agent (forsøk {attempt})."
        case run.StepStarted(title=title):
            return title
        case run.ToolCalled(arguments={"query": str() as query}):
            return f"  «{query}»"
        case run.ToolResult(error=str() as error) if error:
            return f"  {error}"
        case run.ToolResult(hits=hits, searched_law_types=types):
            where = f" i {', '.join(PLURALS[t] for t in types)}" if types else ""
            return f"  {number(hits)} treff{where}"
        case run.ToolRetried(attempt=attempt):
            return f"  Prøver igjen med andre argumenter ({attempt} av 2)"
        case run.ReasonerConsulted(error_message=error):
            return "  Fagmodellen ga råd" if error is None else f"  Fagmodellen kunne ikke spørres: {error}"
        case run.UserAsked(question=question):
            return f"  Spørsmål til deg: {question}"
        case run.TicketCreated(ticket_id=ticket):
            return f"  Brukerstøtten er bedt om hjelp (henvendelse {ticket})"
        case run.SourcesFound(evidence=evidence):
            return "\n".join(
                f"  Fant {e.act + ' ' if e.act and e.act not in e.title else ''}{e.title}" for e in evidence
            )
        case run.CitationVerified(citation=citation):
            return f"  ✓ Sitatet fra {citation.title} står ordrett i kilden"
        case run.CitationRejected(reason=reason):
            return f"  ✗ Et sitat ble forkastet: {reason}"
        case run.RunFailed(detail=detail, problem=ProblemType.NOT_CONFIGURED):
            return f"Mislyktes: {detail} {CHECK_MODEL}"
        case run.RunFailed(detail=detail):
            return f"Mislyktes: {detail}"
        case run.RunCancelled():
            return "Avbrutt."
        case run.RunLimitReached(limit=limit):
            return f"Stoppet ved en grense: {LIMITS.get(limit, limit)}."
        case _:
            return None


def describe_sync(event: ingest.SyncEvent) -> str:
    """Return one line about how far a sync has come."""
    name, catalogue = dataset_name(event.dataset), is_catalogue(event.dataset)
    match event:
        case ingest.SyncStarted():
            return f"Henter {name} …"
        case ingest.SyncProgressed(stage=ingest.SyncStage.FINISHING):
            return f"Gjør {name} {'klar' if catalogue else 'klare'} til søk …"
        case ingest.SyncProgressed(documents=documents):
            return f"Henter {name}: {number(documents)} {'tilbud' if catalogue else 'dokumenter'}"
        case ingest.SyncCompleted(report=report):
            counts = {"nye": report.added, "endret": report.changed, "fjernet": report.removed}
            counts["uendret"] = report.unchanged
            counts |= {"avløst av en nyere lov": report.superseded} if report.superseded else {}
            counts |= {"merknader" if catalogue else "hoppet over": len(report.skipped)} if report.skipped else {}
            changes = ", ".join(f"{number(count)} {what}" for what, count in counts.items())
            return f"Ferdig med {name}: {changes} ({report.seconds:.1f} s)"
        case ingest.SyncFailed(detail=detail):
            return f"Fikk ikke hentet {name}: {detail}"
