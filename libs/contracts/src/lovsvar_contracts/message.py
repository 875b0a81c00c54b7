"""The frozen base of all messages."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import to_json

Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""An id that is one token of a NATS subject."""


def new_id() -> str:
    """Return a random id of 32 hexadecimal digits, a `Token`."""
    return uuid4().hex


def utc_now() -> datetime:
    """Return the present time, in UTC."""
    return datetime.now(UTC)


class Frozen(BaseModel):
    """An immutable value. Unknown fields are ignored, so that an older reader accepts a newer writer.

    Validation errors are logged, and do not show the value, which may be a question.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class Message(Frozen):
    """The common fields of all messages.

    `correlation_id` is set at the start of a piece of work and copied to every message that follows from it; trace
    context is in the NATS headers.
    """

    event_id: str = Field(default_factory=new_id, description="Unique; a consumer that sees it twice acts once.")
    occurred_at: datetime = Field(default_factory=utc_now)
    correlation_id: str = Field(default_factory=new_id)

    def encode(self) -> bytes:
        """Return the message as it is sent: JSON in UTF-8."""
        # As `model_dump_json`, without the intermediate string, which takes as long as the rest.
        return to_json(self)
