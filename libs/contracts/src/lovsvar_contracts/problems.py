"""The reply when there is no result: `Problem`, and `ProblemError`, which a caller then raises.

`ProblemType` is the closed list of reasons; the gateway maps each to an HTTP status and sends the problem as an RFC
9457 document whose `type` is `urn:lovsvar:problem:<type>`.
"""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from lovsvar_contracts.message import Message


class ProblemType(StrEnum):
    """Why there is no result."""

    INVALID_REQUEST = "invalid-request"
    NOT_FOUND = "not-found"
    CONFLICT = "conflict"
    TOO_LARGE = "too-large"
    NOT_CONFIGURED = "not-configured"
    NOT_READY = "not-ready"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    SOURCE_UNREACHABLE = "source-unreachable"
    SOURCE_UNREADABLE = "source-unreadable"
    INTERNAL = "internal"


class Problem(Message):
    """A failure that its reader can act on.

    `title` names the kind of failure, `detail` this failure and its remedy, both in Norwegian for users. `retryable` is
    true when the same request may succeed later.
    """

    kind: Literal["problem"] = "problem"
    type: ProblemType
    title: str
    detail: str
    retryable: bool = False
    retry_after: float | None = Field(
        default=None, ge=0, description="Seconds until the same request may succeed, if known."
    )
    sealed: str | None = Field(
        default=None,
        description="In place of `detail`, where that may repeat what was asked by a sealed request: encrypted as its "
        "reply is, in base64. `detail` then says no more than `title`.",
    )
    instance: str | None = Field(default=None, description="What the problem concerns: a run id, a refid, a route.")


class ProblemError(Exception):
    """A request was answered with a `Problem`, or not at all (then `unavailable` or `timeout`).

    Remedy: retry later when `problem.retryable`, else change the request as `problem.detail` says.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.type}: {problem.detail}")
        self.problem = problem
