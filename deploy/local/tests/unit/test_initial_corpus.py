"""What a question is answered from, decided against a stand-in for the gateway."""

import asyncio
import json
from collections.abc import Callable

import pytest

from lovsvar.client import Gateway
from lovsvar_contracts.ingest import (
    DATASET_LAWS,
    DATASET_REGULATIONS,
    DATASET_SAMPLE,
    SyncCompleted,
    SyncEvent,
    SyncFailed,
    SyncProgressed,
    SyncReport,
    SyncStage,
)
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.search import CorpusStatus
from lovsvar_local import initial_corpus
from lovsvar_local.errors import NotDone
from lovsvar_local.initial_corpus import Filler, RequestedSyncs
from lovsvar_local.progress import Progress


class Corpus:
    """What the stand-in stores: data sets by name, and how a sync of each ends."""

    def __init__(self, stand_in, stored: tuple[str, ...] = ()) -> None:
        self.stored = dict.fromkeys(stored, 1)
        self.version = len(stored)
        self.requested: list[str] = []
        self.sources: list[str | None] = []
        self.ends: dict[str, Callable[[str], list[SyncEvent]]] = {}
        self.silent: set[str] = set()
        stand_in.routes["GET", "/v1/status"] = self.status
        stand_in.routes["POST", "/v1/ingest"] = self.ingest
        for dataset in (DATASET_LAWS, DATASET_REGULATIONS, DATASET_SAMPLE):
            stand_in.routes["GET", f"/v1/ingest/{dataset}/events"] = self.events(dataset)

    async def status(self, request) -> None:
        count = sum(self.stored.values())
        status = CorpusStatus(
            documents=count,
            provisions=count,
            embedded=0,
            corpus_version=self.version,
            stored_version=self.version,
            corpus_date=None,
            by_law_type={},
            by_dataset=self.stored,
            sample=set(self.stored) == {DATASET_SAMPLE},
            indexed_provisions=count,
            ready=True,
        )
        await request.reply(status.model_dump(mode="json"))

    async def ingest(self, request) -> None:
        wish = json.loads(request.body)
        self.requested.append(wish["dataset"])
        self.sources.append(wish.get("source"))
        await request.reply({"syncs": [{"sync_id": wish["dataset"], "dataset": wish["dataset"], "events": "x"}]}, 202)

    def events(self, dataset: str):
        async def send(request) -> None:
            await request.stream()
            if dataset in self.silent:
                await asyncio.Event().wait()
            for number, event in enumerate(self.ends.get(dataset, self.completes)(dataset), start=1):
                await request.event(event.type, event.model_dump(mode="json"), number)

        return send

    def completes(self, dataset: str) -> list[SyncEvent]:
        self.version += 1
        if dataset == DATASET_LAWS:
            self.stored.pop(DATASET_SAMPLE, None)
        self.stored[dataset] = 1
        progressed = SyncProgressed(sync_id=dataset, dataset=dataset, stage=SyncStage.STORING, documents=1)
        done = SyncCompleted(sync_id=dataset, dataset=dataset, report=SyncReport(added=1), corpus_version=self.version)
        return [progressed, done]

    @staticmethod
    def fails(dataset: str) -> list[SyncEvent]:
        problem = ProblemType.SOURCE_UNREACHABLE
        return [SyncFailed(sync_id=dataset, dataset=dataset, problem=problem, detail="navnet finnes ikke")]

    @staticmethod
    def refuses(dataset: str) -> list[SyncEvent]:
        problem, detail = ProblemType.INVALID_REQUEST, "Legg den til i LOVSVAR_SOURCES."
        return [SyncFailed(sync_id=dataset, dataset=dataset, problem=problem, detail=detail)]


@pytest.fixture
def corpus(stand_in) -> Corpus:
    return Corpus(stand_in)


@pytest.fixture
def told(capsys) -> Callable[[], str]:
    return lambda: capsys.readouterr().err


def filler(stand_in_gateway: Gateway, folder, source: str | None = None) -> Filler:
    return Filler(stand_in_gateway, RequestedSyncs(folder), source, Progress())


async def test_a_store_with_law_is_answered_from_as_it_is(stand_in, corpus, folder) -> None:
    corpus.stored, corpus.version = {DATASET_LAWS: 1, DATASET_REGULATIONS: 1}, 2
    async with Gateway(stand_in.url) as gateway:
        await filler(gateway, folder).something_to_answer_from()
        await filler(gateway, folder).the_rest()
    assert corpus.requested == []


async def test_an_empty_store_gets_the_laws_first_and_the_regulations_afterwards(stand_in, corpus, folder) -> None:
    async with Gateway(stand_in.url) as gateway:
        status = await filler(gateway, folder, "/kilde").something_to_answer_from()
        assert corpus.requested == [DATASET_LAWS]
        assert status.by_dataset == {DATASET_LAWS: 1}
        await filler(gateway, folder, "/kilde").the_rest()
    assert corpus.requested == [DATASET_LAWS, DATASET_REGULATIONS]
    assert corpus.sources == ["/kilde", "/kilde"]
    assert RequestedSyncs(folder).noted() == []


async def test_an_unreachable_source_is_told_of_and_the_sample_is_used(stand_in, corpus, folder, told) -> None:
    corpus.ends[DATASET_LAWS] = corpus.fails
    async with Gateway(stand_in.url) as gateway:
        status = await filler(gateway, folder).something_to_answer_from()
        await filler(gateway, folder).the_rest()
    assert status.sample
    assert corpus.requested == [DATASET_LAWS, DATASET_SAMPLE], "no regulations beside the sample"
    words = told()
    assert "Får ikke kontakt med Lovdata (navnet finnes ikke)" in words
    assert "oppdiktet eksempelsett" in words


async def test_a_source_that_the_running_system_does_not_list_is_refused_and_no_sample_is_used(
    stand_in, corpus, folder
) -> None:
    corpus.ends[DATASET_LAWS] = corpus.refuses
    async with Gateway(stand_in.url) as gateway:
        with pytest.raises(NotDone, match="LOVSVAR_SOURCES"):
            await filler(gateway, folder, "/annen").something_to_answer_from()
    assert (corpus.requested, corpus.stored) == ([DATASET_LAWS], {})


async def test_a_sync_noted_with_a_source_that_is_refused_now_is_requested_again_without_it(
    stand_in, corpus, folder
) -> None:
    ends = iter((corpus.refuses, corpus.completes))

    def one_after_the_other(dataset: str) -> list[SyncEvent]:
        return next(ends)(dataset)

    corpus.ends[DATASET_LAWS] = one_after_the_other
    async with Gateway(stand_in.url) as gateway:
        await RequestedSyncs(folder).request(gateway, DATASET_LAWS, "/annen", first=True)
        status = await filler(gateway, folder).something_to_answer_from()
    assert status.by_dataset == {DATASET_LAWS: 1}
    assert corpus.sources == ["/annen", None]


async def test_a_source_that_hangs_is_not_waited_for_when_there_is_a_sample(
    stand_in, corpus, folder, told, monkeypatch
) -> None:
    monkeypatch.setattr(initial_corpus, "FIRST_SIGN_SECONDS_WITH_SAMPLE", 0.1)
    corpus.stored, corpus.version = {DATASET_SAMPLE: 1}, 1
    corpus.silent.add(DATASET_LAWS)
    async with asyncio.timeout(20), Gateway(stand_in.url) as gateway:
        status = await filler(gateway, folder).something_to_answer_from()
    assert status.sample
    assert "Får ikke kontakt med Lovdata" in told()
    assert corpus.requested == [DATASET_LAWS]


async def test_a_source_that_came_back_replaces_the_sample(stand_in, corpus, folder) -> None:
    corpus.stored, corpus.version = {DATASET_SAMPLE: 1}, 1
    async with Gateway(stand_in.url) as gateway:
        status = await filler(gateway, folder).something_to_answer_from()
    assert not status.sample
    assert status.by_dataset == {DATASET_LAWS: 1}


async def test_a_sync_that_an_interrupted_command_requested_is_taken_up_and_not_requested_again(
    stand_in, corpus, folder
) -> None:
    async with Gateway(stand_in.url) as gateway:
        await RequestedSyncs(folder).request(gateway, DATASET_LAWS, None)
        await filler(gateway, folder).something_to_answer_from()
    assert corpus.requested == [DATASET_LAWS]


async def test_two_at_once_request_the_laws_once(stand_in, corpus, folder) -> None:
    async with Gateway(stand_in.url) as gateway:
        syncs = await asyncio.gather(*(RequestedSyncs(folder).request(gateway, DATASET_LAWS, None) for _ in range(2)))
    assert syncs[0] == syncs[1]
    assert corpus.requested == [DATASET_LAWS]


async def test_no_law_and_no_sample_is_a_plain_sentence(stand_in, corpus, folder) -> None:
    corpus.ends = {DATASET_LAWS: corpus.fails, DATASET_SAMPLE: corpus.fails}
    async with Gateway(stand_in.url) as gateway:
        with pytest.raises(NotDone, match="Eksempelsettet kunne ikke lagres"):
            await filler(gateway, folder).something_to_answer_from()


async def test_laws_that_were_half_stored_beside_the_sample_are_waited_for(stand_in, corpus, folder) -> None:
    corpus.stored, corpus.version = {DATASET_SAMPLE: 1}, 1
    async with Gateway(stand_in.url) as gateway:
        await RequestedSyncs(folder).request(gateway, DATASET_LAWS, "/kilde", first=True)
        corpus.stored[DATASET_LAWS] = 1  # counted, though no version holds it yet
        status = await filler(gateway, folder).something_to_answer_from()
    assert status.corpus_version == 2
    assert corpus.requested == [DATASET_LAWS]


async def test_an_interrupted_renewal_is_finished_after_the_answer_and_not_before(stand_in, corpus, folder) -> None:
    corpus.stored, corpus.version = {DATASET_LAWS: 1, DATASET_REGULATIONS: 1}, 2
    async with Gateway(stand_in.url) as gateway:
        await RequestedSyncs(folder).request(gateway, DATASET_LAWS, None)
        assert (await filler(gateway, folder).something_to_answer_from()).corpus_version == 2
        await filler(gateway, folder).the_rest()
    assert corpus.version == 3
    assert RequestedSyncs(folder).noted() == []
