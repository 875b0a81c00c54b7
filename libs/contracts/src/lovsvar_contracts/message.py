"""The frozen base of everything that is sent."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import to_json

Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""An id that may stand as one token of a NATS subject."""


def new_id() -> str:
    """Return a fresh random id, 32 hexadecimal digits, valid as a `Token`."""
    return uuid4().hex


def utc_now() -> datetime:
    """Return the present moment with its time zone (UTC)."""
    return datetime.now(UTC)


class Frozen(BaseModel):
    """An immutable value. Unknown fields are ignored, so that an older reader survives a newer writer.

    The words of a validation error hold nothing of the value, which may be a question: they are logged.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class Message(Frozen):
    """What every message carries beside its own fields.

    `correlation_id` is set by whoever starts a piece of work and copied to every message that
    follows from it; trace context travels in the NATS headers instead.
    """

    event_id: str = Field(default_factory=new_id, description="Unique; a consumer that sees it twice acts once.")
    occurred_at: datetime = Field(default_factory=utc_now)
    correlation_id: str = Field(default_factory=new_id)

    def encode(self) -> bytes:
        """Return the message as it is sent: JSON in UTF-8."""
        # What `model_dump_json` writes, without a string of it in between that is as long to make as the rest.
        return to_json(self)
