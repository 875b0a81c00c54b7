"""What goes wrong with a sealed request is said to its asker alone, and logged without the asker's words."""

import traceback

import pytest
from faststream.nats import NatsBroker
from nats.aio.msg import Msg
from structlog.testing import capture_logs

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.sealing import Concealed, SealedDesk, SealedRequester
from lovsvar_chassis.service import flush
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_testkit.running import answering

SUBJECT, KEY_SUBJECT = "lovsvar.test.sealed", "lovsvar.test.sealing_key"
SECRET = "Solveig Nordmann"


@pytest.fixture
async def client(nats_url: str):
    async with make_broker(ServiceSettings(nats_url=nats_url), "client") as broker:
        yield broker


async def problem_of(nats_url: str, client: NatsBroker, error: type[Exception]) -> tuple[ProblemError, list[bytes]]:
    """The problem that its asker sees when a handler fails with the asker's words, and all that was sent."""

    async def fail(request: FindPractice) -> PracticeHits:
        raise error(f"Det finnes ingen {request.query}.")

    desk, sent = SealedDesk(bytes(32)), list[bytes]()
    handler = desk.sealed(SUBJECT, FindPractice, fail, {LookupError: ProblemType.NOT_FOUND})
    router = RequestRouter().answer(KEY_SUBJECT, desk.key).answer(SUBJECT, handler)

    async def hear(message: Msg) -> None:
        sent.append(message.data)

    async with answering(nats_url, router):
        await client.connection.subscribe(">", cb=hear)
        await flush(client)
        with pytest.raises(ProblemError) as caught:
            await SealedRequester(Requester(client), KEY_SUBJECT).ask(SUBJECT, FindPractice(query=SECRET), PracticeHits)
        await flush(client)
    return caught.value, sent


async def test_the_words_of_a_problem_are_read_by_the_asker_alone(nats_url: str, client: NatsBroker) -> None:
    error, sent = await problem_of(nats_url, client, LookupError)
    assert error.problem.type is ProblemType.NOT_FOUND
    assert error.problem.detail == f"Det finnes ingen {SECRET}."
    assert error.problem.sealed is None
    assert any(b'"type":"not-found"' in message for message in sent)
    assert not any(SECRET.encode() in message for message in sent)


async def test_an_unexpected_error_is_logged_where_it_was_and_without_its_words(
    nats_url: str, client: NatsBroker
) -> None:
    with capture_logs() as logs:
        error, sent = await problem_of(nats_url, client, RuntimeError)
    assert error.problem.type is ProblemType.INTERNAL
    (logged,) = [line for line in logs if line["event"] == "request failed"]
    assert isinstance(logged["exc_info"], Concealed)
    written = "".join(traceback.format_exception(logged["exc_info"]))
    assert "in fail" in written and "RuntimeError" in written
    assert SECRET not in written
    assert not any(SECRET.encode() in message for message in sent)
