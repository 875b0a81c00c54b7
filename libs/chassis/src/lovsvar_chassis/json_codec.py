"""Messages as JSON, for FastStream: a codec for each subscriber, which knows what its handler takes."""

import inspect
import re
from collections.abc import Callable
from typing import Any, get_type_hints

from faststream.message import StreamMessage
from pydantic import ConfigDict, TypeAdapter, ValidationError

from lovsvar_chassis.problems import invalid_request
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.subjects import PREFIX

JSON = "application/json"


class Unreadable(ProblemError):
    """A message is not what its subject carries (`invalid-request`). `errors` is in how many fields."""

    def __init__(self, error: ValidationError) -> None:
        super().__init__(invalid_request(error))
        self.errors = error.error_count()


class JsonCodec:
    """Validates what arrives as `kind`, a model or a union of models; without one it stays bytes."""

    def __init__(self, kind: Any = None) -> None:
        config = None if isinstance(kind, type) else ConfigDict(hide_input_in_errors=True)
        self._adapter: TypeAdapter[Any] | None = TypeAdapter(kind, config=config) if kind else None

    async def decode(self, msg: StreamMessage[Any]) -> Any:
        """Return the message that `msg` carries. Raises `Unreadable`."""
        if self._adapter is None:
            return msg.body
        try:
            return self._adapter.validate_json(msg.body)
        except ValidationError as exc:
            raise Unreadable(exc) from exc

    async def encode(self, msg: Any, serializer: object = None) -> tuple[bytes, str]:
        """Return a message as it is sent; bytes are sent as they are."""
        return msg.encode() if isinstance(msg, Message) else msg, JSON


def channel_key(subject: str) -> str:
    """Return what the channel of `subject` is called in documents: its name without prefix and parts that vary."""
    return re.sub(r"\.({\w+}|\*)", "", subject).removeprefix(f"{PREFIX}.").replace(".", "_")


def annotations(handler: Callable[..., Any]) -> dict[str, Any]:
    """Return what `handler`, a function or an object that is called, says of its parameters and its `return`."""
    function = handler if inspect.isroutine(handler) else type(handler).__call__
    return get_type_hints(function, include_extras=True)


def message_kind(handler: Callable[..., Any]) -> Any:
    """Return what `handler` takes, as the annotation of its first parameter says."""
    return annotations(handler)[next(iter(inspect.signature(handler).parameters))]
