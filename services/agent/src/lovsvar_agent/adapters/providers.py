"""What differs between the servers of language models: a row for each provider, and what follows from it.

`docs/providers.md` shows the same table. Anthropic's Messages API has a wire format of its own, which `messages_api`
speaks; all others speak OpenAI's chat completions, each in its way.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from lovsvar_agent.core.ports import Request
from lovsvar_agent.core.tools.answer_form import ANSWER


class Provider(StrEnum):
    """Who serves the model."""

    OPENAI = "openai"
    AZURE = "azure"
    ANTHROPIC = "anthropic"
    MISTRAL = "mistral"
    OLLAMA = "ollama"
    LLAMA_CPP = "llama.cpp"
    VLLM = "vllm"


@dataclass(frozen=True)
class Traits:
    """How one provider's server wants to be asked, and what its replies look like.

    `path` follows the base URL. `usage` says whether tokens are counted when the request asks for it, or always.
    `schema` is how JSON of a schema is asked for. `no_calls` is the `tool_choice` by which tools are named and not to
    be called; where there is none, they are left out then. `thoughts` are the fields of a reply that are not said to
    anybody. `cut_off` and `refused` are the finish reasons that mean so. `hosts` are those by which it is guessed.
    """

    title: str
    url: str
    path: str = "/chat/completions"
    wire: Literal["chat completions", "messages"] = "chat completions"
    key: tuple[str, str] = ("Authorization", "Bearer {}")
    headers: tuple[tuple[str, str], ...] = ()
    usage: Literal["asked for", "always"] = "asked for"
    schema: Literal["json_schema", "tool"] = "json_schema"
    no_calls: str | None = "none"
    parallel_calls: bool = True
    max_tokens: str = "max_completion_tokens"
    seed: str | None = "seed"
    temperature: float = 2.0
    thoughts: tuple[str, ...] = ()
    cut_off: tuple[str, ...] = ("length",)
    refused: tuple[str, ...] = ("content_filter",)
    hosts: str = ""


PROVIDERS: Mapping[Provider, Traits] = {
    Provider.OPENAI: Traits("OpenAI", "https://api.openai.com/v1", hosts=r"(^|\.)openai\.com(:|$)"),
    Provider.AZURE: Traits(
        "Azure OpenAI",
        "",
        path="/openai/deployments/{model}/chat/completions?api-version=2024-10-21",
        key=("api-key", "{}"),
        hosts=r"\.azure\.com(:|$)",
    ),
    Provider.ANTHROPIC: Traits(
        "Anthropic",
        "https://api.anthropic.com",
        path="/v1/messages",
        wire="messages",
        key=("x-api-key", "{}"),
        headers=(("anthropic-version", "2023-06-01"),),
        usage="always",
        schema="tool",
        max_tokens="max_tokens",
        seed=None,
        temperature=1.0,
        thoughts=("thinking", "redacted_thinking"),
        cut_off=("max_tokens", "model_context_window_exceeded"),
        refused=("refusal",),
        hosts=r"(^|\.)anthropic\.com(:|$)",
    ),
    Provider.MISTRAL: Traits(
        "Mistral",
        "https://api.mistral.ai/v1",
        usage="always",
        max_tokens="max_tokens",
        seed="random_seed",
        temperature=1.5,
        thoughts=("thinking",),
        cut_off=("length", "model_length"),
        hosts=r"(^|\.)mistral\.ai(:|$)",
    ),
    Provider.OLLAMA: Traits(
        "Ollama",
        "http://127.0.0.1:11434/v1",
        no_calls=None,
        max_tokens="max_tokens",
        thoughts=("reasoning",),
        hosts=r":11434$",
    ),
    Provider.LLAMA_CPP: Traits(
        "llama.cpp",
        "http://127.0.0.1:8080/v1",
        no_calls=None,
        parallel_calls=False,
        max_tokens="max_tokens",
        thoughts=("reasoning_content",),
    ),
    Provider.VLLM: Traits(
        "vLLM",
        "http://127.0.0.1:8000/v1",
        thoughts=("reasoning_content", "reasoning"),
    ),
}


@dataclass(frozen=True)
class Sampling:
    """How a model chooses its words; None leaves it to the server."""

    temperature: float | None = None
    seed: int | None = None


Ways = Sequence[tuple[int, Mapping[str, Any]]]
"""Requests for the same, each with how plain it is: the fullest first."""


def guess(base_url: str | None) -> Provider:
    """Return the provider of a base URL; OpenAI, whose way most servers imitate, when its host is no other's."""
    host = urlsplit(base_url or "").netloc
    known = (p for p, traits in PROVIDERS.items() if traits.hosts and re.search(traits.hosts, host))
    return next(known, Provider.OPENAI)


def address(traits: Traits, base_url: str | None, model: str) -> str:
    """Return where requests are sent to. A base URL that ends in a version has the rest of a path behind it."""
    base = (base_url or traits.url).rstrip("/")
    path = traits.path.format(model=quote(model, safe=""))
    if base.endswith("/v1"):
        path = "/messages" if traits.wire == "messages" else "/chat/completions"
    return base + path


def ways(traits: Traits, model: str, request: Request, sampling: Sampling) -> Ways:
    """Return how chat completions are asked for a reply, the fullest request first.

    A server may refuse what it need not know; each next request leaves out more of it. The last names the tools
    whatever its provider: some servers refuse a history of calls without them.
    """
    bare: dict[str, Any] = {"model": model, "messages": list(request.messages), "stream": True}
    tools: dict[str, Any] = {"tools": list(request.tools)} if request.tools else {}
    named = {**tools, "tool_choice": "none"} if tools and not request.calls else tools
    known = tools if request.calls else named if traits.no_calls else {}
    kept = dict(_bounds(traits, request))
    found: list[tuple[int, Mapping[str, Any]]] = [
        (0, {**bare, **kept, **_sampled(traits, sampling), **known, **_schema(request)}),
        (1, {**bare, **kept, **(tools if request.calls else {}), **_schema(request)}),
        (2, {**bare, **kept, **(tools if request.calls else {}), **_object(request)}),
        (3, {**bare, **(tools if request.calls else {})}),
    ]
    if named and not request.calls and any(m["role"] == "tool" for m in request.messages):
        found.append((4, {**bare, **named}))
    return [way for at, way in enumerate(found) if way[1] not in [w[1] for w in found[:at]]]


def read_chunk(traits: Traits, chunk: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a chunk of chat completions in OpenAI's own words: finish reasons, and thoughts as `reasoning`."""
    choices = chunk.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return chunk
    choice = dict(choices[0])
    choice["finish_reason"] = finish(traits, choice.get("finish_reason"))
    kind = "delta" if choice.get("delta") else "message"
    if isinstance(said := choice.get(kind), Mapping):
        thoughts = "".join(t for name in traits.thoughts if isinstance(t := said.get(name), str))
        choice[kind] = {**said, "reasoning": thoughts}
    return {**chunk, "choices": [choice]}


def finish(traits: Traits, reason: object) -> object:
    """Return a finish reason in OpenAI's words: `length`, `content_filter`, and what else the server says."""
    return "length" if reason in traits.cut_off else "content_filter" if reason in traits.refused else reason


def table() -> str:
    """Return the rows as Markdown, for the documentation."""
    head = ("", *(f"{traits.title}" for traits in PROVIDERS.values()))
    rows: list[tuple[str, ...]] = [
        ("`LOVSVAR_PROVIDER`", *(f"`{p}`" for p in PROVIDERS)),
        *((name, *(read(traits) for traits in PROVIDERS.values())) for name, read in _COLUMNS.items()),
    ]
    rule = tuple("---" for _ in head)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


_COLUMNS: Mapping[str, Any] = {
    "default address": lambda t: f"`{t.url}`" if t.url else "must be set",
    "guessed from": lambda t: f"`{t.hosts.replace('|', chr(92) + '|')}`" if t.hosts else "–",
    "wire format": lambda t: t.wire,
    "path": lambda t: f"`{t.path}`",
    "key": lambda t: f"`{t.key[0]}: {t.key[1].format('…')}`",
    "more headers": lambda t: ", ".join(f"`{name}: {value}`" for name, value in t.headers) or "–",
    "usage": lambda t: "`stream_options`" if t.usage == "asked for" else "always",
    "JSON of a schema": lambda t: "strict `json_schema`" if t.schema == "json_schema" else f"a forced `{ANSWER}`",
    "no more calls": lambda t: f"`tool_choice` {t.no_calls}" if t.no_calls else "tools left out",
    "parallel calls": lambda t: "yes" if t.parallel_calls else "by its template",
    "bound of a reply": lambda t: f"`{t.max_tokens}`",
    "seed": lambda t: f"`{t.seed}`" if t.seed else "–",
    "temperature": lambda t: f"0 to {t.temperature:g}",
    "thoughts": lambda t: ", ".join(f"`{name}`" for name in t.thoughts) or "not sent",
    "cut off": lambda t: ", ".join(f"`{name}`" for name in t.cut_off),
    "refused": lambda t: ", ".join(f"`{name}`" for name in t.refused),
}


def _bounds(traits: Traits, request: Request) -> Iterator[tuple[str, Any]]:
    yield traits.max_tokens, request.max_tokens
    if traits.usage == "asked for":
        yield "stream_options", {"include_usage": True}


def _sampled(traits: Traits, sampling: Sampling) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    if sampling.temperature is not None:
        wanted["temperature"] = min(sampling.temperature, traits.temperature)
    if sampling.seed is not None and traits.seed:
        wanted[traits.seed] = sampling.seed
    return wanted


def _schema(request: Request) -> dict[str, Any]:
    if request.schema is None:
        return {}
    schema = {"name": ANSWER, "schema": dict(request.schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _object(request: Request) -> dict[str, Any]:
    return {} if request.schema is None else {"response_format": {"type": "json_object"}}
