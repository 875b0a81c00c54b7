"""An internal service: publishes a question under its own correlation id, and follows the run's events.

python examples/follow_over_nats.py nats://127.0.0.1:4222 "Hvor mye kan utleier kreve i depositum?" sak-4711
"""

import asyncio
import sys

import nats

from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import CLOSING, AnswerCompleted, run_event_adapter


async def main(nats_url: str, question: str, correlation_id: str) -> None:
    """Ask, and print each event and the answer."""
    asked = QuestionAsked(question=question, correlation_id=correlation_id)
    async with await nats.connect(nats_url) as connection:
        stream = connection.jetstream()
        events = await stream.subscribe(subjects.answer(asked.run_id), ordered_consumer=True)
        await stream.publish(subjects.QUESTION_ASKED, asked.encode())
        async for message in events.messages:
            event = run_event_adapter.validate_json(message.data)
            print(event.correlation_id, event.id, event.type, file=sys.stderr)
            if isinstance(event, AnswerCompleted):
                print(event.answer.answer_text)
            if event.type in CLOSING:
                break


asyncio.run(main(*sys.argv[1:]))
