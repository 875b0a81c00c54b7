"""An internal service: asks by request, and waits for the answer.

python examples/ask_over_nats.py nats://127.0.0.1:4222 "Hvor mye kan utleier kreve i depositum?"
"""

import asyncio
import json
import sys

import nats

from lovsvar_contracts import subjects
from lovsvar_contracts.questions import Answer, QuestionAsked


async def main(nats_url: str, question: str) -> None:
    """Ask, and print the answer with its sources, or what went wrong."""
    asked = QuestionAsked(question=question)
    async with await nats.connect(nats_url) as connection:
        reply = await connection.request(subjects.AGENT_ASK, asked.encode(), timeout=150)
    if json.loads(reply.data)["kind"] == "problem":
        sys.exit(json.loads(reply.data)["detail"])
    answer = Answer.model_validate_json(reply.data)
    print(answer.answer_text)
    for citation in answer.citations:
        print(f"[{citation.number}] {citation.lovdata_url} «{citation.quote}»")


asyncio.run(main(*sys.argv[1:]))
