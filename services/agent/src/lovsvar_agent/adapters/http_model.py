"""A language model on a server that is asked over HTTP: any that speaks chat completions, or Anthropic's Messages."""

import asyncio
import contextlib
import json
import random
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import structlog
from pydantic import SecretStr

from lovsvar_agent.adapters import messages_api, providers
from lovsvar_agent.adapters.messages_api import MessageReader
from lovsvar_agent.adapters.model_stream import ACCEPTED, TooMuch, Unreadable, beginning, objects
from lovsvar_agent.adapters.providers import PROVIDERS, Provider, Sampling, Ways
from lovsvar_agent.core.errors import Misread
from lovsvar_agent.core.ports import LanguageModel, Request
from lovsvar_chassis.problems import problem
from lovsvar_contracts.problems import ProblemError, ProblemType

log = structlog.get_logger()

RETRIES = 2
"""How often a request that the server refused for now (429, 5xx) is sent again, after the wait that it asks for."""

CONNECT_SECONDS = 10.0
LONGEST_WAIT = 60.0
FIRST_WAIT = 0.5

_PASSING = {408, 409, 429}
_REFUSING = {400, 422}

_TOO_LONG = re.compile(
    r"context.{0,40}(?:length|size|window)|(?:prompt|input|request).{0,40}too (?:long|large)", re.IGNORECASE
)
"""How servers say that a conversation is longer than their model's context."""

_UNWANTED = re.compile(r"content.?(?:filter|policy|management)", re.IGNORECASE)
"""How servers say that they do not let their model answer what is asked."""

_NO_KEY = (ProblemType.NOT_CONFIGURED, "Språkmodellens tjener godtar ikke nøkkelen.")
_REFUSALS = {
    401: _NO_KEY,
    403: _NO_KEY,
    404: (ProblemType.NOT_CONFIGURED, "Språkmodellens tjener kjenner ikke modellen eller adressen."),
    429: (ProblemType.UNAVAILABLE, "Språkmodellen har for mye å gjøre akkurat nå. Prøv igjen om litt."),
    503: (ProblemType.NOT_READY, "Språkmodellen er ikke klar ennå. Prøv igjen om litt."),
    529: (ProblemType.UNAVAILABLE, "Språkmodellen har for mye å gjøre akkurat nå. Prøv igjen om litt."),
}

_LOGGED = 500
"""Characters of a server's own words that are logged; they are never shown, since no reader can act on them."""


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0


class Refusal(Exception):
    """An HTTP status that is no success, with what the server says of it, and after how many seconds to come back."""

    def __init__(self, status: int, said: str, wait: float | None) -> None:
        super().__init__(status, said)
        self.status = status
        self.said = said
        self.wait = wait


class HttpModel(LanguageModel):
    """A model by the way of its provider, which is guessed from the address when it is not given."""

    def __init__(
        self,
        name: str,
        key: SecretStr,
        base_url: str | None = None,
        *,
        provider: Provider | None = None,
        stall: float = 60.0,
        price: Price | None = None,
        sampling: Sampling | None = None,
    ) -> None:
        """`stall` is how many seconds a server may be silent, before its first word and between two."""
        self.provider = provider or providers.guess(base_url)
        self._traits = PROVIDERS[self.provider]
        self._name = name
        self._url = providers.address(self._traits, base_url, name)
        self._price = price or Price()
        self._sampling = sampling or Sampling()
        header, value = self._traits.key
        self._client = httpx2.AsyncClient(
            headers={
                header: value.format(key.get_secret_value()),
                **dict(self._traits.headers),
                "accept-encoding": ACCEPTED,
            },
            timeout=httpx2.Timeout(stall, connect=CONNECT_SECONDS),
            limits=httpx2.Limits(max_connections=1_000, max_keepalive_connections=100),
        )
        self._plainness = {True: 0, False: 0}

    @property
    def name(self) -> str:
        return self._name

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self._price.input + output_tokens * self._price.output) / 1_000_000

    async def reply(self, request: Request) -> AsyncGenerator[Mapping[str, Any], None]:
        try:
            async with self._open(request) as response:
                read = self._reader()
                async for one in objects(response):
                    # A server may send what is no chunk at all.
                    if isinstance(one, Mapping):
                        _check(one)
                        chunk = read(one)
                        yield chunk
                        _check_willing(chunk)
        except Refusal as exc:
            raise _refused(exc) from exc
        except httpx2.TimeoutException as exc:
            raise _problem(ProblemType.TIMEOUT, "Språkmodellen sluttet å svare.") from exc
        except (httpx2.ConnectError, httpx2.UnsupportedProtocol, httpx2.InvalidURL) as exc:
            raise _problem(ProblemType.UNAVAILABLE, "Språkmodellens tjener kan ikke nås.") from exc
        except httpx2.TransportError as exc:
            raise _misread(ProblemType.UNAVAILABLE, "Forbindelsen til språkmodellen brøt sammen.") from exc
        except Unreadable as exc:
            raise _misread(ProblemType.UNAVAILABLE, "Språkmodellens svar kunne ikke leses.") from exc
        except TooMuch as exc:
            detail = "Språkmodellens tjener sendte langt mer enn et svar kan være."
            raise _problem(ProblemType.UNAVAILABLE, detail, retryable=False) from exc

    async def start(self) -> None:
        """Nothing to wait for: the first request connects."""

    async def stop(self) -> None:
        await self._client.aclose()

    def _reader(self) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
        if self._traits.wire == "messages":
            return MessageReader(self._traits).read
        return lambda chunk: providers.read_chunk(self._traits, chunk)

    def _ways(self, request: Request) -> Ways:
        build = messages_api.ways if self._traits.wire == "messages" else providers.ways
        return build(self._traits, self._name, request, self._sampling)

    @contextlib.asynccontextmanager
    async def _open(self, request: Request) -> AsyncIterator[httpx2.Response]:
        """Send the request; a server that refuses what it need not know is asked more plainly, from then on too."""
        known = self._ways(request)
        left = [way for way in known if way[0] >= self._plainness[request.calls]] or list(known[-1:])
        refusal = ""
        while True:
            plainness, body = left.pop(0)
            try:
                async with self._sent(body) as response:
                    if refusal:
                        log.warning("the model's server takes plainer requests only", way=plainness, refusal=refusal)
                        self._plainness[request.calls] = plainness
                    yield response
                    return
            except Refusal as exc:
                hopeless = _TOO_LONG.search(exc.said) or _UNWANTED.search(exc.said)
                if exc.status not in _REFUSING or hopeless or not left:
                    raise
                refusal = exc.said[:_LOGGED]

    @contextlib.asynccontextmanager
    async def _sent(self, body: Mapping[str, Any]) -> AsyncIterator[httpx2.Response]:
        """Send a request, again when the server asks to come back. Raises `Refusal`."""
        for left in reversed(range(RETRIES + 1)):
            async with self._client.stream("POST", self._url, json=body) as response:
                if response.status_code == httpx2.codes.OK:
                    yield response
                    return
                refusal = Refusal(response.status_code, _said(await beginning(response)), _wait(response))
            if not left or not (refusal.status in _PASSING or refusal.status >= httpx2.codes.INTERNAL_SERVER_ERROR):
                raise refusal
            backoff = FIRST_WAIT * 2 ** (RETRIES - left) * random.uniform(0.75, 1.0)  # noqa: S311 - no secret
            await asyncio.sleep(backoff if refusal.wait is None else refusal.wait)


def _said(body: str) -> str:
    """Return what an error says, from whatever form it has."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return body
    error = found.get("error", found) if isinstance(found, Mapping) else found
    return str(error.get("message") or error) if isinstance(error, Mapping) else str(error)


def _wait(response: httpx2.Response) -> float | None:
    """Return how many seconds a server asks to wait, if it says so and it is not too long."""
    try:
        seconds = float(response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds <= LONGEST_WAIT else None


def _check(one: Mapping[str, Any]) -> None:
    """Raise the problem that an error in a stream is."""
    if error := one.get("error"):
        said = str(error.get("message") or error) if isinstance(error, Mapping) else str(error)
        if _TOO_LONG.search(said):
            raise _too_large()
        log.warning("the model's server reported an error in its reply", error=said[:_LOGGED])
        raise _misread(ProblemType.UNAVAILABLE, "Språkmodellens tjener meldte en feil midt i svaret.")


def _check_willing(chunk: Mapping[str, Any]) -> None:
    """Raise the problem that a model, or the filter before it, will not answer."""
    choices = chunk.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    said = choice.get("delta") or choice.get("message")
    if choice.get("finish_reason") == "content_filter" or (isinstance(said, Mapping) and said.get("refusal")):
        raise _unwilling()


def _refused(refusal: Refusal) -> ProblemError:
    status, said = refusal.status, refusal.said
    log.warning("the model's server refused a request", status=status, error=said[:_LOGGED])
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(said)):
        return _too_large()
    if status in _REFUSING and _UNWANTED.search(said):
        return _unwilling()
    if status in _REFUSALS:
        kind, detail = _REFUSALS[status]
        return _problem(kind, detail, retryable=kind is not ProblemType.NOT_CONFIGURED)
    if status >= 500:
        failed = _misread if status == 500 else _problem
        return failed(ProblemType.UNAVAILABLE, f"Språkmodellens tjener feilet ({status}).")
    detail = f"Språkmodellens tjener avviste forespørselen ({status})."
    return _misread(ProblemType.INVALID_REQUEST, detail, retryable=False)


def _too_large() -> ProblemError:
    return _misread(ProblemType.TOO_LARGE, "Samtalen er lengre enn språkmodellen kan lese.", retryable=False)


def _unwilling() -> ProblemError:
    return _problem(ProblemType.INVALID_REQUEST, "Språkmodellen vil ikke svare på dette.", retryable=False)


def _misread(kind: ProblemType, detail: str, *, retryable: bool = True) -> Misread:
    return Misread(_problem(kind, detail, retryable=retryable).problem)


def _problem(kind: ProblemType, detail: str, *, retryable: bool = True) -> ProblemError:
    return ProblemError(problem(kind, detail).model_copy(update={"retryable": retryable}))
