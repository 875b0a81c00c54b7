"""Serper, a web search provider, as an index of practice at lovdata.no."""

import asyncio
from collections.abc import Sequence

import httpx2
import stamina
from pydantic import BaseModel, SecretStr, ValidationError

from lovsvar_contracts.practice import PracticeHit
from lovsvar_practice.core.errors import KeyRefused, Unavailable

MAX_RESULTS = 20
TRIES = 3
TRY_SECONDS = 4.0
SECONDS = 8.0
"""For a search with all its retries; below the ten seconds for which callers wait."""

_NO_ANSWER = "Søketjenesten for rettspraksis svarer ikke akkurat nå. Prøv igjen om litt."


class SerperResult(BaseModel):
    """One of the organic results."""

    title: str | None = None
    link: str | None = None
    snippet: str | None = None


class SerperReply(BaseModel):
    """The part of Serper's reply that is used."""

    organic: tuple[SerperResult, ...] = ()


class SerperIndex:
    """Searches lovdata.no through Serper. A part: start, stop."""

    def __init__(self, url: str, key: SecretStr, paths: Sequence[str], seconds: float = SECONDS) -> None:
        """`url` is the base address, `paths` the parts of lovdata.no to search, `seconds` bounds a whole search."""
        self._url = url
        self._key = key
        self._suffix = query_suffix(paths)
        self._seconds = seconds
        self._client: httpx2.AsyncClient | None = None

    async def start(self) -> None:
        """Open the client; nothing is sent yet."""
        self._client = httpx2.AsyncClient(base_url=self._url, timeout=httpx2.Timeout(TRY_SECONDS))

    async def stop(self) -> None:
        """Close the client's connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    async def search(self, query: str, num: int) -> tuple[PracticeHit, ...]:
        """Return at most `num` (and 20) results, best first, as Serper words them.

        Raises `KeyRefused` when Serper does not accept the key, `Unavailable` when it gave no usable answer.
        """
        body = {"q": f"{query} {self._suffix}", "gl": "no", "hl": "no", "num": min(num, MAX_RESULTS)}
        try:
            async with asyncio.timeout(self._seconds):
                reply = SerperReply.model_validate_json(await self._post(body))
        except httpx2.HTTPStatusError as exc:
            raise _refusal(exc.response.status_code) from exc
        except (httpx2.HTTPError, TimeoutError) as exc:
            raise Unavailable(_NO_ANSWER) from exc
        except ValidationError as exc:
            raise Unavailable("Søketjenesten for rettspraksis svarte noe som ikke kan leses.") from exc
        return tuple(
            PracticeHit(title=result.title or "", url=result.link, snippet=result.snippet or "")
            for result in reply.organic[:num]
            if result.link
        )

    async def _post(self, body: dict[str, object]) -> bytes:
        if self._client is None:
            raise RuntimeError("the index is searched before it is started")
        headers = {"X-API-KEY": self._key.get_secret_value()}
        async for attempt in stamina.retry_context(
            on=_is_passing, attempts=TRIES, timeout=self._seconds, wait_initial=0.2, wait_max=1.0
        ):
            with attempt:
                response = await self._client.post("/search", json=body, headers=headers)
                response.raise_for_status()
        return response.content


def query_suffix(paths: Sequence[str]) -> str:
    """Return what limits a query to `paths` of lovdata.no.

    It only guides the search: a query may hold operators of its own, so what is found is checked as well.
    """
    return f"site:lovdata.no ({' OR '.join(f'inurl:{path}' for path in paths)})"


def _is_passing(error: Exception) -> bool:
    if isinstance(error, httpx2.HTTPStatusError):
        status = error.response.status_code
        return status == httpx2.codes.TOO_MANY_REQUESTS or status >= httpx2.codes.INTERNAL_SERVER_ERROR
    return isinstance(error, httpx2.TransportError)


def _refusal(status: int) -> KeyRefused | Unavailable:
    if status in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}:
        return KeyRefused("Søketjenesten for rettspraksis godtar ikke nøkkelen i SERPER_API_KEY.")
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        return Unavailable("Søketjenesten for rettspraksis tar ikke imot flere søk akkurat nå. Prøv igjen om litt.")
    return Unavailable(f"Søketjenesten for rettspraksis avviste søket (HTTP {status}).")
