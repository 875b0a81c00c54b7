"""The client against a stand-in that answers as the gateway does, and drops connections."""

import asyncio
import json

import pytest

from lovsvar.client import Gateway, GatewayLost, GatewayProblem
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import Mode, QuestionFilters
from lovsvar_contracts.run_events import RunAccepted, RunCompleted, StepStarted

RUN = "abc"
EVENTS = [
    RunAccepted(id=1, run_id=RUN, question="Hva?"),
    StepStarted(id=2, run_id=RUN, step=1, name="search", title="Søker"),
    StepStarted(id=3, run_id=RUN, step=2, name="check", title="Kontrollerer"),
    RunCompleted(id=4, run_id=RUN),
]


async def send(request, events) -> None:
    await request.stream()
    for event in events:
        await request.event(event.type, event.model_dump(mode="json"), event.id)


async def ids_read(stand_in) -> list[int]:
    """Return the ids of the run's events as the client reads them."""
    async with Gateway(stand_in.url) as gateway:
        return [event.id async for event in gateway.run_events(RUN)]


async def test_a_stream_that_is_cut_is_taken_up_where_it_was_and_each_event_comes_once(stand_in) -> None:
    async def events(request) -> None:
        seen = int(request.headers.get("last-event-id", 0))
        await send(request, EVENTS[seen : seen + 2])  # then the connection is closed

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    async with Gateway(stand_in.url) as gateway:
        got = [event async for event in gateway.run_events(RUN)]
    assert [event.id for event in got] == [1, 2, 3, 4]
    assert [request.headers.get("last-event-id") for request in stand_in.seen] == [None, "2"]


async def test_events_that_come_again_after_a_cut_and_heartbeats_are_passed_over(stand_in) -> None:
    async def events(request) -> None:
        await send(request, EVENTS[: 2 * len(stand_in.seen)])
        await request.event("heartbeat", {})

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    assert await ids_read(stand_in) == [1, 2, 3, 4]


async def test_a_cut_in_the_middle_of_an_event_loses_nothing(stand_in) -> None:
    async def events(request) -> None:
        if len(stand_in.seen) == 1:
            await request.stream()
            await request.send(b'id: 1\nevent: run.accepted\ndata: {"type":')
        else:
            await send(request, EVENTS)

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    assert await ids_read(stand_in) == [1, 2, 3, 4]


async def test_a_gateway_that_is_restarting_is_waited_for(stand_in) -> None:
    async def events(request) -> None:
        if len(stand_in.seen) < 3:
            await request.reply({"detail": "Ikke klar."}, 503)
        else:
            await send(request, EVENTS)

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    assert await ids_read(stand_in) == [1, 2, 3, 4]


async def test_a_stream_that_does_not_come_back_is_lost(stand_in) -> None:
    async def events(request) -> None:
        await send(request, EVENTS[:1])

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    async with asyncio.timeout(20), Gateway(stand_in.url, lost_after=0.5) as gateway:
        stream = gateway.run_events(RUN)
        assert (await anext(stream)).id == 1
        stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = lambda request: request.reply({}, 503)
        with pytest.raises(GatewayLost):
            await anext(stream)


async def test_a_problem_document_is_raised_with_its_own_words(stand_in) -> None:
    async def search(request) -> None:
        document = {"type": "urn:lovsvar:problem:invalid-request", "title": "Ugyldig", "detail": "Søket er tomt."}
        await request.reply(document, 422, "application/problem+json")

    stand_in.routes["GET", "/v1/search"] = search
    async with Gateway(stand_in.url) as gateway:
        with pytest.raises(GatewayProblem, match="Søket er tomt") as caught:
            await gateway.search("x")
    assert caught.value.status == 422
    assert caught.value.type == "invalid-request"


async def test_an_unknown_run_is_a_problem_and_is_not_tried_again(stand_in) -> None:
    async with Gateway(stand_in.url) as gateway:
        with pytest.raises(GatewayProblem, match="Finnes ikke"):
            await anext(gateway.run_events("unknown"))
    assert len(stand_in.seen) == 1


async def test_nobody_at_the_address_is_a_plain_sentence() -> None:
    async with Gateway("http://127.0.0.1:9") as gateway:
        with pytest.raises(GatewayLost, match=r"127\.0\.0\.1:9"):
            await gateway.status()


async def test_filters_that_are_not_given_are_left_out_and_names_are_encoded(stand_in) -> None:
    async with Gateway(stand_in.url) as gateway:
        with pytest.raises(GatewayProblem):
            await gateway.search("æ & ø", law_type="lov", year=None)
        with pytest.raises(GatewayProblem):
            await gateway.search("æ", mode="vector", explain=True)
        with pytest.raises(GatewayProblem):
            await gateway.read("lov/1999-03-26-17", "§3-5")
    assert stand_in.seen[0].path in {"/v1/search?q=æ+&+ø&law_type=lov", "/v1/search?q=æ & ø&law_type=lov"}
    assert stand_in.seen[1].path == "/v1/search?q=æ&mode=vector&explain=true"
    assert stand_in.seen[2].path == "/v1/documents/lov/1999-03-26-17/provisions/§3-5"


async def test_products_are_asked_for_by_filters_and_read_by_catalogue_and_id(stand_in) -> None:
    async with Gateway(stand_in.url) as gateway:
        for asking in (
            gateway.catalogues(),
            gateway.products("burn-out", catalogue="arbeidshulp", max_price=9.5),
            gateway.product("arbeidshulp", "15"),
        ):
            with pytest.raises(GatewayProblem):
                await asking
    assert [request.path for request in stand_in.seen] == [
        "/v1/catalogues",
        "/v1/products?q=burn-out&catalogue=arbeidshulp&max_price=9.5",
        "/v1/catalogues/arbeidshulp/products/15",
    ]


async def test_the_key_is_sent_with_every_request_and_stream(stand_in) -> None:
    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = lambda request: send(request, EVENTS)
    async with Gateway(stand_in.url, key="hemmelig") as gateway:
        [event async for event in gateway.run_events(RUN)]
        with pytest.raises(GatewayProblem):
            await gateway.status()
    assert [request.headers["authorization"] for request in stand_in.seen] == ["Bearer hemmelig"] * 2


async def test_a_stream_that_was_dropped_or_refused_for_now_is_taken_up_again(stand_in) -> None:
    async def events(request) -> None:
        if len(stand_in.seen) == 1:
            await send(request, EVENTS[:2])
            await request.event("dropped", {"reason": "slow_reader"})
        elif len(stand_in.seen) == 2:
            await request.reply({"detail": "For mange."}, 429)
        else:
            await send(request, EVENTS[int(request.headers["last-event-id"]) :])

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    assert await ids_read(stand_in) == [1, 2, 3, 4]


async def test_a_reader_that_has_seen_the_end_is_told_nothing_more_at_once(stand_in) -> None:
    async def events(request) -> None:
        await request.reply(None, 204)

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    async with Gateway(stand_in.url) as gateway:
        assert [event async for event in gateway.run_events(RUN, after=4)] == []
    assert len(stand_in.seen) == 1


async def test_a_stream_that_stays_refused_ends_with_the_reason(stand_in) -> None:
    async def events(request) -> None:
        await request.reply({"type": "urn:lovsvar:problem:too-many-open", "title": "x", "detail": "For mange."}, 429)

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    async with Gateway(stand_in.url, lost_after=0.2) as gateway:
        with pytest.raises(GatewayProblem, match=r"For mange\.") as refused:
            [event async for event in gateway.run_events(RUN)]
    assert (refused.value.status, refused.value.type) == (429, "too-many-open")
    assert len(stand_in.seen) > 1


async def test_a_stream_whose_key_was_revoked_ends_with_the_reason(stand_in) -> None:
    async def events(request) -> None:
        if len(stand_in.seen) == 1:
            await send(request, EVENTS[:2])
            await request.event("dropped", {"reason": "key_revoked"})
        else:
            await request.reply({"title": "x", "detail": "Send nøkkelen."}, 401)

    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    async with Gateway(stand_in.url) as gateway:
        with pytest.raises(GatewayProblem, match=r"Send nøkkelen\."):
            [event async for event in gateway.run_events(RUN)]


async def test_an_answer_is_asked_for_followed_and_read(stand_in) -> None:
    async def asked(request) -> None:
        await request.reply({"run_id": RUN}, 202)

    async def answer(request) -> None:
        await request.reply({"run_id": RUN, "status": "completed", "mode": "agent", "question": "Hva?"})

    stand_in.routes["POST", "/v1/questions"] = asked
    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = lambda request: send(request, EVENTS)
    stand_in.routes["GET", f"/v1/questions/{RUN}"] = answer
    async with Gateway(stand_in.url) as gateway:
        assert (await gateway.answer("Hva?")).status == "completed"
        assert json.loads(stand_in.seen[0].body) == {"question": "Hva?"}


async def test_filters_and_what_is_followed_go_with_the_question(stand_in) -> None:
    stand_in.routes["POST", "/v1/questions"] = lambda request: request.reply({"run_id": RUN}, 202)
    filters = QuestionFilters(law_type=LawType.FORSKRIFT, ministry="Justis")
    async with Gateway(stand_in.url) as gateway:
        assert await gateway.ask("Og da?", Mode.DIRECT, filters=filters, follows="run-0") == RUN
    assert json.loads(stand_in.seen[0].body) == {
        "question": "Og da?",
        "mode": "direct",
        "filters": {"law_type": "forskrift", "ministry": "Justis"},
        "follows": "run-0",
    }


async def test_a_question_whose_connection_breaks_is_asked_again_as_the_same(stand_in) -> None:
    async def ask(request) -> None:
        if len(stand_in.seen) > 1:
            await request.reply({"run_id": RUN}, 202)

    stand_in.routes["POST", "/v1/questions"] = ask
    async with Gateway(stand_in.url) as gateway:
        assert await gateway.ask("Hva?") == RUN
        assert await gateway.ask("Hva?") == RUN
    first, again, other = (request.headers["idempotency-key"] for request in stand_in.seen)
    assert first == again != other


async def test_a_gateway_that_is_not_there_is_lost_at_once() -> None:
    async with Gateway("http://127.0.0.1:9", lost_after=60) as gateway:
        with pytest.raises(GatewayLost):
            async with asyncio.timeout(5):
                await gateway.ask("Hva?")


async def test_a_full_queue_says_when_to_ask_again(stand_in) -> None:
    async def full(request) -> None:
        await request.send(b"HTTP/1.1 503 X\r\nRetry-After: 7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    stand_in.routes["POST", "/v1/questions"] = full
    async with Gateway(stand_in.url) as gateway:
        with pytest.raises(GatewayProblem) as refused:
            await gateway.ask("Hva?")
    assert (refused.value.status, refused.value.retry_after) == (503, 7)
