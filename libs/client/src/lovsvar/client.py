"""A typed client of the gateway's HTTP routes.

A stream of events resumes with `Last-Event-ID` when the connection drops, so that a reader sees every event once.

ClientError              base; its words, in Norwegian, can be shown to a person
├── GatewayProblem       the gateway answered with a problem document
└── GatewayLost          the gateway cannot be reached, or stopped answering
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import TypeAdapter, ValidationError

from lovsvar.cases import Cases
from lovsvar_contracts.case_events import CaseErased, CaseStreamEvent, case_stream_adapter
from lovsvar_contracts.catalogues import Catalogues, Product, ProductHits
from lovsvar_contracts.ingest import SyncCompleted, SyncEvent, SyncFailed, sync_event_adapter
from lovsvar_contracts.law import Provision
from lovsvar_contracts.listings import Documents
from lovsvar_contracts.message import Frozen, new_id
from lovsvar_contracts.practice import PracticeHits
from lovsvar_contracts.questions import Answer, Mode, QuestionFilters
from lovsvar_contracts.run_events import CLOSING, RunEvent, run_event_adapter
from lovsvar_contracts.search import CorpusStatus, Document, Outline, ProvisionHits, Provisions, Resolution

CONNECT_SECONDS = 5.0
REPLY_SECONDS = 30.0
STREAM_TIMEOUT = httpx2.Timeout(25.0, connect=CONNECT_SECONDS)
"""A stream that is silent for longer, heartbeats included, is dead: they come every ten seconds."""

LOST_SECONDS = 30.0
OF_THE_STREAM = frozenset({"heartbeat", "dropped"})
"""What is sent about a stream itself, and is no event in it."""

RETRY_FIRST = 0.1
RETRY_LONGEST = 2.0

Filter = str | int | bool | None

Model = TypeVar("Model", bound=Frozen)
Event = TypeVar("Event")


class ClientError(Exception):
    """Base of what goes wrong between a program and the gateway."""


class GatewayProblem(ClientError):
    """A problem document: its HTTP status, its type, and the seconds after which to retry, if given."""

    def __init__(self, detail: str, *, status: int, type_: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.type = type_
        self.retry_after = retry_after


class GatewayLost(ClientError):
    """The gateway cannot be reached. Remedy: try again; `lovsvar status` says what is running."""


class AcceptedSync(Frozen):
    """A sync that was requested: the id under which its events are found."""

    sync_id: str
    dataset: str


class Gateway:
    """The gateway at one address. Use as an async context manager.

    Every method raises `GatewayProblem` when the gateway answers with a problem document, and
    `GatewayLost` when it does not answer.
    """

    def __init__(self, url: str, *, key: str | None = None, lost_after: float = LOST_SECONDS) -> None:
        """`key` is sent with every request; `lost_after` is how many seconds a stream is tried again."""
        self.url = url.rstrip("/")
        self._lost_after = lost_after
        self._client = httpx2.AsyncClient(
            base_url=self.url,
            headers=authorization(key),
            timeout=httpx2.Timeout(REPLY_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,  # a proxy for the Internet does not lead to a service of one's own
            verify=not self.url.startswith("http://"),  # loading certificates takes longer than an answer
        )

    async def __aenter__(self) -> "Gateway":
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def status(self) -> CorpusStatus:
        """Return what is stored and served, and how the services are."""
        return await self.get("/v1/status", CorpusStatus)

    async def answer(
        self,
        question: str,
        mode: Mode | None = None,
        *,
        filters: QuestionFilters | None = None,
        follows: str | None = None,
    ) -> Answer:
        """Return the answer to `question`, asked as by `ask`.

        A run that did not end well is an answer too: its `status` says how.
        """
        run_id = await self.ask(question, mode, filters=filters, follows=follows)
        async with aclosing(self.run_events(run_id)) as events:
            async for _ in events:
                pass
        return await self.snapshot(run_id)

    async def ask(
        self,
        question: str,
        mode: Mode | None = None,
        *,
        filters: QuestionFilters | None = None,
        follows: str | None = None,
    ) -> str:
        """Submit `question` and return the id of the run that answers it; without `mode` the agent chooses one.

        Nothing outside `filters` is searched or read. `follows` is the run whose question and answer this one follows
        up; when that is gone, or another's, the problem is `not-found`. A broken connection is retried, and the
        question is still asked once. When it would wait too long, the problem is `queue-full`.
        """
        narrowed = filters.model_dump(mode="json", exclude_none=True) if filters else None
        given = _given({"question": question, "mode": mode and mode.value, "filters": narrowed, "follows": follows})
        headers = {"Idempotency-Key": new_id()}
        began, delay, reached = time.monotonic(), RETRY_FIRST, False
        while True:
            try:
                reply = await self._request("POST", "/v1/questions", json=given, headers=headers)
                return str(reply.json()["run_id"])
            except GatewayLost as exc:
                # A gateway that was never reached does not have the question: it is lost at once.
                reached = reached or not isinstance(exc.__cause__, httpx2.ConnectError | httpx2.InvalidURL)
                if not reached or time.monotonic() - began > self._lost_after:
                    raise
            await asyncio.sleep(delay)
            delay = min(delay * 2, RETRY_LONGEST)

    async def snapshot(self, run_id: str) -> Answer:
        """Return a run as it is now."""
        return await self.get(f"/v1/questions/{quote(run_id)}", Answer)

    async def cancel(self, run_id: str) -> None:
        """Stop a run. Stopping one that has ended is no error."""
        await self._request("DELETE", f"/v1/questions/{quote(run_id)}")

    def run_events(self, run_id: str, after: int = 0) -> AsyncGenerator[RunEvent, None]:
        """Yield the events of a run that come after `after`, each once, up to and with its closing one."""
        return self.run_events_at(f"/v1/questions/{quote(run_id)}/events", after)

    def run_events_at(self, path: str, after: int = 0) -> AsyncGenerator[RunEvent, None]:
        """Yield the events of a run that is followed at a path of its own."""
        return self._follow(path, run_event_adapter, str(after), lambda event: event.type in CLOSING)

    def case_events_at(self, path: str) -> AsyncGenerator[CaseStreamEvent, None]:
        """Yield the events of a case that is followed at a path, until it is erased. Their ids are no numbers."""
        return self._follow(path, case_stream_adapter, "", lambda event: isinstance(event, CaseErased), lambda *_: True)

    async def search(self, query: str, **filters: Filter) -> ProvisionHits:
        """Find provisions. Filters are the other fields of `FindProvisions`; None leaves one out."""
        return await self.get("/v1/search", ProvisionHits, q=query, **filters)

    async def practice(self, query: str, *, num: int = 10) -> PracticeHits:
        """Find court decisions and administrative practice."""
        return await self.get("/v1/practice", PracticeHits, q=query, num=num)

    async def catalogues(self) -> Catalogues:
        """Return the catalogues of products that the key may see."""
        return await self.get("/v1/catalogues", Catalogues)

    async def products(self, query: str, **filters: Filter | float) -> ProductHits:
        """Find products. Filters are `catalogue`, `limit`, `category`, `min_price`, `max_price`, `mode`, `explain`."""
        return await self.get("/v1/products", ProductHits, q=query, **filters)

    async def product(self, catalogue: str, product_id: str) -> Product:
        """Return a product whole."""
        return await self.get(f"/v1/catalogues/{quote(catalogue)}/products/{quote(product_id, safe='')}", Product)

    async def resolve(self, reference: str) -> Resolution:
        """Return what a written reference names."""
        return await self.get("/v1/resolve", Resolution, ref=reference)

    async def read(self, refid: str, section: str) -> Provision:
        """Return one provision with its whole text."""
        return await self.get(f"/v1/documents/{quote(refid)}/provisions/{quote(section)}", Provision)

    async def read_many(self, refs: Iterable[tuple[str, str]]) -> Provisions:
        """Return up to 50 provisions by `(refid, section)`; those that do not exist are in `missing`."""
        body = {"refs": [{"refid": refid, "section": section} for refid, section in refs]}
        return _decode(await self._request("POST", "/v1/provisions:batch", json=body), Provisions)

    async def documents(self, **filters: Filter) -> Documents:
        """List documents. Filters are `law_type`, `year`, `ministry`, `title`, `page` and `page_size`."""
        return await self.get("/v1/documents", Documents, **filters)

    async def document(self, refid: str, after: int | None = None) -> Document:
        """Return a document, or the page of it that comes after `after`."""
        return await self.get(f"/v1/documents/{quote(refid)}", Document, after=after)

    async def outline(self, refid: str) -> Outline:
        """Return a document's table of contents."""
        return await self.get(f"/v1/documents/{quote(refid)}/outline", Outline)

    async def ingest(
        self, dataset: str | None, *, source: str | None = None, force: bool = False, accept: str | None = None
    ) -> tuple[AcceptedSync, ...]:
        """Request a sync of `dataset`, or of the laws and then the regulations when it is None.

        `accept` is the checksum of an archive that is to be stored although it takes much of the law away.
        """
        given = _given({"dataset": dataset, "source": source, "force": force, "accept": accept})
        reply = await self._request("POST", "/v1/ingest", json=given)
        return tuple(AcceptedSync.model_validate(sync) for sync in reply.json()["syncs"])

    def sync_events(self, sync_id: str) -> AsyncGenerator[SyncEvent, None]:
        """Yield the events of a sync from its beginning, each once, up to and with its last."""
        path = f"/v1/ingest/{quote(sync_id)}/events"
        return self._follow(path, sync_event_adapter, "0", lambda event: isinstance(event, SyncCompleted | SyncFailed))

    @property
    def cases(self) -> Cases:
        """The cases that the key sees."""
        return Cases(self)

    async def send(self, method: str, path: str, model: type[Model], **more: Any) -> Model:
        """Return the reply to a request as a `model`; `more` is httpx2's."""
        return _decode(await self._request(method, path, **more), model)

    async def content(self, path: str) -> bytes:
        """Return what is at a path, as it is."""
        return (await self._request("GET", path)).content

    async def pieces(self, path: str) -> AsyncGenerator[bytes, None]:
        """Yield what is at a path in pieces, as it comes. Raises `GatewayLost` when it ends before it is whole."""
        try:
            async with self._client.stream("GET", path) as reply:
                if not reply.is_success:
                    await reply.aread()
                    raise _problem(reply)
                async for piece in reply.aiter_bytes():
                    yield piece
        except (httpx2.TransportError, httpx2.InvalidURL) as exc:
            raise self._lost() from exc

    async def get(self, path: str, model: type[Model], **params: Filter | float) -> Model:
        """Return what is at a path as a `model`."""
        return _decode(await self._request("GET", path, params=_given(params)), model)

    async def _request(self, method: str, path: str, **more: Any) -> httpx2.Response:
        try:
            reply = await self._client.request(method, path, **more)
        except (httpx2.TransportError, httpx2.InvalidURL) as exc:
            raise self._lost() from exc
        if not reply.is_success:
            raise _problem(reply)
        return reply

    async def _follow(
        self,
        path: str,
        adapter: TypeAdapter[Event],
        after: str,
        is_last: Callable[[Event], bool],
        is_new: Callable[[str, str], bool] = lambda id_, after: id_.isdigit() and int(id_) > int(after),
    ) -> AsyncGenerator[Event, None]:
        heard, delay = time.monotonic(), RETRY_FIRST
        while True:
            cause: Exception | None = None
            try:
                headers = {"Last-Event-ID": after} if after.strip("0") else {}
                async with self._client.sse(path, headers=headers, timeout=STREAM_TIMEOUT) as source:
                    if source.response.status_code == httpx2.codes.NO_CONTENT:
                        return  # no event comes after `after`, and none ever will
                    if not source.response.is_success:
                        await source.response.aread()
                        raise _problem(source.response)
                    async for sent in source:
                        heard, delay = time.monotonic(), RETRY_FIRST
                        if sent.event not in OF_THE_STREAM and is_new(sent.id, after):
                            after = sent.id
                            yield (event := adapter.validate_json(sent.data))
                            if is_last(event):
                                return
            except GatewayProblem as exc:
                if exc.status < httpx2.codes.INTERNAL_SERVER_ERROR and exc.status != httpx2.codes.TOO_MANY_REQUESTS:
                    raise
                cause = exc
            except (httpx2.TransportError, httpx2.InvalidURL) as exc:
                cause = exc
            except ValidationError as exc:
                raise GatewayLost(f"{self.url} sendte en hendelse med ukjent form.") from exc
            if time.monotonic() - heard > self._lost_after:
                if isinstance(cause, GatewayProblem) and cause.status == httpx2.codes.TOO_MANY_REQUESTS:
                    raise cause
                raise self._lost() from cause
            await asyncio.sleep(delay)
            delay = min(delay * 2, RETRY_LONGEST)

    def _lost(self) -> GatewayLost:
        return GatewayLost(f"Får ikke kontakt med Lovsvar på {self.url}. Kjører det? Se «lovsvar status».")


def authorization(key: str | None) -> dict[str, str]:
    """Return the headers that show `key` to a gateway; none without one."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _decode(reply: httpx2.Response, model: type[Model]) -> Model:
    try:
        return model.model_validate_json(reply.content)
    except ValidationError as exc:
        raise GatewayLost(f"{reply.request.url} ga et svar med ukjent form.") from exc


def _problem(reply: httpx2.Response) -> GatewayProblem:
    try:
        document = reply.json()
        detail = str(document.get("detail") or document["title"])
        type_ = str(document.get("type", "")).rpartition(":")[2]
    except (ValueError, KeyError, AttributeError):
        detail, type_ = f"Lovsvar svarte med HTTP-status {reply.status_code}.", "internal"
    wait = reply.headers.get("Retry-After", "")
    retry_after = int(wait) if wait.isdecimal() else None
    return GatewayProblem(detail, status=reply.status_code, type_=type_, retry_after=retry_after)
