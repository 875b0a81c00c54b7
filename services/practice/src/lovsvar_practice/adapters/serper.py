"""Serper, a web search provider, as an index of practice at lovdata.no."""

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2
import stamina
from pydantic import BaseModel, SecretStr, ValidationError

from lovsvar_contracts.message import utc_now
from lovsvar_contracts.practice import PracticeHit
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.core.breaker import Breaker
from lovsvar_practice.core.errors import KeyRefused, SearchRefused, Unavailable
from lovsvar_practice.core.practice_search import Hits, PracticeIndex, SearchBudget

MAX_RESULTS = 20
MAX_BODY = 1_000_000
"""Bytes of a reply that are read; twenty results take about twenty thousand."""

_NO_ANSWER = "Søketjenesten for rettspraksis svarer ikke akkurat nå. Prøv igjen om litt."
_UNREADABLE = "Søketjenesten for rettspraksis svarte noe som ikke kan leses."


@dataclass(frozen=True)
class Pace:
    """The timeouts and retries of a search, in seconds.

    A search with its retries and two uses of the cache stays below the ten seconds for which callers wait.
    """

    search: float = 7.5
    each_try: float = 4.0
    tries: int = 3
    first_wait: float = 0.2
    longest_wait: float = 1.0
    jitter: float = 0.2


class SerperResult(BaseModel):
    """One of the organic results."""

    title: str | None = None
    link: str | None = None
    snippet: str | None = None


class SerperReply(BaseModel):
    """The part of Serper's reply that is used."""

    organic: tuple[SerperResult, ...] = ()


class SerperIndex(PracticeIndex):
    """Searches lovdata.no through Serper. A component: start, stop.

    Every request is counted in `budget` before it is sent, retries too.
    """

    def __init__(
        self,
        url: str,
        key: SecretStr,
        budget: SearchBudget,
        breaker: Breaker,
        metrics: PracticeMetrics,
        pace: Pace = Pace(),
    ) -> None:
        """`url` is the base address."""
        self._url = url
        self._key = key
        self._budget = budget
        self._breaker = breaker
        self._metrics = metrics
        self._pace = pace
        self._client: httpx2.AsyncClient | None = None

    async def start(self) -> None:
        """Open the client; nothing is sent yet."""
        self._client = httpx2.AsyncClient(
            base_url=self._url,
            timeout=httpx2.Timeout(self._pace.each_try),
            # The key goes to the provider alone.
            follow_redirects=False,
            # A small compressed reply can be large when decompressed.
            headers={"Accept-Encoding": "identity"},
        )

    async def stop(self) -> None:
        """Close the client's connections."""
        if self._client is not None:
            await self._client.aclose()

    async def search(self, query: str, num: int) -> Hits:
        """Return at most `num` (and 20) results, best first, in Serper's words.

        Raises `KeyRefused`, `SearchRefused`, `BudgetSpent`, `Paused` while the breaker is open, and `Unavailable`.
        """
        body: dict[str, object] = {"q": query, "gl": "no", "hl": "no", "num": min(num, MAX_RESULTS)}
        with self._breaker.guarding():
            try:
                async with asyncio.timeout(self._pace.search):
                    reply = SerperReply.model_validate_json(await self._ask(body))
            except httpx2.HTTPStatusError as exc:
                raise _refusal(exc.response.status_code) from exc
            except (httpx2.HTTPError, TimeoutError) as exc:
                raise Unavailable(_NO_ANSWER) from exc
            except ValidationError:
                # Its message repeats the reply, which is untrusted.
                raise Unavailable(_UNREADABLE) from None
        return tuple(
            PracticeHit(title=result.title or "", url=result.link, snippet=result.snippet or "")
            for result in reply.organic[: min(num, MAX_RESULTS)]
            if result.link
        )

    async def _ask(self, body: dict[str, object]) -> bytes:
        """Return the reply to `body`, with retries while they can help and there is time."""
        pace, ends = self._pace, time.monotonic() + self._pace.search
        async for attempt in stamina.retry_context(
            on=lambda error: _is_passing(error, left=ends - time.monotonic()),
            attempts=pace.tries,
            timeout=pace.search,
            wait_initial=pace.first_wait,
            wait_max=pace.longest_wait,
            wait_jitter=pace.jitter,
        ):
            with attempt:
                if attempt.num > 1:
                    self._metrics.retried()
                return await self._post(body)
        raise AssertionError("unreachable")

    async def _post(self, body: dict[str, object]) -> bytes:
        """Send one request and return its reply. Raises httpx2's errors, and `Unavailable` for a reply too long."""
        if self._client is None:
            raise RuntimeError("the index is searched before it is started")
        await self._budget.spend()
        outcome = "error"
        try:
            async with self._client.stream(
                "POST", "search", json=body, headers={"X-API-KEY": self._key.get_secret_value()}
            ) as response:
                outcome = str(response.status_code)
                response.raise_for_status()
                content = bytearray()
                async for chunk in response.aiter_raw():
                    content += chunk
                    if len(content) > MAX_BODY:
                        raise Unavailable(_UNREADABLE)
        except httpx2.TransportError as exc:
            outcome = type(exc).__name__
            raise
        finally:
            self._metrics.requested(outcome)
        return bytes(content)


def seconds_to_wait(header: str | None, now: datetime) -> float | None:
    """Return the seconds from `now` that `Retry-After` asks for (RFC 9110, 10.2.3); None when it cannot be read.

    It holds whole seconds or an HTTP date; a date in the past gives 0.
    """
    value = (header or "").strip()
    if value.isascii() and value.isdigit():
        # More digits than any wait needs: int() refuses thousands of them.
        return float(value[:9])
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())


def _is_passing(error: Exception, left: float) -> bool | float:
    """Return whether a retry can help, or the seconds to wait first when the provider names them."""
    if not isinstance(error, httpx2.HTTPStatusError):
        return isinstance(error, httpx2.TransportError)
    status = error.response.status_code
    if status != httpx2.codes.TOO_MANY_REQUESTS and status < httpx2.codes.INTERNAL_SERVER_ERROR:
        return False
    wait = seconds_to_wait(error.response.headers.get("Retry-After"), utc_now())
    if wait is None:
        return True
    return wait if wait < left else False


def _refusal(status: int) -> KeyRefused | SearchRefused | Unavailable:
    if status in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}:
        return KeyRefused("Søketjenesten for rettspraksis godtar ikke nøkkelen i SERPER_API_KEY.")
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        return Unavailable("Søketjenesten for rettspraksis tar ikke imot flere søk akkurat nå. Prøv igjen om litt.")
    if status >= httpx2.codes.INTERNAL_SERVER_ERROR:
        return Unavailable(f"Søketjenesten for rettspraksis har en feil (HTTP {status}). Prøv igjen om litt.")
    return SearchRefused(f"Søketjenesten for rettspraksis avviste søket (HTTP {status}).")
