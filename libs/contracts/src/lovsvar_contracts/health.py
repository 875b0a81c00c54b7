"""The health of a service."""

from typing import Literal

from pydantic import Field

from lovsvar_contracts.message import Frozen, Message
from lovsvar_contracts.questions import Mode


class ReadHealth(Message):
    """Ask a service for its health."""

    kind: Literal["read_health"] = "read_health"


class ComponentHealth(Frozen):
    """A background component of a service, and the seconds since its last progress."""

    name: str
    silent_seconds: float
    allowed_seconds: float = Field(description="More is a standstill, and the service is then not ready.")


class ServiceHealth(Message):
    """The health of a service. `detail` says, in Norwegian, why it is not ready."""

    kind: Literal["service_health"] = "service_health"
    service: str
    version: str
    instance: str
    ready: bool
    detail: str = ""
    components: tuple[ComponentHealth, ...] = ()
    corpus_version: int | None = Field(default=None, description="The corpus version that is served.")
    stored_version: int | None = Field(default=None, description="The newest one that the database was seen to hold.")
    configured: dict[str, bool] = Field(
        default_factory=dict, description="Which external services are configured: 'model', 'serper'."
    )
    mode: Mode | None = Field(default=None, description="How the agent answers questions that do not say.")
    lag_seconds: float | None = Field(default=None, description="Since the two were last seen to be the same.")
