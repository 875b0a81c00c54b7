"""The laws of Norway as Lovdata publishes them."""

import asyncio
from pathlib import Path
from typing import Any

from nats.aio.msg import Msg

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import DATASET_LAWS, SyncCompleted, SyncRequested, sync_event_adapter
from lovsvar_ingest.app import build as build_ingest
from lovsvar_ingest.settings import Settings as IngestSettings
from lovsvar_testkit.running import running

HUSLEIE, STRAFFE, ARBEID = "lov/1999-03-26-17", "lov/2005-05-20-28", "lov/2005-06-17-62"
PERSON, FORVALTNING, PLAN = "lov/2018-06-15-38", "lov/1967-02-10", "lov/2008-06-27-71"

REFERENCES = {
    "husleieloven § 3-5": (HUSLEIE, "§3-5"),
    "husll. § 3-5": (HUSLEIE, "§3-5"),
    "husll § 3-5 annet ledd": (HUSLEIE, "§3-5"),
    "husleielova §3-5": (HUSLEIE, "§3-5"),
    "lov/1999-03-26-17/§3-5": (HUSLEIE, "§3-5"),
    "LOV-1999-03-26-17 § 3-5": (HUSLEIE, "§3-5"),
    "LOV-1999-03-26-17-§3-5": (HUSLEIE, "§3-5"),
    "NL/lov/1999-03-26-17/§3-5": (HUSLEIE, "§3-5"),
    "lov 26. mars 1999 nr. 17 § 3-5": (HUSLEIE, "§3-5"),
    "hva sier husleieloven § 3-5?": (HUSLEIE, "§3-5"),
    "§ 9-5 i husleieloven": (HUSLEIE, "§9-5"),
    "aml. §15-3": (ARBEID, "§15-3"),
    "arbeidsmiljøloven § 14-9 (2)": (ARBEID, "§14-9"),
    "straffeloven": (STRAFFE, None),
    "strl. § 267a": (STRAFFE, "§267a"),
    "straffeloven § 5": (STRAFFE, "§5"),
    "personvernforordningen art 5": (PERSON, "gdpr/a5"),
    "gdpr art. 17": (PERSON, "gdpr/a17"),
    "personopplysningsloven § 5": (PERSON, "§5"),
    "fvl. § 11 a": (FORVALTNING, "§11a"),
    "forvaltningsloven § 6": (FORVALTNING, "§6"),
    "LOV-1967-02-10 § 17": (FORVALTNING, "§17"),
    "pbl § 19-2": (PLAN, "§19-2"),
    "plan- og bygningsloven § 29-4": (PLAN, "§29-4"),
    "burettslagslova § 5-4": ("lov/2003-06-06-39", "§5-4"),
    "borettslagsloven § 5-4": ("lov/2003-06-06-39", "§5-4"),
    "avhl. § 3-10": ("lov/1992-07-03-93", "§3-10"),
    "barnelova § 36": ("lov/1981-04-08-7", "§36"),
    "grunnloven § 100": ("lov/1814-05-17", "§100"),
    "folketrygdloven § 22-15": ("lov/1997-02-28-19", "§22-15"),
    "Lov om dyrevelferd § 4": ("lov/2009-06-19-97", "§4"),
}


async def sync(nats_url: str, database_url: str, source: Path) -> None:
    settings = IngestSettings(nats_url=nats_url, database_url=database_url, source=str(source))
    client = make_broker(ServiceSettings(nats_url=nats_url), "test", {})
    async with running(build_ingest(settings)), client:
        request = SyncRequested(dataset=DATASET_LAWS)
        completed = asyncio.Event()

        async def heard(message: Msg) -> None:
            if isinstance(sync_event_adapter.validate_json(message.data), SyncCompleted):
                completed.set()

        await client.connection.subscribe(subjects.ingest_progress(request.sync_id), cb=heard)
        await EventPublisher(client).publish(subjects.INGEST_REQUESTED, request)
        async with asyncio.timeout(300):
            await completed.wait()


async def test_the_real_laws_are_searched_and_their_references_resolved(
    archives: Path, nats_url: str, database_url: str, serve: Any
) -> None:
    await sync(nats_url, database_url, archives)
    async with serve() as search:
        found = await search.find("Hvor mye kan utleier kreve i depositum?")
        resolved = {reference: await search.resolve(reference) for reference in REFERENCES}
        outline = await search.outline(ARBEID)
        status = await search.status()
    assert (HUSLEIE, "§3-5") in [(hit.refid, hit.section) for hit in found.hits[:3]]
    for reference, place in REFERENCES.items():
        matches = [(match.refid, match.section) for match in resolved[reference].matches]
        assert matches == [place], reference
    assert status.indexed_provisions == status.provisions == 28_655
    assert len(outline.children) >= 20
