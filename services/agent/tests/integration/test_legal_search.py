"""What every `LegalSearch` keeps: the fake, and the search service asked over NATS."""

import pytest

from lovsvar_agent.adapters.memory_search import DATE, VERSION, MemorySearch
from lovsvar_agent.adapters.nats_search import NatsSearch
from lovsvar_agent.core.ports import LegalSearch
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    ProvisionHits,
    ProvisionRef,
    ReadProvisions,
    ReadStatus,
    ResolveReference,
)
from lovsvar_testkit.running import answering


class LegalSearchContract:
    """One behaviour, run against both."""

    async def test_hits_come_best_first(self, law: LegalSearch) -> None:
        hits = (await law.find(FindProvisions(query="skader på båten innen ti dager"))).hits
        assert hits[0].section == "§4-1"
        assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)

    async def test_provisions_are_read_in_the_order_asked_for_and_missing_ones_are_named(
        self, law: LegalSearch
    ) -> None:
        refs = [ProvisionRef(refid="lov/2999-01-01-1", section=s) for s in ("§4-1", "§99", "§ 3-2")]
        found = await law.read(ReadProvisions(refs=tuple(refs)))
        assert [p.section for p in found.provisions] == ["§4-1", "§3-2"]
        assert found.missing == (refs[1],)
        assert all(p.blocks for p in found.provisions)

    async def test_a_reference_names_one_provision_an_act_or_nothing(self, law: LegalSearch) -> None:
        one = await law.resolve(ResolveReference(reference="båtleieloven § 3-2"))
        act = await law.resolve(ResolveReference(reference="båtleieloven"))
        none = await law.resolve(ResolveReference(reference="båtleieloven § 99"))
        assert (one.outcome, one.matches[0].section) == ("one", "§3-2")
        assert (act.outcome, act.matches[0].section) == ("one", None)
        assert (none.outcome, none.matches) == ("none", ())

    async def test_the_status_tells_date_and_version(self, law: LegalSearch) -> None:
        status = await law.status(ReadStatus())
        assert (status.corpus_date, status.corpus_version) == (DATE, VERSION)

    async def test_replies_carry_the_correlation_id_of_their_request(self, law: LegalSearch) -> None:
        assert (await law.status(ReadStatus(correlation_id="mine"))).correlation_id == "mine"


class TestMemorySearch(LegalSearchContract):
    @pytest.fixture
    def law(self, corpus) -> LegalSearch:
        return MemorySearch(corpus)


class MovingSearch(MemorySearch):
    """`MemorySearch` whose replies come from `version`; it counts how often its status is asked."""

    version = VERSION
    asked = 0

    async def find(self, request: FindProvisions) -> ProvisionHits:
        return (await super().find(request)).model_copy(update={"corpus_version": self.version})

    async def status(self, request: ReadStatus) -> CorpusStatus:
        self.asked += 1
        return (await super().status(request)).model_copy(update={"corpus_version": self.version})


class TestNatsSearch(LegalSearchContract):
    @pytest.fixture
    def law(self, search_service, client) -> LegalSearch:
        return NatsSearch(client.requester)


async def test_the_status_is_asked_again_when_replies_come_from_another_corpus(nats_url, corpus, client) -> None:
    served = MovingSearch(corpus)
    router = (
        RequestRouter().answer(subjects.SEARCH_PROVISIONS, served.find).answer(subjects.SEARCH_STATUS, served.status)
    )
    async with answering(nats_url, router):
        law = NatsSearch(client.requester)
        versions = []
        for version in (VERSION, VERSION, VERSION + 1, VERSION + 1):
            served.version = version
            await law.find(FindProvisions(query="pant"))
            versions.append((await law.status(ReadStatus())).corpus_version)
    assert versions == [VERSION, VERSION, VERSION + 1, VERSION + 1]
    assert served.asked == 2


async def test_a_search_service_that_is_down_is_a_problem_that_may_pass(client) -> None:
    with pytest.raises(ProblemError) as caught:
        await NatsSearch(client.requester).find(FindProvisions(query="pant"))
    assert caught.value.problem.type is ProblemType.UNAVAILABLE
    assert caught.value.problem.retryable
