"""A language model on any server that speaks OpenAI's chat completions."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
import structlog
from pydantic import SecretStr

from lovsvar_agent.core.errors import Misread
from lovsvar_agent.core.ports import LanguageModel, Request
from lovsvar_chassis.problems import problem
from lovsvar_contracts.problems import ProblemError, ProblemType

log = structlog.get_logger()

RETRIES = 2
"""How often a request that the server refused for now (429, 5xx) is sent again, after the wait that it asks for."""

CONNECT_SECONDS = 10.0

_TOO_LONG = re.compile(
    r"context.{0,40}(?:length|size|window)|(?:prompt|input|request).{0,40}too (?:long|large)", re.IGNORECASE
)
"""How servers say that a conversation is longer than their model's context."""

_NO_KEY = (ProblemType.NOT_CONFIGURED, "Språkmodellens tjener godtar ikke nøkkelen.")
_REFUSALS = {
    401: _NO_KEY,
    403: _NO_KEY,
    404: (ProblemType.NOT_CONFIGURED, "Språkmodellens tjener kjenner ikke modellen eller adressen."),
    429: (ProblemType.UNAVAILABLE, "Språkmodellen har for mye å gjøre akkurat nå. Prøv igjen om litt."),
    503: (ProblemType.NOT_READY, "Språkmodellen er ikke klar ennå. Prøv igjen om litt."),
}

_LOGGED = 500
"""Characters of a server's own words that are logged; they are never shown, since no reader can act on them."""


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0


class OpenAIModel(LanguageModel):
    """A model by the `openai` package."""

    def __init__(
        self, name: str, key: SecretStr, base_url: str | None = None, *, stall: float = 60.0, price: Price | None = None
    ) -> None:
        """`stall` is how many seconds a server may be silent, before its first word and between two."""
        self._name = name
        self._price = price or Price()
        self._client = openai.AsyncOpenAI(
            api_key=key.get_secret_value(),
            base_url=base_url,
            max_retries=RETRIES,
            timeout=httpx2.Timeout(stall, connect=CONNECT_SECONDS),
        )
        self._plainness = 0

    @property
    def name(self) -> str:
        return self._name

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self._price.input + output_tokens * self._price.output) / 1_000_000

    async def reply(self, request: Request) -> AsyncGenerator[Mapping[str, Any], None]:
        try:
            async with await self._open(request) as stream:
                async for chunk in stream:
                    # A server may send what is no chunk at all.
                    if isinstance(chunk, Mapping):
                        yield chunk
        except openai.APIStatusError as exc:
            raise _refused(exc) from exc
        except (openai.APITimeoutError, httpx2.TimeoutException) as exc:
            raise _problem(ProblemType.TIMEOUT, "Språkmodellen sluttet å svare.") from exc
        except openai.APIConnectionError as exc:
            raise _problem(ProblemType.UNAVAILABLE, "Språkmodellens tjener kan ikke nås.") from exc
        except httpx2.TransportError as exc:
            raise _misread(ProblemType.UNAVAILABLE, "Forbindelsen til språkmodellen brøt sammen.") from exc
        except openai.APIError as exc:
            if _TOO_LONG.search(exc.message):
                raise _too_large() from exc
            log.warning("the model's server reported an error in its reply", error=exc.message[:_LOGGED])
            raise _misread(ProblemType.UNAVAILABLE, "Språkmodellens tjener meldte en feil midt i svaret.") from exc
        except (json.JSONDecodeError, UnicodeDecodeError) as exc:
            raise _misread(ProblemType.UNAVAILABLE, "Språkmodellens svar kunne ikke leses.") from exc

    async def start(self) -> None:
        """Nothing to wait for: the first request connects."""

    async def stop(self) -> None:
        await self._client.close()

    async def _open(self, request: Request) -> openai.AsyncStream[object]:
        """Send the request; a server that refuses what it need not know is asked again without it, from then on too.

        What is left out first is the demand for a call, which some servers do not take from some models.
        """
        extras = _extras(request)
        plainer = [extras, {k: v for k, v in extras.items() if k != "tool_choice"}, {}]
        refusal = ""
        for plainness in range(self._plainness, len(plainer)):
            if refusal and plainer[plainness] == plainer[plainness - 1]:
                continue
            try:
                stream = await self._send(request, plainer[plainness])
            except (openai.BadRequestError, openai.UnprocessableEntityError) as exc:
                if plainness == len(plainer) - 1 or _TOO_LONG.search(exc.message):
                    raise
                refusal = exc.message[:_LOGGED]
                continue
            if refusal:
                log.warning("the model's server takes plainer requests only", plainness=plainness, refusal=refusal)
                self._plainness = plainness
            return stream
        raise AssertionError("unreachable")

    async def _send(self, request: Request, extras: Mapping[str, Any]) -> openai.AsyncStream[object]:
        body: dict[str, Any] = {"model": self._name, "messages": list(request.messages), "stream": True, **extras}
        if request.tools:
            body["tools"] = list(request.tools)
        # Not by `chat.completions.create`: it looks through the schemas of all tools and makes models of every chunk,
        # which costs more than all the rest of a call, and what is sent and read here is of the wire format already.
        return await self._client.post(
            "/chat/completions", body=body, cast_to=object, stream=True, stream_cls=openai.AsyncStream[object]
        )


def _extras(request: Request) -> dict[str, Any]:
    """Return what a server may not know: bounds, usage, a call that must come, and JSON of a schema."""
    extras: dict[str, Any] = {
        "stream_options": {"include_usage": True},
        "max_completion_tokens": request.max_tokens,
    }
    if request.tools and request.must_call:
        extras["tool_choice"] = "required"
    if request.schema is not None:
        schema = {"name": "svar", "schema": dict(request.schema), "strict": True}
        extras["response_format"] = {"type": "json_schema", "json_schema": schema}
    return extras


def _refused(exc: openai.APIStatusError) -> ProblemError:
    status = exc.status_code
    log.warning("the model's server refused a request", status=status, error=exc.message[:_LOGGED])
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(exc.message)):
        return _too_large()
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


def _misread(kind: ProblemType, detail: str, *, retryable: bool = True) -> Misread:
    return Misread(_problem(kind, detail, retryable=retryable).problem)


def _problem(kind: ProblemType, detail: str, *, retryable: bool = True) -> ProblemError:
    return ProblemError(problem(kind, detail).model_copy(update={"retryable": retryable}))
