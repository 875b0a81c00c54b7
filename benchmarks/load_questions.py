"""Questions of a load, and how they are asked: over HTTP with the run's event stream, and over NATS."""

import asyncio
import itertools
import json

from load_steps import Ask, Outcome, outcome_of, outcome_of_problem
from load_system import System

from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Answer, QuestionAsked, RunStatus

CALLERS = 1_000
"""Addresses that questions come from, in turn. Without keys, the gateway distinguishes callers by them."""

ENDS = {
    b"event: run.completed": Outcome.ANSWERED,
    b"event: run.limit_reached": Outcome.ANSWERED,
    b"event: run.failed": Outcome.FAILED,
    b"event: run.cancelled": Outcome.FAILED,
}
LONGEST_END = max(map(len, ENDS))


class EventStream(asyncio.Protocol):
    """A connection on which one question is asked and its run followed to the end."""

    def __init__(self, request: bytes) -> None:
        self.outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._request = request
        self._data = b""
        self._followed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail what is under way."""
        self._end(Outcome.FAILED)

    def data_received(self, data: bytes) -> None:
        """Look for what says how it ended."""
        self._data += data
        if not self._followed:
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            lines = head.decode().split("\r\n")
            status = int(lines[0][9:12])
            if status != 200:
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
                self._end(outcome_of(status, headers))
                return
            self._followed, self._data = True, rest
        for sign, outcome in ENDS.items():
            if sign in self._data:
                self._end(outcome)
        self._data = self._data[-LONGEST_END:]

    def _end(self, outcome: Outcome) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)


def question_by_http(system: System) -> Ask:
    """Return what asks through the gateway, each time from another address, and reads the events."""
    addresses = itertools.cycle(f"10.0.{n // 250}.{n % 250 + 1}" for n in range(CALLERS))

    async def ask(question: str) -> Outcome:
        body = json.dumps({"question": question}).encode()
        head = (
            "POST /v1/questions HTTP/1.1",
            "Host: 127.0.0.1",
            "Accept: text/event-stream",
            "Connection: close",
            f"X-Forwarded-For: {next(addresses)}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        )
        request = "\r\n".join((*head, "", "")).encode() + body
        loop = asyncio.get_running_loop()
        transport, stream = await loop.create_connection(lambda: EventStream(request), "127.0.0.1", system.port)
        try:
            return await stream.outcome
        finally:
            transport.abort()

    return ask


def question_by_nats(system: System) -> Ask:
    """Return what asks the agents themselves, and waits for the answer."""

    async def ask(question: str) -> Outcome:
        asked = QuestionAsked(question=question)
        try:
            answer = await system.requester.ask(subjects.AGENT_ASK, asked, Answer, timeout=system.patience)
        except ProblemError as exc:
            return outcome_of_problem(exc.problem)
        answered = answer.status in (RunStatus.COMPLETED, RunStatus.LIMIT_REACHED)
        return Outcome.ANSWERED if answered else Outcome.FAILED

    return ask
