"""Publishing to streams of a real nats-server."""

from typing import TYPE_CHECKING

import pytest
from faststream.nats import NatsBroker
from opentelemetry.sdk.trace import TracerProvider

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.service import disconnect
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.questions import CancelQuestion, QuestionAsked

if TYPE_CHECKING:
    from conftest import RestartableNats


async def test_a_message_that_is_published_twice_is_stored_once(events: EventPublisher) -> None:
    asked = QuestionAsked(question="?")
    await events.publish(subjects.QUESTION_ASKED, asked)
    await events.publish(subjects.QUESTION_ASKED, asked)
    await events.publish(subjects.QUESTION_ASKED, QuestionAsked(question="?"))
    assert (await events.jetstream.stream_info(subjects.STREAM_QUESTIONS)).state.messages == 2


async def test_what_is_stored_is_the_message_with_its_trace(events: EventPublisher) -> None:
    asked = QuestionAsked(question="Hvor mye – § 3-5?")
    with TracerProvider().get_tracer("test").start_as_current_span("asking") as span:
        await events.publish(subjects.QUESTION_ASKED, asked)
    stored = await events.jetstream.get_last_msg(subjects.STREAM_QUESTIONS, subjects.QUESTION_ASKED)
    assert QuestionAsked.model_validate_json(stored.data) == asked
    assert f"{span.get_span_context().trace_id:032x}" in stored.headers["traceparent"]


async def test_a_message_for_which_there_is_no_stream_is_not_taken_for_stored(events: EventPublisher) -> None:
    await events.jetstream.delete_stream(subjects.STREAM_QUESTIONS)
    with pytest.raises(ProblemError) as caught:
        await events.publish(subjects.QUESTION_ASKED, QuestionAsked(question="?"))
    assert caught.value.problem.type is ProblemType.UNAVAILABLE


async def test_a_message_that_cannot_be_stored_is_told_as_a_problem(restartable_nats: "RestartableNats") -> None:
    broker = make_broker(ServiceSettings(nats_url=restartable_nats.url), "test")
    await broker.connect()
    await restartable_nats.stop()
    with pytest.raises(ProblemError) as caught:
        await EventPublisher(broker).publish(subjects.QUESTION_ASKED, QuestionAsked(question="?"), timeout=0.2)
    await disconnect(broker)
    assert (caught.value.problem.type, caught.value.problem.retryable) == (ProblemType.UNAVAILABLE, True)


async def test_a_notice_reaches_who_listens_and_is_not_stored(broker: NatsBroker, events: EventPublisher) -> None:
    listening = await broker.connection.subscribe(subjects.QUESTION_CANCEL_ANY)
    await events.notify(subjects.question_cancel("run-1"), CancelQuestion(run_id="run-1"))
    assert CancelQuestion.model_validate_json((await listening.next_msg(timeout=20)).data).run_id == "run-1"
    streams = await events.jetstream.streams_info()
    assert sum(stream.state.messages for stream in streams) == 0
    await listening.unsubscribe()
