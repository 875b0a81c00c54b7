"""What a service says of itself."""

from typing import Literal

from lovsvar_contracts.message import Message


class ReadHealth(Message):
    """Ask a service how it is."""

    kind: Literal["read_health"] = "read_health"


class ServiceHealth(Message):
    """A service's own word. `detail` says, in Norwegian, why it is not ready."""

    kind: Literal["service_health"] = "service_health"
    service: str
    version: str
    instance: str
    ready: bool
    detail: str = ""
