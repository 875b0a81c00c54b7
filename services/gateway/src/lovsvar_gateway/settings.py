"""Settings of the gateway service."""

from pydantic import Field

from lovsvar_chassis.settings import ServiceSettings


class Settings(ServiceSettings):
    """Read once at start. Times are in seconds."""

    host: str = "127.0.0.1"
    port: int = Field(
        default=8080, ge=0, le=65_535, description="0 takes a free one; the log line 'listening' says which."
    )
    heartbeat: float = Field(default=10.0, gt=0, description="Between the heartbeats of an event stream.")
    slow_reader: float = Field(
        default=20.0, gt=0, description="How long a client may leave unread what an event stream has sent it."
    )
    request_timeout: float = Field(default=10.0, gt=0, description="How long another service may take to answer.")
