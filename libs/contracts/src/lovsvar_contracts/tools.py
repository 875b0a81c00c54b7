"""Tools that a service offers to the agent, and calls of them.

A service answers `ReadTools` on `lovsvar.tool.<service>.list` and `CallTool` on `lovsvar.tool.<service>.call`. What it
says is text that the agent shows to a language model as information, never as instruction.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.message import Frozen, Message, Token
from lovsvar_contracts.questions import QuestionFilters, SourceName

ToolName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Address = Annotated[str, StringConstraints(pattern=r"^(https://|/[^/\\])[^\s<>\"'\\]*$", max_length=2_000)]
"""An address that an answer may link to: https, or a path of the gateway's."""


class ReadTools(Message):
    """Ask a service which tools it offers."""

    kind: Literal["read_tools"] = "read_tools"


class OfferedSource(Frozen):
    """A kind of source that a tool finds: the prefix of its evidence ids, and its type in Norwegian, for the model."""

    name: SourceName
    label: Annotated[str, StringConstraints(min_length=1, max_length=60)]


class OfferedTool(Frozen):
    """A tool as a model is offered it. Its name must be unique among all tools."""

    name: ToolName
    title: str = Field(min_length=1, max_length=100, description="What a reader sees while it works, in Norwegian.")
    description: str = Field(
        min_length=1, max_length=1_500, description="For the model: what it does, and when to use it."
    )
    parameters: dict[str, Any] = Field(description="JSON schema (2020-12) of an object: the arguments.")
    repeatable: bool = Field(
        default=False, description="Carried out again with the same arguments: what it says may have changed."
    )
    needs_grant: bool = Field(default=False, description="Only runs whose question has a grant are offered it.")
    sources: tuple[OfferedSource, ...] = Field(default=(), max_length=4, description="The kinds of sources it finds.")


class Tools(Message):
    """The tools of a service."""

    kind: Literal["tools"] = "tools"
    tools: tuple[OfferedTool, ...] = Field(max_length=16)


class CallTool(Message):
    """Carry a tool out for a run. The arguments are valid by the tool's schema.

    One that comes again, as after a timeout, has the same `event_id`: what the tool changes is to be changed once.
    """

    kind: Literal["call_tool"] = "call_tool"
    name: ToolName
    arguments: dict[str, Any] = Field(default_factory=dict)
    run_id: Token
    locale: Literal["nb", "nn", "en"] | None = None
    filters: QuestionFilters | None = Field(default=None, description="What the question is narrowed to.")
    grant: str | None = Field(default=None, max_length=2_000, description="The grant of the run's question.")


class ToolSource(Frozen):
    """A source that a tool found. An answer may quote its `snippet`, word for word, and links to its `url`."""

    source: SourceName
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
    url: Address
    snippet: str = Field(max_length=4_000)


class ToolReply(Message):
    """What a call gave. With `error`, `text` says in Norwegian what a model could do otherwise."""

    kind: Literal["tool_reply"] = "tool_reply"
    status: Literal["success", "not_found", "error"] = "success"
    text: str = Field(default="", max_length=40_000)
    sources: tuple[ToolSource, ...] = Field(default=(), max_length=50)
    page: int = Field(default=1, ge=1)
    pages: int = Field(default=1, ge=1, description="Above 1, the tool takes a `page`.")
