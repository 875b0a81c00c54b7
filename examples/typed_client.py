"""A program in Python with the typed client: asks, prints the steps and the answer with its quotes.

python examples/typed_client.py http://127.0.0.1:8080 "Hvor mye kan utleier kreve i depositum?"
"""

import asyncio
import os
import sys
from contextlib import aclosing

from lovsvar.client import ClientError, Gateway
from lovsvar_contracts.run_events import StepStarted


async def main(url: str, question: str) -> None:
    """Ask, and print the answer. The client itself resumes a broken stream."""
    async with Gateway(url, key=os.environ.get("LOVSVAR_API_KEY")) as gateway:
        run_id = await gateway.ask(question)
        async with aclosing(gateway.run_events(run_id)) as events:
            async for event in events:
                if isinstance(event, StepStarted):
                    print(event.title, file=sys.stderr)
        answer = await gateway.snapshot(run_id)
    print(answer.answer_text)
    for citation in answer.citations:
        print(f"[{citation.number}] {citation.lovdata_url} «{citation.quote}»")


try:
    asyncio.run(main(*sys.argv[1:]))
except ClientError as error:
    sys.exit(str(error))
